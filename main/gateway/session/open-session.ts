// Assembles a session: the app, permissions, bridge and upstream connection.

import type { AppRecord } from '../../../shared/app-record.ts';
import { storedAddress } from '../../engine/records/integration-policy.ts';
import type { Reservation, AppConnection, AppUser, GatewaySession } from '../../gateway-ports.ts';
import { surveyInSlices } from '../../mcp/messages/survey-json.ts';
import type { Clock } from '../../ports.ts';
import type { Refusal, SendToApp } from '../responses/responses.ts';
import { CallLog } from '../responses/call-log.ts';
import type { CallLogPorts } from '../responses/call-log.ts';
import { SessionAppBridge } from '../bridge/session-app-bridge.ts';
import type { MessageBudget } from '../limits/message-budget.ts';
import type { OpenSessions } from '../limits/open-sessions.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import type { PausedApps } from '../capabilities/app-access.ts';
import { Capabilities } from '../capabilities/capabilities.ts';
import type { UnexpectedMessageType, ServedServer } from '../server/served-server.ts';
import { Upstream } from '../server/upstream.ts';
import type { MessageContext } from './pending-requests.ts';
import type { SessionPorts } from './session-ports.ts';
import { Session } from './session.ts';

/** Shared by all sessions. */
export interface OpenSessionPorts extends CallLogPorts {
  readonly clock: Clock;
  readonly user: AppUser;
  readonly sessions: OpenSessions<LiveSession>;
  readonly budget: MessageBudget;
  readonly paused: () => PausedApps;
}

/** The app of a session, its permissions, and the connection to it. */
export interface SessionOptions extends Pick<SessionPorts, 'httpResponses' | 'requeue'>, Pick<AppConnection, 'hangUp'> {
  /** The admitted app. */
  readonly app: AppRecord | undefined;
  /** The app's record, even if it does not admit the app. */
  readonly record: AppRecord | undefined;
  /** Required permission: the server's id, or a collection. */
  readonly access: string;
  readonly isOnce: boolean;
  /** The app uses the socket; otherwise HTTP. */
  readonly isAtSocket: boolean;
  readonly send: SendToApp;
  /** Shared by several processes of the app, outside of sessions. Does not count toward the session limit. */
  readonly isShared?: boolean;
  /** A collection uses this session for the app, and is closed with all of its members. */
  readonly isMember?: boolean;
  /** Called with each error that Postern reports to the app in the server's place. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** Wraps the session for the gateway; default: the session itself. */
  readonly viewAs?: (session: Session) => LiveSession['session'];
  readonly onClosed?: () => void;
}

/** An open session, for the gateway: with one server, also of a collection member, or with a collection. */
export interface LiveSession extends Pick<SessionOptions, 'app' | 'access' | 'isOnce' | 'isAtSocket' | 'hangUp'> {
  readonly session: Pick<Session, 'isIdle' | 'isStale' | 'catchUp' | 'close'>;
  /** `undefined`: a collection. */
  readonly server: ServedServer | undefined;
  readonly limit: 'none' | 'counted' | 'evictable';
  /** True if its app may be gone without closing it. Then Postern sends only what the app waits for. */
  readonly mayBeAbandoned: boolean;
}

/** A session, for its app's connection. */
export interface AppSession extends GatewaySession {
  receive(bytes: Buffer, context?: MessageContext): Promise<void>;
  /** Marks the session as used. */
  readonly touch: () => void;
  /** The app has disconnected from this request, or has its response. */
  readonly drop: (requestKey: string) => void;
  /** The app has opened a stream for the server's own messages. */
  readonly listen: () => void;
}

/** A session with one server. */
export interface ServerSession extends AppSession, Pick<Session, 'catchUp'> {
  /** The cached response to this request, as the app may see it. Never rejects. */
  readonly cached: (request: RequestEnvelope) => Promise<Buffer | undefined>;
}

/**
 * Opens a session between one app and one server, with its own connection to the server. `reading`: accounts for what
 * the app sends. Errors: GATEWAY_BUSY, those of `storedAddress`.
 */
export function openSession(
  ports: OpenSessionPorts,
  server: ServedServer,
  options: SessionOptions,
  reading: Reservation,
): ServerSession {
  const { sessions } = ports;
  const { isShared = false } = options;
  if (!isShared) sessions.makeRoom(options.app);
  const { session, bridge, capabilities, cached } = connect(ports, server, options);
  const mayBeAbandoned = isByHttp(options) && !isShared;
  const live: LiveSession = {
    ...options,
    session: options.viewAs?.(session) ?? session,
    server,
    limit: isShared ? 'none' : mayBeAbandoned ? 'evictable' : 'counted',
    mayBeAbandoned,
  };
  sessions.add(live);
  let isClosed = false;
  return {
    reading,
    receive: async (bytes, context) => {
      await surveyInSlices(bytes);
      const isAmbiguous = bridge.isActive ? undefined : await capabilities.detectAmbiguity(bytes);
      await (bridge.isActive ? bridge.handleAppMessage(bytes) : session.receive(bytes, { ...context, isAmbiguous }));
    },
    refuseOversized: (beginning) => (bridge.isActive ? bridge : session).refuseOversized(beginning),
    drain: () => session.drain(),
    get isIdle() {
      return session.isIdle && bridge.isIdle;
    },
    close: async () => {
      sessions.delete(live);
      if (isClosed) return;
      isClosed = true;
      await session.close();
      options.onClosed?.();
    },
    touch: () => sessions.touch(live),
    drop: (requestKey) => (bridge.isActive ? bridge : session).drop(requestKey),
    listen: () => session.listen(),
    catchUp: (reason) => session.catchUp(reason),
    cached,
  };
}

/** Whether the app itself uses HTTP. Such sessions may be closed to make room, since many apps never end them. */
function isByHttp({ isAtSocket, isMember = false }: SessionOptions): boolean {
  return !isAtSocket && !isMember;
}

/** Creates the parts of a session and connects them. Errors: those of `storedAddress`. */
function connect(ports: OpenSessionPorts, server: ServedServer, options: SessionOptions) {
  const { app, record, hangUp, isShared = false } = options;
  const budget = ports.budget.of(app?.id);
  const admit = (): void => ports.paused().admit(app);
  const refuse = (error: unknown): Refusal => {
    const refusal = server.refuse(app?.name, error);
    options.onRefusal?.(refusal);
    return refusal;
  };
  const { clock } = ports;
  const bridge: SessionAppBridge = new SessionAppBridge({
    clock,
    budget,
    sendToApp: options.send,
    httpResponses: options.httpResponses,
    own: server.own,
    sendToServer: (bytes, isContinuation = false) => session.receive(bytes, { isContinuation }),
    refuse,
    name: server.integration.alias ?? server.integration.name,
    decline: (initialize) => session.receive(initialize.bytes),
    onStatelessOnly: () => server.noteStatelessOnly(),
  });
  const transport = server.openTransport();
  const upstream: Upstream = new Upstream({
    url: storedAddress(server.integration),
    fetch: transport.fetch,
    onClosed: () => transport.close(),
    admit,
    own: server.own,
    isLocal: server.isLocal,
    // Over HTTP, the server's own stream is opened only once the app listens.
    listensAtOnce: !isByHttp(options),
    owner: () => server.catalog.owner,
    onMessage: (message) => session.handleServerMessage(message),
    quota: budget.openSession(),
    hangUp,
    onReconnected: () => void session.notifyStale(),
  });
  const capabilities = new Capabilities({ server: server.tools, app, clock, askUser: ports.user.allowCall });
  const stopWatching = server.tools.watch(() => {
    capabilities.permissionsChanged();
    void session.notifyToolsChanged();
  });
  // Log each kind once: a server may send any number of them.
  const logged = new Set<UnexpectedMessageType>();
  const session = new Session({
    clock,
    budget,
    calls: new CallLog(ports, { app: record?.app, server }),
    httpResponses: options.httpResponses,
    admit,
    upstream,
    capabilities,
    isShared,
    send: (message, requestKey, arrival) =>
      bridge.isActive ? bridge.handleServerMessage(message) : options.send(message, requestKey, arrival),
    requeue: async (message) => {
      const original = bridge.originalOf(Buffer.from(message));
      if (original) await options.requeue(original);
    },
    tryBridge: (initialize, isKnown) => (isKnown === 'refused' || server.isStatelessOnly) && bridge.begin(initialize),
    onClosed: () => {
      bridge.close();
      stopWatching();
    },
    server,
    refuse,
    onUnexpected: (type) => {
      if (!logged.has(type)) server.logUnexpected(type);
      logged.add(type);
    },
  });
  /** The cached response to this request, as the app may see it. Never rejects. */
  const cached = async (request: RequestEnvelope): Promise<Buffer | undefined> => {
    const response = await server.catalog.lookUp(request);
    return response && (await capabilities.filterResponse(request, response));
  };
  return { session, bridge, capabilities, cached };
}
