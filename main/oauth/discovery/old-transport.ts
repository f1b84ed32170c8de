import { useNewTransport } from '../../../shared/error-catalogue/connection-errors.ts';
import { PosternError } from '../../postern-error.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import { atSameOrigin } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import type { Clock } from '../../ports.ts';
import { readProbeAnswer } from './probe-body.ts';

/** Answers to a POST after which a client may look for the old transport (MCP 2025-11-25, backwards compatibility). */
export const refusalsOfPost: ReadonlySet<number> = new Set([400, 404, 405]);

/** Whether the answer to a GET is the stream of HTTP+SSE (MCP 2024-11-05), which begins with its `endpoint` event. */
export async function opensOldTransport(response: Response, clock: Clock): Promise<boolean> {
  const { kind } = await readProbeAnswer(response, clock);
  return response.ok && kind === 'old-transport';
}

/** The server shows the old transport where it may not be used: it has spoken the newer one. */
export class OldTransport extends PosternError {}

/** The error for such a server, with the address at which servers that speak both have the newer transport. */
export function oldTransport(server: CheckedAddress, stage: Stage = 'probe'): OldTransport {
  const { host } = new URL(server);
  return new OldTransport('OLD_TRANSPORT', { stage, detail: { host }, remedy: useNewTransport(newerAddress(server)) });
}

/** Where a server that has the old transport at this address has the newer one, by custom. */
export function newerAddress(server: CheckedAddress): CheckedAddress | undefined {
  const { pathname, search } = new URL(server);
  const path = pathname.replace(/\/sse\/?$/u, '/mcp');
  return path === pathname || search !== '' ? undefined : atSameOrigin(server, path);
}
