import { useNewTransport } from '../../../shared/error-catalogue/connection-errors.ts';
import { PosternError } from '../../postern-error.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import type { Clock } from '../../ports.ts';
import { readProbeAnswer } from './probe-body.ts';

/** Whether the answer to a GET is the stream of HTTP+SSE (MCP 2024-11-05), which begins with its `endpoint` event. */
export async function opensOldTransport(response: Response, clock: Clock): Promise<boolean> {
  const { kind } = await readProbeAnswer(response, clock);
  return response.ok && kind === 'old-transport';
}

/** The server speaks what Postern does not: nothing can be done there, now or later. */
export class OldTransport extends PosternError {}

/** The error for such a server, with the address at which servers that speak both have the newer transport. */
export function oldTransport(server: URL, stage: Stage = 'probe'): OldTransport {
  const path = server.pathname.replace(/\/sse\/?$/u, '/mcp');
  const newer = path !== server.pathname && server.search === '' ? new URL(path, server).href : undefined;
  return new OldTransport('OLD_TRANSPORT', { stage, detail: { host: server.host }, remedy: useNewTransport(newer) });
}
