// What a response reveals about the protocol revision that a server supports.

import { isObject } from '../../../shared/json-object.ts';
import type { ServerProtocol } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { statelessRevision } from '../../oauth/http/mcp-request.ts';
import { rpcCode } from '../responses/responses.ts';
import { isHandshake } from '../messages/catalog.ts';
import { statedRevision } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/** True for the session protocol (`initialize`), over any transport. */
export function isSessionProtocol(protocol: ServerProtocol | undefined): boolean {
  return protocol === 'session' || protocol === 'sse';
}

/** Errors that only servers of 2026-07-28 or later use: -32020 to -32029. */
export function isStatelessError(code: unknown): boolean {
  return typeof code === 'number' && code <= rpcCode.headerMismatch && code > rpcCode.headerMismatch - 10;
}

/** Whether the response to this request can reveal the protocol. Within a session, it is already known. */
export function revealsProtocol({ method, params }: RequestEnvelope): boolean {
  return isHandshake(method) || statedRevision(params) !== undefined;
}

/**
 * Whether `server/discover` has the required metadata (MCP 2026-07-28, request metadata). Servers refuse it without.
 */
export function isCompleteDiscovery({ method, params }: RequestEnvelope): boolean {
  const meta = params['_meta'];
  const isWhole = isObject(meta) && isObject(meta['io.modelcontextprotocol/clientCapabilities']);
  return method === 'server/discover' && isWhole && statedRevision(params) !== undefined;
}

/**
 * Whether an error response to `server/discover` means that the method is unknown, which session servers report in many
 * ways. An internal error proves nothing.
 */
export function meansNoDiscovery(request: RequestEnvelope, code: unknown): boolean {
  if (request.method !== 'server/discover' || isStatelessError(code) || code === rpcCode.internal) return false;
  return code !== rpcCode.wrongParameters || isCompleteDiscovery(request);
}

/**
 * Whether a `server/discover` result lists a stateless revision. Some servers return an arbitrary result for any
 * method.
 */
export function listsStatelessRevision(result: unknown): boolean {
  const versions = isObject(result) ? result['supportedVersions'] : undefined;
  return (
    Array.isArray(versions) && versions.some((version) => typeof version === 'string' && version >= statelessRevision)
  );
}

/** True for a status that reveals nothing about the protocol: sign-in, timeout, rate limit or server error. */
export function isInconclusive(status: number): boolean {
  return [401, 403, 408, 429].includes(status) || status >= 500;
}

/** True for a status about header fields, which the app sets itself over HTTP. */
export function isHeaderError(status: number): boolean {
  return status === 406 || status === 415;
}

/** A session app's handshake was refused by a stateless server. */
export class SessionsUnsupported extends PosternError {
  constructor() {
    super('REVISION_UNSUPPORTED', { stage: 'gateway' });
  }
}
