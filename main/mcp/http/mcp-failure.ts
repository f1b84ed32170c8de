import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { WrongAnswerKind } from '../../../shared/error-catalogue/connection-errors.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { FailedCall, ServerError, serverWords, subjectOf, wordsOfError } from '../../errors/request-error.ts';
import { noMcp } from '../../oauth/discovery/discovery.ts';
import { refusedAnswer } from './refused-answer.ts';
import type { RefusedAnswer, WrongRevision } from './refused-answer.ts';

/** An answer of an MCP server, and not as one should be. The text is for nobody. */
export class WrongAnswer extends SdkError {
  readonly wrong: { readonly kind: WrongAnswerKind } | WrongRevision;
  readonly status: number;

  constructor(wrong: WrongAnswer['wrong'], status: number) {
    super(SdkErrorCode.InvalidResult, wrong.kind);
    this.wrong = wrong;
    this.status = status;
  }
}

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
  if (thrown instanceof ProtocolError) return { error: new ServerError(codeFor(thrown), serverSaid(thrown, host)) };
  if (thrown instanceof WrongAnswer) {
    const { status, wrong } = thrown;
    return { error: noMcp('connection', { host, status, ...wrong }) };
  }
  if (thrown instanceof SdkHttpError) {
    const refused = refusedIn(thrown, host);
    return refused ? { error: refusedAnswer(refused, false), status: refused.status } : failed('MCP_FAILED');
  }
  if (isTimeout(thrown)) return failed('DEADLINE');
  return failed('MCP_FAILED', {}, thrown);
}

function refusedIn({ status, data }: SdkHttpError, host: string): RefusedAnswer | undefined {
  return status === undefined
    ? undefined
    : { host, status, type: String(data['type']), body: Buffer.from(String(data['text'])) };
}

/** Runs one call: what the server answers with an error is a `FailedCall`. Errors besides: as the library throws them. */
export async function oneCall<Result>(host: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (isProtocolError(error)) throw failedCall(error, host);
    const refused = error instanceof SdkHttpError ? refusedIn(error, host) : undefined;
    const failure = refused && refusedAnswer(refused, true);
    throw failure instanceof FailedCall && subjectOf(failure.words) === 'request' ? failure : error;
  }
}

/** A call that the server has answered with an error; `code`: what is known of it beside the number. */
export function failedCall(thrown: ProtocolError, host: string, code: ErrorCode = codeFor(thrown)): FailedCall {
  return new FailedCall(code, serverSaid(thrown, host));
}

/** JSON-RPC 2.0 section 5.1; whatever else a server sends has no meaning that all servers share. */
function codeFor({ code }: ProtocolError): ErrorCode {
  if (code === -32_601) return 'METHOD_UNSUPPORTED';
  return code === -32_602 ? 'INPUT_REFUSED' : 'SERVER_ERROR';
}

function serverSaid(thrown: ProtocolError, host: string) {
  return {
    stage: 'connection',
    detail: { host },
    words: serverWords({ code: thrown.code, message: wordsOfError(thrown) }),
  } as const;
}

/** Codes with which servers answer a name that they do not know: 0 is what the Python library sends for any error. */
const ofUnknownName: ReadonlySet<number> = new Set([-32_602, -32_601, -32_002, 0]);

/** A JSON-RPC answer that may say that the server does not know what was asked for by its name. */
export function mayBeUnknownName(thrown: unknown): thrown is ProtocolError {
  return thrown instanceof ProtocolError && ofUnknownName.has(thrown.code);
}

/** That there is no such resource (MCP 2025-11-25, resources; MCP 2026-07-28 has the code of a wrong parameter). */
export function isUnknownResource(thrown: unknown): thrown is ProtocolError {
  return thrown instanceof ProtocolError && (thrown.code === -32_002 || thrown.code === -32_602);
}

/** Whether something is wrong with the connection itself: no answer came that is one of MCP. */
export function isOfConnection(thrown: unknown): boolean {
  return thrown instanceof SdkError;
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
export function isProtocolError(thrown: unknown): thrown is ProtocolError {
  return thrown instanceof ProtocolError;
}
