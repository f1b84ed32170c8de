import type { WireEra } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { modernVersion } from '../../oauth/wire/mcp-request.ts';
import { rpcCode } from '../answers/answers.ts';
import { isHandshake } from '../messages/catalogue.ts';
import { isObject, statedRevision } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/** The wire that begins with `initialize`, over whichever transport. */
export function isOlderEra(era: WireEra | undefined): boolean {
  return era === 'legacy' || era === 'sse';
}

/** Errors that only a server of 2026-07-28 or later knows: -32020 to -32029. */
export function isOfNewerEra(code: unknown): boolean {
  return typeof code === 'number' && code <= rpcCode.headerMismatch && code > rpcCode.headerMismatch - 10;
}

/** Whether an answer to this may say which wire the server speaks: in a session of the older one that is known. */
export function bearsOnEra({ method, params }: RequestEnvelope): boolean {
  return isHandshake(method) || statedRevision(params) !== undefined;
}

/**
 * Whether `server/discover` has what each request of its wire has (MCP 2026-07-28, request metadata): others are
 * refused by any server.
 */
export function isWholeDiscovery({ method, params }: RequestEnvelope): boolean {
  const meta = params['_meta'];
  const isWhole = isObject(meta) && isObject(meta['io.modelcontextprotocol/clientCapabilities']);
  return method === 'server/discover' && isWhole && statedRevision(params) !== undefined;
}

/**
 * Whether an error to `server/discover` says that there is no such method: an older server knows no better word for one
 * that it has never heard of. A server that fails inside says nothing of its wire.
 */
export function saysNoDiscovery(request: RequestEnvelope, code: unknown): boolean {
  if (request.method !== 'server/discover' || isOfNewerEra(code) || code === rpcCode.internal) return false;
  return code !== rpcCode.wrongParameters || isWholeDiscovery(request);
}

/** Whether a result of `server/discover` names the newer wire: what answers anything with anything knows neither. */
export function namesNewerEra(result: unknown): boolean {
  const versions = isObject(result) ? result['supportedVersions'] : undefined;
  return Array.isArray(versions) && versions.some((version) => typeof version === 'string' && version >= modernVersion);
}

/** Whether a refusal with this status is about who asks, or about the moment, and not about the wire. */
export function saysNothingOfEra(status: number): boolean {
  return [401, 403, 408, 429].includes(status) || status >= 500;
}

/** Whether a refusal with this status is about header fields, which by HTTP are the program's own. */
export function isAboutFields(status: number): boolean {
  return status === 406 || status === 415;
}

/** An older program's handshake has failed at a server that knows the newer wire. */
export class OlderRefused extends PosternError {
  constructor() {
    super('ERA_UNSUPPORTED', { stage: 'gateway' });
  }
}
