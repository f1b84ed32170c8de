import { gatewayMessage, mcpDepth } from '../../limits.ts';
import { surveyJson } from '../../mcp/messages/survey-json.ts';
import { parseExactly } from '../../exact-json.ts';

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
      readonly bytes: Buffer;
      readonly hasError: boolean;
      /** Its result says that the tool has failed. */
      readonly isToolError: boolean;
      /**
       * All of it, built when somebody asks: of most answers nobody does, and a large one costs several times its size.
       */
      readonly message: JsonObject;
    }
  | { readonly kind: 'unusable'; readonly reason: Unusable; readonly id: string | undefined };

/** Why a message is not passed on. `batch`: an array, which no revision in use has. */
export type Unusable = 'not-json' | 'not-a-message' | 'batch' | 'too-deep' | 'too-many-values';

export type RequestEnvelope = Extract<Envelope, { kind: 'request' }>;
export type AnswerEnvelope = Extract<Envelope, { kind: 'answer' }>;

/** Reads one message without changing a byte of it (JSON-RPC 2.0 sections 4 and 5). */
export function readEnvelope(bytes: Buffer): Envelope {
  const { isJson, nodes, depth, id, idAt, hasMethod, hasResult, hasError, isToolError } = surveyJson(bytes);
  const unusable = (reason: Unusable): Envelope => ({ kind: 'unusable', reason, id: id === 'null' ? undefined : id });
  // Before anything is built of it.
  if (depth > mcpDepth) return unusable('too-deep');
  if (nodes > gatewayMessage.nodes) return unusable('too-many-values');
  if (!isJson) return unusable('not-json');
  if (!hasMethod) {
    if (isArray(bytes)) return unusable('batch');
    if ((!hasResult && !hasError) || id === undefined || idAt === undefined) return unusable('not-a-message');
    return new Answer(bytes, { id, idAt, hasError, isToolError });
  }
  const message = parse(bytes);
  const { method } = message;
  const params = isObject(message['params']) ? message['params'] : {};
  if (typeof method !== 'string') return unusable('not-a-message');
  if (!('id' in message)) return { kind: 'notification', method, params, bytes };
  if (id === undefined || idAt === undefined || !isId(message['id'])) return unusable('not-a-message');
  return { kind: 'request', id, idAt, method, params, bytes };
}

class Answer {
  readonly kind = 'answer';
  readonly bytes: Buffer;
  readonly id: string;
  readonly idAt: { readonly start: number; readonly end: number };
  readonly hasError: boolean;
  readonly isToolError: boolean;
  #message: JsonObject | undefined;

  constructor(
    bytes: Buffer,
    { id, idAt, hasError, isToolError }: Pick<AnswerEnvelope, 'id' | 'idAt' | 'hasError' | 'isToolError'>,
  ) {
    this.bytes = bytes;
    this.id = id;
    this.idAt = idAt;
    this.hasError = hasError;
    this.isToolError = isToolError;
  }

  get message(): JsonObject {
    return (this.#message ??= parse(this.bytes));
  }
}

function parse(bytes: Buffer): JsonObject {
  return JSON.parse(bytes.toString('utf8')) as JsonObject;
}

/** The revision that a request of the stateless wire names (MCP 2026-07-28, request metadata). */
export function statedRevision({ _meta }: JsonObject): string | undefined {
  const version = isObject(_meta) ? _meta['io.modelcontextprotocol/protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** Whether it begins a session; the stateless wire has no such method. */
export function beginsSession({ method, params }: RequestEnvelope): boolean {
  return method === 'initialize' && statedRevision(params) === undefined;
}

/** The same text with another id. */
export function withId({ bytes, idAt }: RequestEnvelope | AnswerEnvelope, id: string): Buffer {
  return Buffer.concat([bytes.subarray(0, idAt.start), Buffer.from(id), bytes.subarray(idAt.end)]);
}

/** An answer to this request, with the id as the program has written it. */
export function withIdOf(request: RequestEnvelope, answer: AnswerEnvelope): AnswerEnvelope {
  if (answer.id === request.id) return answer;
  const again = readEnvelope(withId(answer, request.id));
  return again.kind === 'answer' ? again : answer;
}

/** Which request a cancellation is of, as its id is written. */
export function cancelledId(bytes: Buffer): string {
  const message = parseExactly(bytes.toString('utf8'));
  const params = isObject(message) ? message['params'] : undefined;
  return isObject(params) ? (JSON.stringify(params['requestId']) ?? '') : '';
}

/** On one line, for a way that ends messages with one; a line end within JSON stands between values only. */
export function onOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(lineFeed) && !bytes.includes(carriageReturn)) return bytes;
  return Buffer.from(bytes.map((byte) => (byte === lineFeed || byte === carriageReturn ? space : byte)));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isArray(bytes: Buffer): boolean {
  return bytes.find((byte) => byte > space) === openArray;
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

const [lineFeed, carriageReturn, space, openArray] = [0x0a, 0x0d, 0x20, 0x5b];
