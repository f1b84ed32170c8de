import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import { surveyJson } from '../../mcp/messages/survey-json.ts';
import type { JsonObject, Unusable } from '../messages/envelope.ts';
import type { NextStep } from './next-step.ts';

/** JSON-RPC 2.0 section 5.1, and codes that MCP adds. */
export const rpcCode = {
  notJson: -32_700,
  notARequest: -32_600,
  unknownMethod: -32_601,
  wrongParameters: -32_602,
  internal: -32_603,
  /** MCP 2025-11-25, resources, error handling. */
  unknownResource: -32_002,
  implementation: -32_000,
  /** MCP 2026-07-28, streamable HTTP: arguments have to be repeated in header fields. */
  headerMismatch: -32_020,
  /** The same, versioning. */
  unknownRevision: -32_022,
} as const;

/** What Postern says in the place of a server: a sentence and what helps, never a word of a server. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly stage: Stage;
  readonly message: string;
  readonly nextStep: NextStep;
}

/**
 * The answer to a request that cannot be passed on. A call of a tool gets a result that the model reads
 * (MCP 2025-11-25, tools, error handling); anything else an error.
 */
export function refusalOf(id: string, method: string, refusal: Refusal): string {
  const { code, stage, message, nextStep } = refusal;
  if (method !== 'tools/call') {
    // Where the first request fails, programs show a person nothing but the message.
    const sentence = method === 'initialize' ? `${message} ${nextStep.text}` : message;
    return errorText(id, rpcCode.implementation, sentence, { code, nextStep: nextStep.text });
  }
  const text = `${message} ${nextStep.text}${nextStep.callAgain ? ' Then call the tool again.' : ''}`;
  return resultText(id, {
    // Required since 2026-07-28; for older programs one member more.
    resultType: 'complete',
    content: [{ type: 'text', text }],
    isError: true,
    _meta: { 'dev.postern/error': { code, stage } },
  });
}

/** `id`: as JSON text; `undefined` where none could be read. */
export function errorText(id: string | undefined, code: number, message: string, data?: JsonObject): string {
  const error = JSON.stringify({ code, message, ...(data && { data }) });
  return `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${error}}`;
}

/** The answer to a message of which only the start is known. */
export function tooLongText(beginning: Buffer): string {
  const { id } = surveyJson(beginning);
  const message = 'This message is longer than Postern takes.';
  return errorText(id, rpcCode.notARequest, message, { code: 'BODY_TOO_LARGE' });
}

/** The answer to a message that servers may read in more than one way, where it matters what is called. */
export function ambiguousText(id: string): string {
  return errorText(
    id,
    rpcCode.notARequest,
    'A member of this message stands in it twice, or is not spelled as MCP spells it.',
  );
}

/** Why a request is not taken: another one has its id. */
export const underWay = 'A request with this id is under way.';

/** Why a request does not wait here. */
export const tooMany = 'Too many requests wait here.';

/** The answer to a request behind which too many wait. */
export function tooManyText(id: string): string {
  return errorText(id, rpcCode.implementation, tooMany);
}

/** `id`: as JSON text. */
export function resultText(id: string, result: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`;
}

export function notificationText(method: string, params?: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) });
}

const unusable: Readonly<Record<Unusable, readonly [code: number, message: string, name?: ErrorCode]>> = {
  'not-json': [rpcCode.notJson, 'This is not JSON.'],
  'not-a-message': [rpcCode.notARequest, 'This is not a message of JSON-RPC 2.0.'],
  batch: [rpcCode.notARequest, 'Messages have to be sent one by one.'],
  'too-deep': [rpcCode.notARequest, 'This message is nested too deeply.', 'JSON_DEPTH'],
  'too-many-values': [rpcCode.notARequest, 'This message has too many values.', 'BODY_TOO_LARGE'],
};

/** The answer to what a program sends and is no message. */
export function unusableText(id: string | undefined, reason: Unusable): string {
  const [code, message, name] = unusable[reason];
  return errorText(id, code, message, name && { code: name });
}
