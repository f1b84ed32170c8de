import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { Holding } from '../../holding.ts';
import type { ProgramSession } from '../../gateway-ports.ts';
import { storedAddress } from '../../integration/kept/integration-policy.ts';
import { isOlderEra } from '../server/era-evidence.ts';
import { headersFor } from '../server/headers-for.ts';
import type { Misfit, ServedServer } from '../server/served-server.ts';
import { Bridge } from '../bridge/bridge.ts';
import type { BridgePorts } from '../bridge/bridge.ts';
import type { Refusal } from '../answers/answers.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';
import { Session } from './session.ts';
import type { SessionPorts } from './session-ports.ts';
import { Upstream, type UpstreamOptions } from '../server/upstream.ts';
import { SessionBuffer } from '../limits/session-buffer.ts';

/** A session, and what may stand between it and its program. */
export interface OpenedSession {
  readonly session: Session;
  readonly bridge: Bridge;
  /** What the server last answered to such a request, as the program may see it. Never rejects. */
  readonly kept: (request: RequestEnvelope) => Promise<Buffer | undefined>;
}

/** A session of one program with one server, with a connection of its own. Errors: those of `storedAddress`. */
export function openSession(
  server: ServedServer,
  {
    admit,
    program,
    decline,
    onRefusal = () => {},
    ...ports
  }: Pick<SessionPorts, 'budget' | 'calls' | 'clock' | 'giveBack'> &
    Pick<UpstreamOptions, 'admit'> &
    Pick<BridgePorts, 'send'> & {
      readonly program: ProgramRecord | undefined;
      /** A handshake that is not bridged; left out where the server gets it by this session. */
      readonly decline?: () => Promise<void>;
      /** Told of what is said to the program in the server's place. */
      readonly onRefusal?: (refusal: Refusal) => void;
    },
): OpenedSession {
  const refuse = (error: unknown): Refusal => {
    const refusal = server.refuse(program?.name, error);
    onRefusal(refusal);
    return refusal;
  };
  const bridge: Bridge = new Bridge({
    ...ports,
    own: server.own,
    pass: (bytes, isGoingOn) => session.receive(bytes, isGoingOn),
    refuse,
    name: server.integration.alias ?? server.integration.name,
    decline: (initialize) => (decline ? decline() : session.receive(initialize.bytes)),
    onNewerAlone: () => server.noteNewerAlone(),
  });
  const way = server.openWay();
  const upstream: Upstream = new Upstream({
    url: storedAddress(server.integration),
    fetch: way.fetch,
    onClosed: () => way.close(),
    admit,
    own: server.own,
    owner: () => server.catalogue.owner,
    take: (message) => session.take(message),
    buffer: new SessionBuffer(),
    onReconnected: () => void session.announce(),
  });
  const { permits, close } = server.tools.open(program, () => void session.tellToolsChanged());
  // Each kind once: a server may send as many as it likes.
  const misfits = new Set<Misfit>();
  const session = new Session({
    ...ports,
    admit,
    upstream,
    permits,
    send: (message) => (bridge.isUsed ? bridge.takeForProgram(message) : ports.send(message)),
    giveBack: async (message) => {
      const original = bridge.takeBack(Buffer.from(message));
      if (original) await ports.giveBack(original);
    },
    bridges: (initialize, isKnown) => (isKnown === 'refused' || server.isNewerAlone) && bridge.begin(initialize),
    onClosed: () => {
      bridge.close();
      close();
    },
    catalogue: server.catalogue,
    judge: (error) => server.judge(error),
    refuse,
    parameterHeaders: (request, isAgain) => headersFor({ server, upstream, isAgain }, request),
    answersAgain: async (request) => (await upstream.ask(server.own.again(request))) !== undefined,
    isOlder: () => isOlderEra(server.integration.era),
    isLocal: server.isLocal,
    isNewer: () => server.integration.era === 'modern',
    onMisfit: (type) => {
      if (!misfits.has(type)) server.noteMisfit(type);
      misfits.add(type);
    },
    onEra: (era) => void server.noteEra(era),
    onTools: (answer) => server.learnTools(answer),
  });
  const kept = async (request: RequestEnvelope): Promise<Buffer | undefined> => {
    const answer = await server.catalogue.answer(request);
    return answer && (await permits.shown(request, answer));
  };
  return { session, bridge, kept };
}

/** The session as its program's line has it. `close`: never rejects. */
export function asProgramSession(
  { session, bridge }: OpenedSession,
  close: () => Promise<void>,
  reading: Holding,
): ProgramSession {
  return {
    reading,
    receive: (bytes) => (bridge.isUsed ? bridge.takeOfProgram(bytes) : session.receive(bytes)),
    refuseLong: (beginning) => (bridge.isUsed ? bridge : session).refuseLong(beginning),
    rest: () => session.rest(),
    get isIdle() {
      return session.isIdle && bridge.isIdle;
    },
    close,
  };
}
