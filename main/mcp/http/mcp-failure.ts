import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { WrongResponseKind } from '../../../shared/error-catalog/connection-errors.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { FailedCall, ServerError } from '../../errors/request-error.ts';
import { refusalSubject, errorMessage, serverWords } from '../../server-words.ts';
import { notMcpError } from '../../oauth/discovery/discovery.ts';
import { refusedResponseError } from './refused-response.ts';
import type { RefusedResponse, RevisionMismatch } from './refused-response.ts';

/** An invalid response of an MCP server. The message is never shown. */
export class InvalidResponse extends SdkError {
  readonly fault: { readonly kind: WrongResponseKind } | RevisionMismatch;
  readonly status: number;

  constructor(fault: InvalidResponse['fault'], status: number) {
    super(SdkErrorCode.InvalidResult, fault.kind);
    this.fault = fault;
    this.status = status;
  }
}

/** Why an MCP operation failed. `status`: of the response, if it consisted of nothing else. */
export interface McpFailure {
  readonly error: PosternError;
  readonly status?: number;
}

/**
 * Maps an error of the MCP library to ours. The library's messages contain server text, so only codes and statuses are
 * taken from them.
 */
export function readMcpFailure(thrown: unknown, host: string): McpFailure {
  const toFailure = (code: ErrorCode, detail = {}, cause?: unknown): McpFailure => ({
    error: new PosternError(code, { stage: 'connection', cause, detail: { host, ...detail } }),
  });
  if (thrown instanceof PosternError) return { error: thrown };
  if (thrown instanceof ProtocolError)
    return { error: new ServerError(codeFor(thrown), serverErrorOptions(thrown, host)) };
  if (thrown instanceof InvalidResponse) {
    const { status, fault } = thrown;
    return { error: notMcpError('connection', { host, status, ...fault }) };
  }
  if (thrown instanceof SdkHttpError) {
    const refused = toRefusedResponse(thrown, host);
    return refused ? { error: refusedResponseError(refused, false), status: refused.status } : toFailure('MCP_FAILED');
  }
  if (isTimeout(thrown)) return toFailure('DEADLINE');
  return toFailure('MCP_FAILED', {}, thrown);
}

function toRefusedResponse({ status, data }: SdkHttpError, host: string): RefusedResponse | undefined {
  return status === undefined
    ? undefined
    : { host, status, type: String(data['type']), body: Buffer.from(String(data['text'])) };
}

/** Runs one call: an error response becomes a `FailedCall`. Other errors: as the library throws them. */
export async function runCall<Result>(host: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (isProtocolError(error)) throw toFailedCall(error, host);
    const refused = error instanceof SdkHttpError ? toRefusedResponse(error, host) : undefined;
    const failure = refused && refusedResponseError(refused, true);
    throw failure instanceof FailedCall && refusalSubject(failure.words) === 'request' ? failure : error;
  }
}

/** A call that got an error response; `code`: overrides the mapping from the JSON-RPC code. */
export function toFailedCall(thrown: ProtocolError, host: string, code: ErrorCode = codeFor(thrown)): FailedCall {
  return new FailedCall(code, serverErrorOptions(thrown, host));
}

/** JSON-RPC 2.0 section 5.1; other codes have no meaning that all servers share. */
function codeFor({ code }: ProtocolError): ErrorCode {
  if (code === -32_601) return 'METHOD_UNSUPPORTED';
  return code === -32_602 ? 'INPUT_REFUSED' : 'SERVER_ERROR';
}

function serverErrorOptions(thrown: ProtocolError, host: string) {
  return {
    stage: 'connection',
    detail: { host },
    words: serverWords({ code: thrown.code, message: errorMessage(thrown) }),
  } as const;
}

/** Codes for an unknown name: the Python library sends 0 for every error. */
const unknownNameCodes: ReadonlySet<number> = new Set([-32_602, -32_601, -32_002, 0]);

/** A JSON-RPC error that may mean the requested name is unknown. */
export function mayBeUnknownName(thrown: unknown): thrown is ProtocolError {
  return thrown instanceof ProtocolError && unknownNameCodes.has(thrown.code);
}

/** The resource does not exist (MCP 2025-11-25, resources; MCP 2026-07-28 uses the invalid-params code). */
export function isUnknownResource(thrown: unknown): thrown is ProtocolError {
  return thrown instanceof ProtocolError && (thrown.code === -32_002 || thrown.code === -32_602);
}

/** Whether the connection itself failed: no valid MCP response arrived. */
export function isConnectionError(thrown: unknown): boolean {
  return thrown instanceof SdkError;
}

/** A JSON-RPC error: the server has no such method. */
export function isUnknownMethod(thrown: unknown): boolean {
  return thrown instanceof ProtocolError && thrown.code === -32_601;
}

/** Whether the library timed out waiting for a response. */
export function isTimeout(thrown: unknown): boolean {
  return thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout;
}

export function isProtocolError(thrown: unknown): thrown is ProtocolError {
  return thrown instanceof ProtocolError;
}
