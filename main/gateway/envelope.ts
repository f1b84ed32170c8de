import { gatewayMessage, mcpDepth } from '../limits.ts';
import { surveyJson } from '../mcp/survey-json.ts';

/** Any JSON object; nothing of it has been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A message of JSON-RPC 2.0 as the text that came, with as much of it as is needed to pass it on. */
export type Envelope =
  | {
      readonly kind: 'request';
      /** The id as it is written; numbers may have more digits than JavaScript keeps. */
      readonly id: string;
      readonly idAt: { readonly start: number; readonly end: number };
      readonly method: string;
      readonly params: JsonObject;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject; readonly bytes: Buffer }
  | {
      readonly kind: 'answer';
      readonly id: string;
      readonly idAt: { readonly start: number; readonly end: number };
      readonly message: JsonObject;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'unusable'; readonly reason: Unusable; readonly id: string | undefined };

/** Why a message is not passed on. `batch`: an array, which no revision in use has. */
export type Unusable = 'not-json' | 'not-a-message' | 'batch' | 'too-deep' | 'too-many-values';

export type RequestEnvelope = Extract<Envelope, { kind: 'request' }>;
export type AnswerEnvelope = Extract<Envelope, { kind: 'answer' }>;

/** Reads one message without changing a byte of it (JSON-RPC 2.0 sections 4 and 5). */
export function readEnvelope(bytes: Buffer): Envelope {
  const { nodes, depth, id, idAt, hasMethod } = surveyJson(bytes);
  const unusable = (reason: Unusable): Envelope => ({ kind: 'unusable', reason, id: id === 'null' ? undefined : id });
  // Before anything is built of it.
  if (depth > mcpDepth) return unusable('too-deep');
  if (nodes > gatewayMessage.nodes) return unusable('too-many-values');
  let message: unknown;
  try {
    message = JSON.parse(bytes.toString('utf8'));
  } catch {
    return unusable('not-json');
  }
  if (Array.isArray(message)) return unusable('batch');
  if (!isObject(message)) return unusable('not-a-message');
  const { method } = message;
  const params = isObject(message['params']) ? message['params'] : {};
  if (hasMethod) {
    if (typeof method !== 'string') return unusable('not-a-message');
    if (!('id' in message)) return { kind: 'notification', method, params, bytes };
    if (id === undefined || idAt === undefined || !isId(message['id'])) return unusable('not-a-message');
    return { kind: 'request', id, idAt, method, params, bytes };
  }
  const isAnswer = 'result' in message || 'error' in message;
  if (!isAnswer || id === undefined || idAt === undefined) return unusable('not-a-message');
  return { kind: 'answer', id, idAt, message, bytes };
}

/** The revision that a request of the stateless wire names (MCP 2026-07-28, request metadata). */
export function claimedRevision({ _meta }: JsonObject): string | undefined {
  const version = isObject(_meta) ? _meta['io.modelcontextprotocol/protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** Whether it begins a session; the stateless wire has no such method. */
export function beginsSession({ method, params }: RequestEnvelope): boolean {
  return method === 'initialize' && claimedRevision(params) === undefined;
}

/** The same text with another id. */
export function withId({ bytes, idAt }: RequestEnvelope | AnswerEnvelope, id: string): Buffer {
  return Buffer.concat([bytes.subarray(0, idAt.start), Buffer.from(id), bytes.subarray(idAt.end)]);
}

/** The same id, whichever way it is written: some servers answer `"1"` to 1. */
export function idKey(id: string): string {
  if (!id.startsWith('"')) return id;
  try {
    return String(JSON.parse(id));
  } catch {
    return id;
  }
}

/** On one line, for a way that ends messages with one; a line end within JSON stands between values only. */
export function onOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(lineFeed) && !bytes.includes(carriageReturn)) return bytes;
  return Buffer.from(bytes.map((byte) => (byte === lineFeed || byte === carriageReturn ? space : byte)));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

const [lineFeed, carriageReturn, space] = [0x0a, 0x0d, 0x20];
