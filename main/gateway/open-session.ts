import type { Send } from '../gateway-ports.ts';
import { storedAddress } from '../integration/kept/integration-policy.ts';
import type { Clock } from '../ports.ts';
import type { CallLog } from './call-log.ts';
import { headersFor } from './headers-for.ts';
import { judgeFailure } from './judge-failure.ts';
import type { ServedServer } from './served-server.ts';
import { Session } from './session.ts';
import { SessionBuffer } from './session-buffer.ts';
import { Upstream } from './upstream.ts';

/** A session of one program with one server, with a connection of its own. Errors: those of `storedAddress`. */
export function openSession(
  server: ServedServer,
  { calls, clock, send }: { readonly calls: CallLog; readonly clock: Pick<Clock, 'after'>; readonly send: Send },
): Session {
  const upstream: Upstream = new Upstream({
    url: storedAddress(server.integration),
    fetch: server.openFetch(),
    admit: server.admit,
    take: (message) => session.take(message),
    buffer: new SessionBuffer(),
    onReconnected: () => void session.announce(),
  });
  const session = new Session({
    clock,
    upstream,
    catalogue: server.catalogue,
    calls,
    send,
    judge: (error) => judgeFailure(server.integration, error),
    parameterHeaders: (request, isAgain) => headersFor({ server, upstream, isAgain }, request),
    isOlder: () => server.integration.era === 'legacy',
    isNewer: () => server.integration.era === 'modern',
    onEra: (era) => void server.noteEra(era),
    onTools: (result) => server.parameters.learn(result),
  });
  return session;
}
