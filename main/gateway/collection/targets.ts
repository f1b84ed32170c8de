// What apps can use: a server, or a collection of several. Opens the sessions with either, for both doors.

import type { Collection } from '../../../shared/collection.ts';
import { collectionNameIn, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { Reservation } from '../../gateway-ports.ts';
import { displayNameLength } from '../../limits.ts';
import { tooLongText } from '../responses/responses.ts';
import type { Refusal } from '../responses/responses.ts';
import { refusalFor } from '../responses/judge-failure.ts';
import { isStatelessMessage } from '../bridge/revisions.ts';
import { StatelessAppBridge } from '../bridge/stateless-app-bridge.ts';
import type { GatewayPorts } from '../gateway-dependencies.ts';
import { cancelledId, readEnvelope, readInSlices } from '../messages/envelope.ts';
import type { Envelope } from '../messages/envelope.ts';
import { OwnRequests } from '../server/own-requests.ts';
import { openSession } from '../session/open-session.ts';
import type { AppSession, LiveSession, SessionOptions } from '../session/open-session.ts';
import { CollectionSession } from './collection-session.ts';
import { Member } from './member.ts';
import type { MemberPorts } from './member.ts';

export interface TargetsPorts extends GatewayPorts, MemberPorts {
  readonly clock: GatewayPorts['clock'];
  /** Applies an integration that was just read. */
  readonly update: (stored: Integration) => void;
}

/** The server or collection that an app requests. `id`: the permission that it needs. */
export type Target = Pick<Integration, 'id' | 'name'> &
  (
    | { readonly kind: 'server'; readonly integration: Integration }
    | { readonly kind: 'collection'; readonly collection: Collection }
  );

/** The app that uses a target, its permission, and the connection to it. */
export type AppSide = Omit<SessionOptions, 'access' | 'isMember' | 'onRefusal' | 'viewAs'>;

/** Everything that apps can use. */
export class Targets {
  readonly #ports: TargetsPorts;
  /** Open sessions with collections, and the name of each collection. */
  readonly #collections = new Map<CollectionSession, string>();
  readonly #own: OwnRequests;

  constructor(ports: TargetsPorts) {
    this.#ports = ports;
    this.#own = new OwnRequests(ports.random);
  }

  /** The server with this alias, or the collection with this name. Errors: CFG_*. */
  async find(reference: string): Promise<Target | undefined> {
    const name = collectionNameIn(reference);
    if (name === undefined) {
      // App entries contain the alias, so a server that later gets the same name cannot take over an entry.
      const integration = (await this.#ports.store.list()).find(({ alias }) => alias === reference);
      return integration && this.serverTarget(integration);
    }
    const collection = (await this.#ports.collections.list()).find((each) => each.name === name);
    return (
      collection && { kind: 'collection', id: collectionReference(collection), name: titleOf(collection), collection }
    );
  }

  /** `integration`: just read. */
  serverTarget(integration: Integration): Target {
    this.#ports.update(integration);
    return { kind: 'server', id: integration.id, name: integration.name, integration };
  }

  /** Opens a session. `reading`: accounts for what the app sends. Errors: GATEWAY_BUSY, CFG_*. */
  async open(target: Target, side: AppSide, reading: Reservation): Promise<AppSession> {
    if (target.kind === 'collection') return await this.#openCollection(target.collection, side, reading);
    const server = this.#ports.serve(target.integration);
    return openSession(this.#ports, server, { ...side, access: target.id }, reading);
  }

  /** How to report a failure of a collection itself. */
  refusalsFor(collection: Collection): (error: PosternError) => Refusal {
    const name = displayText(titleOf(collection), displayNameLength);
    const named = { name, reference: collectionReference(collection), command: this.#ports.command };
    return (error) => refusalFor(error, named);
  }

  /** Applies the current members to all sessions with collections. Never rejects. */
  async updateMembers(integrations: readonly Integration[]): Promise<void> {
    if (this.#collections.size === 0) return;
    const all = await this.#ports.collections.list().catch(() => undefined);
    if (!all) return;
    for (const [session, name] of this.#collections) {
      const collection = all.find((each) => each.name === name);
      // Not awaited: an app that does not read must not delay others.
      void session.setMembers(collection ? membersOf(collection, integrations) : []);
    }
  }

  /** Members count as sessions only when they are needed. */
  async #openCollection(collection: Collection, side: AppSide, reading: Reservation): Promise<AppSession> {
    const { clock, log, store, budget, sessions, update } = this.#ports;
    const { app, record, send, requeue, hangUp, httpResponses, isOnce, isAtSocket, isShared = false } = side;
    const { name } = collection;
    const access = collectionReference(collection);
    const appBudget = budget.of(app?.id);
    const newId = (): string => this.#own.newId();
    const refuse = this.refusalsFor(collection);
    const leftOut = new Set<string>();
    /** Set once the app turns out to be stateless. */
    let bridge: StatelessAppBridge | undefined;
    const session = new CollectionSession({
      clock,
      budget: appBudget,
      name,
      title: displayText(titleOf(collection), displayNameLength),
      send: (message, requestId) =>
        bridge ? bridge.handleCollectionMessage(message, requestId) : send(message, requestId),
      requeue: (message) => (bridge ? bridge.requeue(Buffer.from(message)) : requeue(message)),
      newId,
      refuse,
      onLeftOut: (entry) => {
        if (!leftOut.has(entry)) log.write('collection-name-taken', { collection: name });
        leftOut.add(entry);
      },
      member: (integration, events) =>
        new Member(this.#ports, integration, { app, record, access, isOnce, isAtSocket, hangUp }, events),
    });
    const handle = async (message: Envelope, requestKey?: string): Promise<void> => {
      if (isStatelessMessage(message))
        bridge ??= new StatelessAppBridge({
          budget: appBudget,
          newId,
          refuse,
          requeue,
          sendToApp: send,
          sendToCollection: (bytes) => session.handleAppMessage(readEnvelope(bytes)),
        });
      if (bridge) return await bridge.handleAppMessage(message, requestKey);
      await session.handleAppMessage(message);
      if (message.kind === 'notification' && message.method === 'notifications/cancelled')
        httpResponses?.end(cancelledId(message.bytes));
    };
    const members = membersOf(collection, await store.list());
    for (const member of members) update(member);
    sessions.makeRoom(app);
    // Its members catch up and are closed by themselves.
    const view: LiveSession['session'] = {
      get isIdle() {
        return session.isIdle;
      },
      isStale: false,
      catchUp: async () => {},
      close: async () => {},
    };
    const limit = isAtSocket ? 'counted' : 'evictable';
    const live: LiveSession = { ...side, access, session: view, server: undefined, limit, mayBeAbandoned: false };
    sessions.add(live);
    this.#collections.set(session, name);
    await session.setMembers(members);
    return {
      reading,
      receive: async (bytes, { requestKey } = {}) => await handle(await readInSlices(bytes), requestKey),
      refuseOversized: (beginning) => send(tooLongText(beginning)),
      drain: () => session.drain(),
      get isIdle() {
        return session.isIdle && bridge?.isIdle !== false;
      },
      close: async () => {
        sessions.delete(live);
        if (!this.#collections.delete(session)) return;
        bridge?.close();
        await session.close();
        side.onClosed?.();
      },
      touch: () => sessions.touch(live),
      // Only stateless apps cancel a request by disconnecting.
      drop: (requestKey) => void (isShared && bridge?.cancel(requestKey)),
      // Members listen from the start, and what they send goes out with requests.
      listen: () => {},
    };
  }
}

function membersOf({ members }: Collection, integrations: readonly Integration[]): readonly Integration[] {
  return members.flatMap((id) => integrations.find((integration) => integration.id === id) ?? []);
}
