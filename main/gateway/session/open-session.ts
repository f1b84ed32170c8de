import type { AppRecord } from '../../../shared/app-record.ts';
import { storedAddress } from '../../engine/records/integration-policy.ts';
import type { Reservation, AppConnection, GatewaySession } from '../../gateway-ports.ts';
import { surveyInSlices } from '../../mcp/messages/survey-json.ts';
import type { Clock } from '../../ports.ts';
import type { Refusal, SendToApp } from '../responses/responses.ts';
import { CallLog } from '../responses/call-log.ts';
import type { CallLogPorts } from '../responses/call-log.ts';
import { Bridge } from '../bridge/bridge.ts';
import type { MessageBudget } from '../limits/message-budget.ts';
import type { CountedSession, SessionLimiter } from '../limits/session-limiter.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import type { PausedApps } from '../capabilities/app-access.ts';
import { headersFor, passedFields } from '../server/headers-for.ts';
import { isSessionProtocol } from '../server/revision-evidence.ts';
import type { UnexpectedMessage, ServedServer } from '../server/served-server.ts';
import { Upstream } from '../server/upstream.ts';
import type { MessageContext } from './pending-requests.ts';
import type { SessionPorts } from './session-ports.ts';
import { Session } from './session.ts';

/** What all sessions share. */
export interface OpenSessionPorts extends CallLogPorts {
  readonly clock: Clock;
  readonly limiter: SessionLimiter;
  readonly budget: MessageBudget;
  readonly paused: () => PausedApps;
  /** Contains each session until it is closed. */
  readonly liveSessions: Set<LiveSession>;
}

/** The app of a session, and the connection to it. */
export interface AppSide extends Pick<SessionPorts, 'answers' | 'requeue'>, Pick<AppConnection, 'hangUp'> {
  /** As admitted. */
  readonly app: AppRecord | undefined;
  /** Its record, whether that admits it or not. */
  readonly record: AppRecord | undefined;
  /** Access that the app needs: the server's id, or a collection. */
  readonly access: string;
  readonly isOnce: boolean;
  readonly isAtSocket: boolean;
  readonly send: SendToApp;
  /** The server's own stream is opened once the app listens. */
  readonly isByHttp?: boolean;
  /** Shared by several processes of the app, outside of sessions. Does not count toward the session limit. */
  readonly isShared?: boolean;
  /** May be ended to make room. */
  readonly mayEnd?: boolean;
  /** Called with each error that Postern reports to the app in the server's place. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** The session as the gateway sees it; default: unchanged. */
  readonly viewAs?: (session: Session) => LiveSession['session'];
  readonly onClosed?: () => void;
}

/** An open session with one server, as the gateway sees it: at the socket, over HTTP, or of a collection. */
export interface LiveSession {
  readonly connection: Pick<AppConnection, 'hangUp'>;
  readonly session: Pick<Session, 'isIdle' | 'isStale' | 'catchUp' | 'close'>;
  readonly server: ServedServer;
  readonly app: AppRecord | undefined;
  /** Access that the app needs: the server's id, or a collection. */
  readonly access: string;
  readonly isOnce: boolean;
  readonly isAtSocket: boolean;
  /** Its app may have left without closing it, so Postern requests only what the app waits for. */
  readonly mayBeAbandoned: boolean;
}

/** A session as its app sees it. */
export interface AppSession extends GatewaySession {
  receive(bytes: Buffer, context?: MessageContext): Promise<void>;
  readonly session: Session;
  /** The cached response to this request, as the app may see it. Never rejects. */
  readonly cached: (request: RequestEnvelope) => Promise<Buffer | undefined>;
  /** Marks the session as used. */
  readonly touch: () => void;
  /** The app has hung up on the request identified by `about`, or has its response. */
  readonly drop: (about: string) => void;
}

/**
 * Opens a session of one app with one server, counted among all sessions and with a connection of its own. `reading`:
 * counts what the app sends. Errors: GATEWAY_BUSY, those of `storedAddress`.
 */
export function openSession(
  ports: OpenSessionPorts,
  server: ServedServer,
  side: AppSide,
  reading: Reservation,
): AppSession {
  const { limiter, liveSessions } = ports;
  const { app, access, isOnce, isAtSocket, hangUp, isByHttp = false, isShared = false } = side;
  const counted: CountedSession = { app: app?.id, ...(side.mayEnd === true && { end: hangUp }) };
  if (!isShared) limiter.enter(counted);
  try {
    const { session, bridge, capabilities, cached } = connect(ports, server, side);
    const view = side.viewAs?.(session) ?? session;
    const mayBeAbandoned = isByHttp && !isShared;
    const open: LiveSession = {
      connection: { hangUp },
      session: view,
      server,
      app,
      access,
      isOnce,
      isAtSocket,
      mayBeAbandoned,
    };
    liveSessions.add(open);
    return {
      reading,
      receive: async (bytes, context) => {
        await surveyInSlices(bytes);
        const isAmbiguous = bridge.isUsed ? undefined : await capabilities.detectAmbiguity(bytes);
        await (bridge.isUsed ? bridge.takeFromApp(bytes) : session.receive(bytes, { ...context, isAmbiguous }));
      },
      refuseLong: (beginning) => (bridge.isUsed ? bridge : session).refuseLong(beginning),
      drain: () => session.drain(),
      get isIdle() {
        return session.isIdle && bridge.isIdle;
      },
      close: async () => {
        if (!liveSessions.delete(open)) return;
        limiter.leave(counted);
        await session.close();
        side.onClosed?.();
      },
      session,
      cached,
      touch: () => limiter.touch(counted),
      drop: (about) => (bridge.isUsed ? bridge : session).drop(about),
    };
  } catch (error) {
    limiter.leave(counted);
    throw error;
  }
}

/** Errors: those of `storedAddress`. */
function connect(shared: OpenSessionPorts, server: ServedServer, side: AppSide) {
  const { app, record, hangUp, isByHttp = false, isShared = false } = side;
  const budget = shared.budget.of(app?.id);
  const admit = (): void => shared.paused().admit(app);
  const refuse = (error: unknown): Refusal => {
    const refusal = server.refuse(app?.name, error);
    side.onRefusal?.(refusal);
    return refusal;
  };
  const { clock } = shared;
  const bridge: Bridge = new Bridge({
    clock,
    budget,
    send: side.send,
    answers: side.answers,
    own: server.own,
    pass: (bytes, isContinuation = false) => session.receive(bytes, { isContinuation }),
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
    listensAtOnce: !isByHttp,
    owner: () => server.catalog.owner,
    take: (message) => session.take(message),
    answers: budget.openSession(),
    hangUp,
    onReconnected: () => void session.announce(),
  });
  const { capabilities, close } = server.tools.open(app, () => void session.notifyToolsChanged());
  // Log each kind once: a server may send as many as it likes.
  const logged = new Set<UnexpectedMessage>();
  const session = new Session({
    clock,
    budget,
    calls: new CallLog(shared, { app: record?.app, server }),
    answers: side.answers,
    admit,
    upstream,
    capabilities,
    isShared,
    send: (message, about, arrival) =>
      bridge.isUsed ? bridge.takeForApp(message) : side.send(message, about, arrival),
    requeue: async (message) => {
      const original = bridge.originalOf(Buffer.from(message));
      if (original) await side.requeue(original);
    },
    tryBridge: (initialize, isKnown) => (isKnown === 'refused' || server.isStatelessOnly) && bridge.begin(initialize),
    onClosed: () => {
      bridge.close();
      close();
    },
    catalog: server.catalog,
    judge: (error) => server.judge(error),
    refuse,
    headersOf: async (request, isAgain, own) =>
      own && !upstream.isSession
        ? { fields: await passedFields({ server, upstream, capabilities }, request, own) }
        : { headers: await headersFor({ server, upstream, isAgain }, request) },
    succeedsAgain: async (request) => (await upstream.ask(server.own.again(request))) !== undefined,
    isSessionServer: () => isSessionProtocol(server.integration.protocol),
    isLocal: server.isLocal,
    isStatelessServer: () => server.integration.protocol === 'stateless',
    onUnexpected: (type) => {
      if (!logged.has(type)) server.logUnexpected(type);
      logged.add(type);
    },
    onUnusable: server.noteUnusable,
    onProtocol: (protocol) => void server.noteProtocol(protocol),
    onTools: (response) => server.learnTools(response),
  });
  /** The cached response to this request, as the app may see it. Never rejects. */
  const cached = async (request: RequestEnvelope): Promise<Buffer | undefined> => {
    const response = await server.catalog.lookUp(request);
    return response && (await capabilities.filterResponse(request, response));
  };
  return { session, bridge, capabilities, cached };
}
