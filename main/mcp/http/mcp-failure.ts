import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { noMcp } from '../../oauth/discovery/no-mcp.ts';
import { PosternError } from '../../postern-error.ts';
import { FailedCall } from './failed-call.ts';

/** What an MCP operation failed with. `status`: of the answer, where that is all that there was to it. */
export interface McpFailure {
  readonly error: PosternError;
  readonly status?: number;
}

/**
 * The typed error behind what the MCP library threw. Its own messages hold server text, so only codes and statuses
 * are taken from them.
 */
export function readMcpFailure(thrown: unknown, host: string): McpFailure {
  const failed = (code: ErrorCode, detail = {}, cause?: unknown): McpFailure => ({
    error: new PosternError(code, { stage: 'connection', cause, detail: { host, ...detail } }),
  });
  if (thrown instanceof PosternError) return { error: thrown };
  if (thrown instanceof ProtocolError) return failed('MCP_FAILED', { code: thrown.code });
  if (thrown instanceof SdkHttpError) {
    const { status } = thrown;
    return status === undefined ? failed('MCP_FAILED') : { error: noMcp('connection', { host, status }), status };
  }
  if (isTimeout(thrown)) return failed('DEADLINE');
  return failed('MCP_FAILED', {}, thrown);
}

/** Runs one call: what the server answers with an error is a `FailedCall`. Errors besides: as the library throws them. */
export async function oneCall<Result>(host: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new FailedCall('MCP_FAILED', { stage: 'connection', detail: { host, code: error.code } });
  }
}

/** Whether something is wrong with the connection itself: no answer came that is one of MCP. */
export function isOfConnection(thrown: unknown): boolean {
  return thrown instanceof SdkError;
}

/** A JSON-RPC answer that says that the request's parameters are wrong. */
export function isInvalidParams(thrown: unknown): boolean {
  return thrown instanceof ProtocolError && thrown.code === -32_602;
}

/** A JSON-RPC answer that says that the server has no such method. */
export function isUnknownMethod(thrown: unknown): boolean {
  return thrown instanceof ProtocolError && thrown.code === -32_601;
}

/** Whether the library has waited for an answer in vain. */
export function isTimeout(thrown: unknown): boolean {
  return thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout;
}

/** A JSON-RPC error of the server. */
export function isProtocolError(thrown: unknown): boolean {
  return thrown instanceof ProtocolError;
}
