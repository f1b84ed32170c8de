import type { ProgramRecord } from '../../../shared/program-record.ts';
import type { ProgramSession } from '../../gateway-ports.ts';
import { storedAddress } from '../../integration/kept/integration-policy.ts';
import { isOlderEra } from '../server/era-evidence.ts';
import { headersFor } from '../server/headers-for.ts';
import type { Misfit, ServedServer } from '../server/served-server.ts';
import { Session } from './session.ts';
import { SessionBuffer } from '../limits/session-buffer.ts';
import type { SessionPorts } from './session-ports.ts';
import { Upstream, type UpstreamOptions } from '../server/upstream.ts';

/** A session of one program with one server, with a connection of its own. Errors: those of `storedAddress`. */
export function openSession(
  server: ServedServer,
  {
    admit,
    program,
    ...ports
  }: Pick<SessionPorts, 'calls' | 'clock' | 'send' | 'giveBack'> &
    Pick<UpstreamOptions, 'admit'> & { readonly program: ProgramRecord | undefined },
): Session {
  const way = server.openWay();
  const upstream: Upstream = new Upstream({
    url: storedAddress(server.integration),
    fetch: way.fetch,
    onClosed: () => way.close(),
    admit,
    own: server.own,
    take: (message) => session.take(message),
    buffer: new SessionBuffer(),
    onReconnected: () => void session.announce(),
  });
  const { permits, close } = server.tools.open(program, () => void session.tellToolsChanged());
  // Each kind once: a server may send as many as it likes.
  const misfits = new Set<Misfit>();
  const session = new Session({
    ...ports,
    upstream,
    permits,
    onClosed: close,
    catalogue: server.catalogue,
    judge: (error) => server.judge(error),
    refuse: (error) => server.refuse(program?.name, error),
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
    onTools: (result) => server.learnTools(result),
  });
  return session;
}

/** The session as its program's line has it. `close`: never rejects. */
export function asProgramSession(session: Session, close: () => Promise<void>): ProgramSession {
  return {
    receive: (bytes) => session.receive(bytes),
    refuseLong: (beginning) => session.refuseLong(beginning),
    rest: () => session.rest(),
    get isIdle() {
      return session.isIdle;
    },
    close,
  };
}
