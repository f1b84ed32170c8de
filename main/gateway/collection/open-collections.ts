import type { Collection } from '../../../shared/collection.ts';
import { collectionReference, titleOf } from '../../../shared/entry-name.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { AppRecord } from '../../../shared/app-record.ts';
import { displayText } from '../../address/display-text.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { unlimited } from '../../gateway-ports.ts';
import type { AppConnection, Send } from '../../gateway-ports.ts';
import { displayNameLength } from '../../limits.ts';
import type { Refusal } from '../responses/responses.ts';
import { refusalFor } from '../responses/judge-failure.ts';
import { toInitializeResult, requestText, resultForSession, withMeta } from '../bridge/revisions.ts';
import type { SessionApp } from '../bridge/revisions.ts';
import type { GatewayPorts } from '../gateway-dependencies.ts';
import type { CountedSession } from '../limits/session-limiter.ts';
import { exactMember, readEnvelope } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { OwnRequests } from '../server/own-requests.ts';
import type { ServedServer } from '../server/served-server.ts';
import { openSession } from '../session/open-session.ts';
import type { AppSession, SessionOptions, LiveSession, OpenSessionPorts } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { CollectionSession } from './collection-session.ts';
import type { CollectionSessionPorts } from './collection-session.ts';
import { Member } from './member.ts';
import type { MemberCallbacks, MemberSession } from './member.ts';

export interface OpenCollectionsPorts extends GatewayPorts, OpenSessionPorts {
  readonly clock: GatewayPorts['clock'];
  readonly serve: (integration: Integration) => ServedServer;
}

/** The app that uses a collection, its permissions, and the connection to it. */
interface CollectionUser extends Pick<CollectionSessionPorts, 'send'>, Pick<AppConnection, 'hangUp'> {
  readonly requeue: Send;
  /** The admitted app. */
  readonly app: AppRecord | undefined;
  readonly isOnce: boolean;
  /** The app's record, even if it does not admit the app. */
  readonly record: AppRecord | undefined;
  readonly isAtSocket: boolean;
}

interface OpenCollection {
  readonly counted: CountedSession;
  readonly collection: string;
  readonly session: CollectionSession;
  readonly user: CollectionUser;
}

/** Collections in use, each by an app with a session of its own. */
export class OpenCollections {
  readonly #ports: OpenCollectionsPorts;
  readonly #open = new Set<OpenCollection>();
  readonly #own: OwnRequests;

  constructor(ports: OpenCollectionsPorts) {
    this.#ports = ports;
    this.#own = new OwnRequests(ports.random);
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** Whether an app at the socket uses a collection. */
  get isUsed(): boolean {
    return [...this.#open].some(({ user }) => user.isAtSocket);
  }

  /** Errors: CFG_*. */
  async find(name: string): Promise<Collection | undefined> {
    return (await this.#ports.collections.list()).find((collection) => collection.name === name);
  }

  /** An unguessable, unique id, as JSON text. */
  readonly newId = (): string => this.#own.newId();

  /** How to report a failure of the collection itself. */
  refusalsFor(collection: Collection): (error: PosternError) => Refusal {
    const name = displayText(titleOf(collection), displayNameLength);
    const named = { name, reference: collectionReference(collection), command: this.#ports.command };
    return (error) => refusalFor(error, named);
  }

  /** Opens a session. Errors: GATEWAY_BUSY, CFG_*. */
  async open(collection: Collection, user: CollectionUser): Promise<CollectionSession> {
    const { clock, log, store, limiter } = this.#ports;
    const { name } = collection;
    const title = displayText(titleOf(collection), displayNameLength);
    const reference = collectionReference(collection);
    const leftOut = new Set<string>();
    const counted = { app: user.app?.id, ...(!user.isAtSocket && { evict: user.hangUp }) };
    const session = new CollectionSession({
      clock,
      budget: this.#ports.budget.of(user.app?.id),
      name,
      title,
      send: user.send,
      requeue: user.requeue,
      newId: this.newId,
      refuse: this.refusalsFor(collection),
      onLeftOut: (entry) => {
        if (!leftOut.has(entry)) log.write('collection-name-taken', { collection: name });
        leftOut.add(entry);
      },
      member: (integration, ports) => this.#member(integration, ports, { access: reference, user }),
    });
    const integrations = await store.list();
    limiter.enter(counted);
    this.#open.add({ counted, collection: name, session, user });
    await session.setMembers(membersOf(collection, integrations));
    return session;
  }

  /** Closes a session. Returns whether it was open. Never rejects. */
  async close(session: CollectionSession): Promise<boolean> {
    const open = [...this.#open].find((each) => each.session === session);
    if (!open || !this.#open.delete(open)) return false;
    this.#ports.limiter.leave(open.counted);
    await session.close();
    return true;
  }

  /** Marks a session as used. */
  touch(session: CollectionSession): void {
    for (const open of this.#open) if (open.session === session) this.#ports.limiter.touch(open.counted);
  }

  /** Disconnects apps that may no longer use their collection. */
  disconnectDisallowed(isAllowed: (app: AppRecord, access: string, isOnce: boolean) => boolean): void {
    for (const { collection: name, user } of this.#open) {
      const { app, isOnce, hangUp } = user;
      if (app && !isAllowed(app, collectionReference({ name }), isOnce)) hangUp();
    }
  }

  /** Applies the current members to all sessions. Never rejects. */
  async updateMembers(integrations: readonly Integration[]): Promise<void> {
    if (this.isEmpty) return;
    const all = await this.#ports.collections.list().catch(() => undefined);
    if (!all) return;
    for (const { collection: name, session } of this.#open) {
      const collection = all.find((each) => each.name === name);
      // Not awaited: an app that does not read must not delay others.
      void session.setMembers(collection ? membersOf(collection, integrations) : []);
    }
  }

  #member(
    integration: Integration,
    ports: Parameters<CollectionSessionPorts['member']>[1],
    { access, user }: { readonly access: string; readonly user: CollectionUser },
  ): Member {
    const { app, record, isOnce, hangUp, isAtSocket } = user;
    const server = this.#ports.serve(integration);
    const side = { app, record, access, isOnce, isAtSocket, hangUp };
    return new Member({
      ...ports,
      integration,
      refuse: (error) => server.refuse(app?.name, error),
      open: (callbacks) => openMember(this.#ports, server, callbacks, side),
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
  ports: OpenCollectionsPorts,
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
    catchUp: (reason) => opened.session.catchUp(reason),
  };
}

/** The cached session result, or else the cached stateless result, converted. */
async function cachedResult(
  { cached }: AppSession,
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
  cached: AppSession['cached'],
  method: string,
  params: JsonObject,
): Promise<JsonObject | undefined> {
  const request = readEnvelope(requestText('0', method, params));
  const response = request.kind === 'request' ? await cached(request) : undefined;
  const message = response && readEnvelope(response);
  return message?.kind === 'response' && !message.hasError ? exactMember(message.bytes, 'result') : undefined;
}
