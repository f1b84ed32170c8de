import type { ServerProtocol } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { statelessRevision } from '../../oauth/http/mcp-request.ts';
import { rpcCode } from '../responses/responses.ts';
import { isHandshake } from '../messages/catalog.ts';
import { isObject, statedRevision } from '../messages/envelope.ts';
import type { RequestEnvelope } from '../messages/envelope.ts';

/** The form with `initialize`, over any transport. */
export function isSessionProtocol(protocol: ServerProtocol | undefined): boolean {
  return protocol === 'session' || protocol === 'sse';
}

/** Errors that only servers of 2026-07-28 or later use: -32020 to -32029. */
export function isStatelessError(code: unknown): boolean {
  return typeof code === 'number' && code <= rpcCode.headerMismatch && code > rpcCode.headerMismatch - 10;
}

/** Whether the response can tell which protocol form the server uses; within a session, that is known. */
export function revealsProtocol({ method, params }: RequestEnvelope): boolean {
  return isHandshake(method) || statedRevision(params) !== undefined;
}

/**
 * Whether `server/discover` has what each stateless request needs (MCP 2026-07-28, request metadata). Any server
 * refuses one without.
 */
export function isWholeDiscovery({ method, params }: RequestEnvelope): boolean {
  const meta = params['_meta'];
  const isWhole = isObject(meta) && isObject(meta['io.modelcontextprotocol/clientCapabilities']);
  return method === 'server/discover' && isWhole && statedRevision(params) !== undefined;
}

/**
 * Whether an error to `server/discover` means that the method is unknown, which older servers may report in many ways.
 * An internal error tells nothing about the protocol form.
 */
export function saysNoDiscovery(request: RequestEnvelope, code: unknown): boolean {
  if (request.method !== 'server/discover' || isStatelessError(code) || code === rpcCode.internal) return false;
  return code !== rpcCode.wrongParameters || isWholeDiscovery(request);
}

/**
 * Whether a result of `server/discover` names a stateless version. A server that answers any method with anything knows
 * neither form.
 */
export function listsStatelessRevision(result: unknown): boolean {
  const versions = isObject(result) ? result['supportedVersions'] : undefined;
  return (
    Array.isArray(versions) && versions.some((version) => typeof version === 'string' && version >= statelessRevision)
  );
}

/** Whether this status is about the caller or the moment, not about the protocol form. */
export function isInconclusive(status: number): boolean {
  return [401, 403, 408, 429].includes(status) || status >= 500;
}

/** Whether this status is about header fields, which over HTTP are the app's own. */
export function isAboutFields(status: number): boolean {
  return status === 406 || status === 415;
}

/** The handshake of an app that needs sessions failed at a stateless server. */
export class SessionFormRefused extends PosternError {
  constructor() {
    super('REVISION_UNSUPPORTED', { stage: 'gateway' });
  }
}
