import type { Collection } from '../../../shared/collection.ts';
import { collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { ProgramRecord } from '../../../shared/program-record.ts';
import { displayText } from '../../address/display-text.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { uncounted } from '../../gateway-ports.ts';
import type { ProgramLine, Send } from '../../gateway-ports.ts';
import { displayNameLength } from '../../limits.ts';
import type { Refusal } from '../answers/answers.ts';
import { refusalFor } from '../answers/judge-failure.ts';
import { handshakeOf, requestText, resultForOlder, withMeta } from '../bridge/revisions.ts';
import type { OlderProgram } from '../bridge/revisions.ts';
import type { GatewayPorts } from '../gateway-ports.ts';
import type { OpenOne } from '../limits/session-room.ts';
import { exactMember, readEnvelope } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { OwnRequests } from '../server/own-requests.ts';
import type { ServedServer } from '../server/served-server.ts';
import { openSession } from '../session/open-session.ts';
import type { AppSession, AppSide, OpenLine, OpenSessionPorts } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { CollectionSession } from './collection-session.ts';
import type { CollectionSessionPorts } from './collection-session.ts';
import { Member } from './member.ts';
import type { MemberLine, MemberSession } from './member.ts';

export interface OpenCollectionsPorts extends GatewayPorts, OpenSessionPorts {
  readonly clock: GatewayPorts['clock'];
  readonly serve: (integration: Integration) => ServedServer;
}

/** A program that uses a collection. */
interface CollectionUser extends Pick<CollectionSessionPorts, 'send'>, Pick<ProgramLine, 'hangUp'> {
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
    const { program, record, isOnce, hangUp, isAtSocket } = user;
    const server = this.#ports.serve(integration);
    const app = { program, record, right, isOnce, isAtSocket, hangUp };
    return new Member({
      ...ports,
      integration,
      refuse: (error) => server.refuse(program?.name, error),
      open: (line) => openMember(this.#ports, server, line, app),
    });
  }
}

function membersOf({ members }: Collection, integrations: readonly Integration[]): readonly Integration[] {
  return members.flatMap((id) => integrations.find((integration) => integration.id === id) ?? []);
}

/**
 * A session with one member, opened as for a program that uses that server alone: its place, its line in the list of
 * calls, and what the person has said of its tools are the same. Errors: PosternError, GATEWAY_BUSY among them.
 */
function openMember(
  ports: OpenCollectionsPorts,
  server: ServedServer,
  line: MemberLine,
  app: Omit<AppSide, 'send' | 'giveBack'>,
): MemberSession {
  const seenAs = (session: Session): OpenLine['session'] => ({
    get isIdle() {
      return session.isIdle;
    },
    get isBehind() {
      return session.isBehind || line.isBehind();
    },
    catchUp: (reason) => line.catchUp(reason),
    close: () => session.close(),
  });
  const { send, giveBack, onRefusal } = line;
  // What comes for it has been read whole. With its collection it ends where others need the room.
  const opened = openSession(ports, server, { ...app, send, giveBack, onRefusal, seenAs }, uncounted);
  return {
    asked: opened,
    kept: (method, older, cursor) => keptResult(opened, server, { method, program: older, cursor }),
    newId: () => server.own.newId(),
    catchUp: (reason) => opened.session.catchUp(reason),
  };
}

/** Of either wire: what a program of the newer one was told is as true. */
async function keptResult(
  { kept }: AppSession,
  { integration }: ServedServer,
  { method, program, cursor }: { method: string; program: OlderProgram; cursor: string | undefined },
): Promise<JsonObject | undefined> {
  const isHandshake = method === 'initialize';
  const page = cursor === undefined ? {} : { cursor };
  const older = await keptAnswer(kept, method, isHandshake ? { protocolVersion: program.revision } : page);
  if (older) return older;
  const newer = await keptAnswer(kept, isHandshake ? 'server/discover' : method, withMeta(page, program, undefined));
  if (!newer) return undefined;
  return isHandshake
    ? handshakeOf(newer, program, integration.alias ?? integration.name)
    : resultForOlder(method, newer);
}

async function keptAnswer(
  kept: AppSession['kept'],
  method: string,
  params: JsonObject,
): Promise<JsonObject | undefined> {
  const request = readEnvelope(requestText('0', method, params));
  const answer = request.kind === 'request' ? await kept(request) : undefined;
  const message = answer && readEnvelope(answer);
  return message?.kind === 'answer' && !message.hasError ? exactMember(message.bytes, 'result') : undefined;
}
