import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { tooDeep, tooLarge } from './bound-message.ts';
import { PosternError } from '../postern-error.ts';

/**
 * The typed error behind what the MCP library threw. Its own messages hold server text, so only codes and statuses
 * are taken from them. `reported` is what our fetch said last; the library may have wrapped it.
 */
export function readMcpFailure(thrown: unknown, reported: PosternError | undefined, host: string): PosternError {
  if (thrown instanceof PosternError) return thrown;
  if (thrown instanceof ProtocolError) {
    if (thrown.data === tooLarge)
      return new PosternError('RESULT_TOO_LARGE', { stage: 'connection', detail: { host } });
    if (thrown.data === tooDeep) return new PosternError('JSON_DEPTH', { stage: 'connection', detail: { host } });
    return new PosternError('MCP_FAILED', { stage: 'connection', detail: { host, code: thrown.code } });
  }
  if (thrown instanceof SdkHttpError) {
    // The listening stream may have failed by itself before; the status is nearer to what went wrong.
    return reported ?? new PosternError('MCP_FAILED', { stage: 'connection', detail: { host, status: thrown.status } });
  }
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout) {
    // Nearer than whatever happened to other requests in the meantime.
    return new PosternError('DEADLINE', { stage: 'connection', detail: { host } });
  }
  return reported ?? new PosternError('MCP_FAILED', { stage: 'connection', cause: thrown, detail: { host } });
}

/** A JSON-RPC answer that says that the request's parameters are wrong. */
export function isInvalidParams(thrown: unknown): boolean {
  return thrown instanceof ProtocolError && thrown.code === -32_602;
}
