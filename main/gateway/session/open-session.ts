import type { ProgramRecord } from '../../../shared/program-record.ts';
import { storedAddress } from '../../engine/kept/integration-policy.ts';
import type { Holding, ProgramLine, ProgramSession } from '../../gateway-ports.ts';
import { surveyInTurn } from '../../mcp/messages/survey-json.ts';
import type { Clock } from '../../ports.ts';
import type { Refusal, SendAbout } from '../answers/answers.ts';
import { CallLog } from '../answers/call-log.ts';
import type { CallLogPorts } from '../answers/call-log.ts';
import { Bridge } from '../bridge/bridge.ts';
import type { MessageBudget } from '../limits/message-budget.ts';
import type { OpenOne, SessionRoom } from '../limits/session-room.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import type { PausedPrograms } from '../permissions/program-access.ts';
import { headersFor, passedFields } from '../server/headers-for.ts';
import { isOlderEra } from '../server/revision-evidence.ts';
import type { Misfit, ServedServer } from '../server/served-server.ts';
import { Upstream } from '../server/upstream.ts';
import type { Coming } from './pending-requests.ts';
import type { SessionPorts } from './session-ports.ts';
import { Session } from './session.ts';

/** What all sessions have in common. */
export interface OpenSessionPorts extends CallLogPorts {
  readonly clock: Clock;
  readonly room: SessionRoom;
  readonly budget: MessageBudget;
  readonly paused: () => PausedPrograms;
  /** Told of each session, until it is closed. */
  readonly lines: Set<OpenLine>;
}

/** The app that a session is of, and the way to it. */
export interface AppSide extends Pick<SessionPorts, 'answers' | 'giveBack'>, Pick<ProgramLine, 'hangUp'> {
  /** As it was let in. */
  readonly program: ProgramRecord | undefined;
  /** As it is known, whether it was let in for that or not. */
  readonly record: ProgramRecord | undefined;
  /** What the app has to be allowed: the server by its id, or a collection. */
  readonly right: string;
  readonly isOnce: boolean;
  readonly isAtSocket: boolean;
  readonly send: SendAbout;
  /** What the server sends by itself is fetched once the app listens. */
  readonly isByHttp?: boolean;
  /** Several processes of the app have it as one. It takes no place among sessions: what has none is always there. */
  readonly isShared?: boolean;
  /** It ends where others need its place. */
  readonly mayEnd?: boolean;
  /** Told of what is said to the program in the server's place. */
  readonly onRefusal?: (refusal: Refusal) => void;
  /** How the gateway sees it; left out: as it is. */
  readonly seenAs?: (session: Session) => OpenLine['session'];
  readonly onClosed?: () => void;
}

/** A session of one program with one server, as the gateway has it: at the socket, or that of a collection. */
export interface OpenLine {
  readonly line: Pick<ProgramLine, 'hangUp'>;
  readonly session: Pick<Session, 'isIdle' | 'isBehind' | 'catchUp' | 'close'>;
  readonly server: ServedServer;
  readonly program: ProgramRecord | undefined;
  /** What the program has to be allowed: the server by its id, or a collection. */
  readonly right: string;
  readonly isOnce: boolean;
  readonly isAtSocket: boolean;
  /** Its app may have left without a word: it is not asked anything for which nobody waits. */
  readonly mayBeLeft: boolean;
}

/** A session as its app has it. */
export interface AppSession extends ProgramSession {
  receive(bytes: Buffer, coming?: Coming): Promise<void>;
  readonly session: Session;
  /** What the server last answered to such a request, as the program may see it. Never rejects. */
  readonly kept: (request: RequestEnvelope) => Promise<Buffer | undefined>;
  /** It is used. */
  readonly touch: () => void;
  /** The app has hung up on what is known by this, or has its answer. */
  readonly drop: (about: string) => void;
}

/**
 * Opens a session of one program with one server, with a place among all sessions and a connection of its own.
 * `reading`: of what the app sends. Errors: GATEWAY_BUSY, those of `storedAddress`.
 */
export function openSession(ports: OpenSessionPorts, server: ServedServer, app: AppSide, reading: Holding): AppSession {
  const { room, lines } = ports;
  const { program, right, isOnce, isAtSocket, hangUp, isByHttp = false, isShared = false } = app;
  const place: OpenOne = { program: program?.id, ...(app.mayEnd === true && { end: hangUp }) };
  if (!isShared) room.enter(place);
  try {
    const { session, bridge, permits, kept } = connect(ports, server, app);
    const seen = app.seenAs?.(session) ?? session;
    const mayBeLeft = isByHttp && !isShared;
    const open: OpenLine = { line: { hangUp }, session: seen, server, program, right, isOnce, isAtSocket, mayBeLeft };
    lines.add(open);
    return {
      reading,
      receive: async (bytes, coming) => {
        await surveyInTurn(bytes);
        const isAmbiguous = bridge.isUsed ? undefined : await permits.judgeInTurn(bytes);
        await (bridge.isUsed ? bridge.takeOfProgram(bytes) : session.receive(bytes, { ...coming, isAmbiguous }));
      },
      refuseLong: (beginning) => (bridge.isUsed ? bridge : session).refuseLong(beginning),
      rest: () => session.rest(),
      get isIdle() {
        return session.isIdle && bridge.isIdle;
      },
      close: async () => {
        if (!lines.delete(open)) return;
        room.leave(place);
        await session.close();
        app.onClosed?.();
      },
      session,
      kept,
      touch: () => room.touch(place),
      drop: (about) => (bridge.isUsed ? bridge : session).drop(about),
    };
  } catch (error) {
    room.leave(place);
    throw error;
  }
}

/** Errors: those of `storedAddress`. */
function connect(shared: OpenSessionPorts, server: ServedServer, app: AppSide) {
  const { program, record, hangUp, isByHttp = false, isShared = false } = app;
  const budget = shared.budget.of(program?.id);
  const admit = (): void => shared.paused().admit(program);
  const refuse = (error: unknown): Refusal => {
    const refusal = server.refuse(program?.name, error);
    app.onRefusal?.(refusal);
    return refusal;
  };
  const { clock } = shared;
  const bridge: Bridge = new Bridge({
    clock,
    budget,
    send: app.send,
    answers: app.answers,
    own: server.own,
    pass: (bytes, isGoingOn = false) => session.receive(bytes, { isGoingOn }),
    refuse,
    name: server.integration.alias ?? server.integration.name,
    decline: (initialize) => session.receive(initialize.bytes),
    onNewerAlone: () => server.noteNewerAlone(),
  });
  const way = server.openWay();
  const upstream: Upstream = new Upstream({
    url: storedAddress(server.integration),
    fetch: way.fetch,
    onClosed: () => way.close(),
    admit,
    own: server.own,
    isLocal: server.isLocal,
    listensAtOnce: !isByHttp,
    owner: () => server.catalogue.owner,
    take: (message) => session.take(message),
    answers: budget.openSession(),
    hangUp,
    onReconnected: () => void session.announce(),
  });
  const { permits, close } = server.tools.open(program, () => void session.tellToolsChanged());
  // Each kind once: a server may send as many as it likes.
  const misfits = new Set<Misfit>();
  const session = new Session({
    clock,
    budget,
    calls: new CallLog(shared, { program: record?.program, server }),
    answers: app.answers,
    admit,
    upstream,
    permits,
    isShared,
    send: (message, about, arrival) =>
      bridge.isUsed ? bridge.takeForProgram(message) : app.send(message, about, arrival),
    giveBack: async (message) => {
      const original = bridge.takeBack(Buffer.from(message));
      if (original) await app.giveBack(original);
    },
    bridges: (initialize, isKnown) => (isKnown === 'refused' || server.isNewerAlone) && bridge.begin(initialize),
    onClosed: () => {
      bridge.close();
      close();
    },
    catalogue: server.catalogue,
    judge: (error) => server.judge(error),
    refuse,
    headersOf: async (request, isAgain, own) =>
      own && !upstream.isOlder
        ? { fields: await passedFields({ server, upstream, permits }, request, own) }
        : { headers: await headersFor({ server, upstream, isAgain }, request) },
    answersAgain: async (request) => (await upstream.ask(server.own.again(request))) !== undefined,
    isOlder: () => isOlderEra(server.integration.era),
    isLocal: server.isLocal,
    isNewer: () => server.integration.era === 'modern',
    onMisfit: (type) => {
      if (!misfits.has(type)) server.noteMisfit(type);
      misfits.add(type);
    },
    onUnusable: server.noteUnusable,
    onEra: (era) => void server.noteEra(era),
    onTools: (answer) => server.learnTools(answer),
  });
  /** What the server last answered to such a request, as the program may see it. Never rejects. */
  const kept = async (request: RequestEnvelope): Promise<Buffer | undefined> => {
    const answer = await server.catalogue.answer(request);
    return answer && (await permits.shown(request, answer));
  };
  return { session, bridge, permits, kept };
}
