// What apps can use: a server, or a collection of several. Opens the sessions with either, for both doors.

import type { Collection } from '../../../shared/collection.ts';
import { collectionNameIn, collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import { displayText } from '../../address/display-text.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { unlimited } from '../../gateway-ports.ts';
import type { Reservation } from '../../gateway-ports.ts';
import { displayNameLength } from '../../limits.ts';
import { requestText, tooLongText } from '../responses/responses.ts';
import type { Refusal } from '../responses/responses.ts';
import { refusalFor } from '../responses/judge-failure.ts';
import { isStatelessMessage, toInitializeResult, resultForSession, withMeta } from '../bridge/revisions.ts';
import type { SessionApp } from '../bridge/revisions.ts';
import { StatelessAppBridge } from '../bridge/stateless-app-bridge.ts';
import type { GatewayPorts } from '../gateway-dependencies.ts';
import { cancelledId, exactMember, readEnvelope, readInSlices } from '../messages/envelope.ts';
import type { Envelope, JsonObject } from '../messages/envelope.ts';
import { OwnRequests } from '../server/own-requests.ts';
import type { ServedServer } from '../server/served-server.ts';
import { openSession } from '../session/open-session.ts';
import type {
  AppSession,
  LiveSession,
  OpenSessionPorts,
  ServerSession,
  SessionOptions,
} from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { CollectionSession } from './collection-session.ts';
import type { CollectionSessionPorts } from './collection-session.ts';
import { Member } from './member.ts';
import type { MemberCallbacks, MemberSession } from './member.ts';

export interface TargetsPorts extends GatewayPorts, OpenSessionPorts {
  readonly clock: GatewayPorts['clock'];
  /** The server of this integration, as it was last stored. */
  readonly serve: (integration: Integration) => ServedServer;
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
    const { app, send, requeue, hangUp, httpResponses, isOnce, isAtSocket, isShared = false } = side;
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
      member: (integration, ports) => this.#member(integration, ports, { ...side, access }),
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
    const live: LiveSession = {
      session: view,
      server: undefined,
      app,
      access,
      isOnce,
      isAtSocket,
      hangUp,
      limit: isAtSocket ? 'counted' : 'evictable',
      mayBeAbandoned: false,
    };
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

  #member(
    integration: Integration,
    ports: Parameters<CollectionSessionPorts['member']>[1],
    { app, record, access, isOnce, hangUp, isAtSocket }: AppSide & Pick<SessionOptions, 'access'>,
  ): Member {
    const server = (): ServedServer => this.#ports.serve(integration);
    const side = { app, record, access, isOnce, isAtSocket, hangUp, isMember: true };
    return new Member({
      ...ports,
      integration,
      refuse: (error) => server().refuse(app?.name, error),
      open: (callbacks) => openMember(this.#ports, server(), callbacks, side),
    });
  }
}

function membersOf({ members }: Collection, integrations: readonly Integration[]): readonly Integration[] {
  return members.flatMap((id) => integrations.find((integration) => integration.id === id) ?? []);
}

/**
 * Opens a session with one member, like that of an app that uses the server alone: limits, logs and permissions are the
 * same. Errors: PosternError, including GATEWAY_BUSY.
 */
function openMember(
  ports: TargetsPorts,
  server: ServedServer,
  callbacks: MemberCallbacks,
  app: Omit<SessionOptions, 'send' | 'requeue'>,
): MemberSession {
  const viewAs = (session: Session): LiveSession['session'] => ({
    get isIdle() {
      return session.isIdle;
    },
    get isStale() {
      return session.isStale || callbacks.isStale();
    },
    catchUp: (reason) => callbacks.catchUp(reason),
    close: () => session.close(),
  });
  const { send, requeue, onRefusal } = callbacks;
  // The collection has accounted for its messages, and it is evicted with its collection.
  const opened = openSession(ports, server, { ...app, send, requeue, onRefusal, viewAs }, unlimited);
  return {
    appSession: opened,
    cached: (method, sessionApp, cursor) => cachedResult(opened, server, { method, app: sessionApp, cursor }),
    newId: () => server.own.newId(),
    catchUp: opened.catchUp,
  };
}

/** The cached session result, or else the cached stateless result, converted. */
async function cachedResult(
  { cached }: ServerSession,
  { integration }: ServedServer,
  { method, app, cursor }: { method: string; app: SessionApp; cursor: string | undefined },
): Promise<JsonObject | undefined> {
  const isHandshake = method === 'initialize';
  const page = cursor === undefined ? {} : { cursor };
  const session = await cachedResponse(cached, method, isHandshake ? { protocolVersion: app.revision } : page);
  if (session) return session;
  const stateless = await cachedResponse(
    cached,
    isHandshake ? 'server/discover' : method,
    withMeta(page, app, undefined),
  );
  if (!stateless) return undefined;
  return isHandshake
    ? toInitializeResult(stateless, app, integration.alias ?? integration.name)
    : resultForSession(method, stateless);
}

async function cachedResponse(
  cached: ServerSession['cached'],
  method: string,
  params: JsonObject,
): Promise<JsonObject | undefined> {
  const request = readEnvelope(requestText('0', method, params));
  const response = request.kind === 'request' ? await cached(request) : undefined;
  const message = response && readEnvelope(response);
  return message?.kind === 'response' && !message.hasError ? exactMember(message.bytes, 'result') : undefined;
}
