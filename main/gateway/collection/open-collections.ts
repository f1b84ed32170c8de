import { collectionReference, titleOf } from '../../../shared/collection-name.ts';
import type { Collection } from '../../../shared/collection.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { displayText } from '../../address/display-text.ts';
import type { ProgramLine, Send } from '../../gateway-ports.ts';
import { displayNameLength } from '../../limits.ts';
import type { PosternError } from '../../postern-error.ts';
import type { PausedPrograms } from '../access/paused-programs.ts';
import type { Refusal } from '../answers/answers.ts';
import { refusalFor } from '../answers/judge-failure.ts';
import type { GatewayPorts } from '../gateway-around.ts';
import type { OpenOne, SessionRoom } from '../limits/session-room.ts';
import type { OpenLine } from '../open-line.ts';
import { OwnRequests } from '../server/own-requests.ts';
import type { ServedServer } from '../server/served-server.ts';
import { CollectionSession } from './collection-session.ts';
import type { CollectionSessionPorts } from './collection-session.ts';
import { Member } from './member.ts';
import type { MessageBudget } from '../limits/message-budget.ts';
import { openMember } from './open-member.ts';

export interface OpenCollectionsPorts extends GatewayPorts {
  readonly room: SessionRoom;
  readonly budget: MessageBudget;
  readonly paused: () => PausedPrograms;
  readonly serve: (integration: Integration) => ServedServer;
  /** Sessions with one server, that is with each member too. */
  readonly lines: Set<OpenLine>;
}

/** A program that uses a collection. */
export interface CollectionUser extends Pick<CollectionSessionPorts, 'send'>, Pick<ProgramLine, 'hangUp'> {
  readonly giveBack: Send;
  /** As it was let in. */
  readonly program: ProgramRecord | undefined;
  readonly isOnce: boolean;
  /** As it is known, whether it was let in for that or not. */
  readonly record: ProgramRecord | undefined;
  readonly isAtSocket: boolean;
}

interface Open {
  readonly place: OpenOne;
  readonly collection: string;
  readonly session: CollectionSession;
  readonly user: CollectionUser;
}

/** The collections that programs use now, each use a session of its own. */
export class OpenCollections {
  readonly #ports: OpenCollectionsPorts;
  readonly #open = new Set<Open>();
  readonly #own: OwnRequests;

  constructor(ports: OpenCollectionsPorts) {
    this.#ports = ports;
    this.#own = new OwnRequests(ports.random);
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Whether a program at the socket has one. */
  get isUsed(): boolean {
    return [...this.#open].some(({ user }) => user.isAtSocket);
  }

  /** Errors: CFG_*. */
  async find(name: string): Promise<Collection | undefined> {
    return (await this.#ports.collections.list()).find((collection) => collection.name === name);
  }

  /** An id that nobody can guess and none had before, as JSON text. */
  readonly newId = (): string => this.#own.newId();

  /** What is said of a failure of the collection itself. */
  refuses(collection: Collection): (error: PosternError) => Refusal {
    const name = displayText(titleOf(collection), displayNameLength);
    const named = { name, reference: collectionReference(collection), command: this.#ports.command };
    return (error) => refusalFor(error, named);
  }

  /** Begins a session. Errors: GATEWAY_BUSY, CFG_*. */
  async open(collection: Collection, user: CollectionUser): Promise<CollectionSession> {
    const { clock, log, store, room } = this.#ports;
    const { name } = collection;
    const title = displayText(titleOf(collection), displayNameLength);
    const reference = collectionReference(collection);
    const leftOut = new Set<string>();
    const place = { program: user.program?.id, ...(!user.isAtSocket && { end: user.hangUp }) };
    const session = new CollectionSession({
      clock,
      budget: this.#ports.budget.of(user.program?.id),
      name,
      title,
      send: user.send,
      giveBack: user.giveBack,
      newId: this.newId,
      refuse: this.refuses(collection),
      onLeftOut: (entry) => {
        if (!leftOut.has(entry)) log.write('collection-name-taken', { collection: name });
        leftOut.add(entry);
      },
      member: (integration, ports) => this.#member(integration, ports, { right: reference, user }),
    });
    const integrations = await store.list();
    room.enter(place);
    this.#open.add({ place, collection: name, session, user });
    await session.setMembers(membersOf(collection, integrations));
    return session;
  }

  /** Ends one. Answers whether it was open. Never rejects. */
  async close(session: CollectionSession): Promise<boolean> {
    const open = [...this.#open].find((each) => each.session === session);
    if (!open || !this.#open.delete(open)) return false;
    this.#ports.room.leave(open.place);
    await session.close();
    return true;
  }

  /** It is used. */
  touch(session: CollectionSession): void {
    for (const open of this.#open) if (open.session === session) this.#ports.room.touch(open.place);
  }

  /** Hangs up on every program that may not use its collection any more. */
  retain(isAllowed: (program: ProgramRecord, right: string, isOnce: boolean) => boolean): void {
    for (const { collection: name, user } of this.#open) {
      const { program, isOnce, hangUp } = user;
      if (program && !isAllowed(program, collectionReference({ name }), isOnce)) hangUp();
    }
  }

  /** Takes the members as they are now. Never rejects. */
  async changed(integrations: readonly Integration[]): Promise<void> {
    if (this.isEmpty) return;
    const all = await this.#ports.collections.list().catch(() => undefined);
    if (!all) return;
    for (const { collection: name, session } of this.#open) {
      const collection = all.find((each) => each.name === name);
      // A program that does not read keeps no other from hearing of it.
      void session.setMembers(collection ? membersOf(collection, integrations) : []);
    }
  }

  #member(
    integration: Integration,
    ports: Parameters<CollectionSessionPorts['member']>[1],
    { right, user }: { readonly right: string; readonly user: CollectionUser },
  ): Member {
    const { room, paused, serve, lines } = this.#ports;
    const { program, record, isOnce, hangUp, isAtSocket } = user;
    const server = serve(integration);
    return new Member({
      ...ports,
      integration,
      refuse: (error) => server.refuse(program?.name, error),
      open: (line) =>
        openMember(server, line, {
          ...this.#ports,
          budget: this.#ports.budget.of(program?.id),
          room,
          program,
          record,
          admit: () => paused().admit(program),
          enter: (session) => {
            const open: OpenLine = { line: { hangUp }, session, server, program, right, isOnce, isAtSocket };
            lines.add(open);
            return () => void lines.delete(open);
          },
        }),
    });
  }
}

function membersOf({ members }: Collection, integrations: readonly Integration[]): readonly Integration[] {
  return members.flatMap((id) => integrations.find((integration) => integration.id === id) ?? []);
}
