// Reads JSON-RPC messages just enough to route them; their bytes are passed on unchanged.

import { isObject } from '../../../shared/json-object.ts';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import { gatewayMessage, mcpDepth } from '../../limits.ts';
import { hasSeveralJsonTexts, webPageError } from '../../mcp/http/refused-response.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { isJsonArray, isPage, splitMessages } from '../../mcp/messages/message-body.ts';
import { matchesId } from '../../mcp/messages/message-headers.ts';
import { surveyInSlices, surveyJson, withIdAt } from '../../mcp/messages/survey-json.ts';
import type { JsonSurvey, Member, Span } from '../../mcp/messages/survey-json.ts';
import { notMcpError } from '../../oauth/discovery/discovery.ts';

/** Any JSON object, unchecked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON-RPC 2.0 message as received, parsed only as far as routing needs. */
export type Envelope =
  | {
      readonly kind: 'request';
      /** JSON text as received: numbers may have more digits than JavaScript can hold. */
      readonly id: string;
      readonly idAt: Span;
      readonly method: string;
      /** In a message with many values, only short members are parsed once; others are parsed on each read. */
      readonly params: JsonObject;
      /** Byte range of each parameter; `undefined`: too many for an MCP request. */
      readonly paramsAt: readonly Member[] | undefined;
      readonly bytes: Buffer;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject; readonly bytes: Buffer }
  | {
      readonly kind: 'response';
      readonly id: string;
      readonly idAt: { readonly start: number; readonly end: number };
      readonly bytes: Buffer;
      readonly hasError: boolean;
      /** Its result reports that the tool failed. */
      readonly isToolError: boolean;
      /**
       * The whole message, parsed on demand: most responses are never read, and a large one costs several times its
       * size.
       */
      readonly message: JsonObject;
    }
  | { readonly kind: 'unusable'; readonly reason: Unusable; readonly id: string | undefined };

/** Why a message is not passed on. `batch`: an array, which no current revision allows. */
export type Unusable = 'not-json' | 'not-a-message' | 'batch' | 'too-deep' | 'too-many-values';

export type RequestEnvelope = Extract<Envelope, { kind: 'request' }>;
export type ResponseEnvelope = Extract<Envelope, { kind: 'response' }>;

/**
 * Reads one message without changing a byte (JSON-RPC 2.0 sections 4 and 5). `responseTo`: id of the request that this
 * is the only response to; a message without an id gets that id.
 */
export function readEnvelope(bytes: Buffer, responseTo?: string): Envelope {
  const survey = surveyJson(bytes);
  const { isJson, nodes, depth, id, idAt, hasMethod, methodAt, hasId, hasResult, hasError, isToolError } = survey;
  const unusable = (reason: Unusable): Envelope => ({ kind: 'unusable', reason, id: id === 'null' ? undefined : id });
  // Check before parsing.
  if (depth > mcpDepth) return unusable('too-deep');
  if (nodes > gatewayMessage.nodes) return unusable('too-many-values');
  if (!isJson) return unusable('not-json');
  if (!hasMethod) {
    if (isJsonArray(bytes)) return unusable('batch');
    const lacksId = (hasResult || hasError) && (!hasId || id === 'null');
    if (responseTo !== undefined && lacksId) return readEnvelope(withIdAt(bytes, idAt, responseTo));
    if ((!hasResult && !hasError) || id === undefined || idAt === undefined) return unusable('not-a-message');
    return new ParsedResponse(bytes, { id, idAt, hasError, isToolError });
  }
  const method = methodAt && parseAt(bytes, methodAt);
  if (typeof method !== 'string') return unusable('not-a-message');
  if (survey.params === undefined && nodes > manyValues) return unusable('too-many-values');
  if (!hasId) return new ParsedMessage('notification', { bytes, method, survey });
  if (id === undefined || idAt === undefined || !isId(id)) return unusable('not-a-message');
  return new ParsedRequest({ bytes, method, survey }, id, idAt);
}

/** Like `readEnvelope`, but in slices: a server may send long messages, or many. */
export async function readInSlices(bytes: Buffer, responseTo?: string): Promise<Envelope> {
  await yieldIfBusy();
  await surveyInSlices(bytes);
  return readEnvelope(bytes, responseTo);
}

/** The HTTP response that a message came in. */
interface ResponseContext {
  /** The request that it is the entire response to. */
  readonly id: string;
  readonly host: string;
  readonly status: number;
}

/**
 * The only message of a JSON document, or the response in a batch (MCP 2025-03-26, batching). Errors: MCP_FAILED if it
 * has several messages otherwise, or is a web page.
 */
export async function readSoleMessage(body: Buffer, { id, host, status }: ResponseContext): Promise<Envelope> {
  const envelope = await readInSlices(body, id);
  if (envelope.kind === 'unusable' && envelope.reason === 'batch') return (await responseInBatch(body, id)) ?? envelope;
  if (envelope.kind === 'unusable' && isPage(body)) throw webPageError({ host, status });
  if (envelope.kind === 'unusable' && (await hasSeveralJsonTexts(body)))
    throw notMcpError('connection', { host, status, kind: 'several-texts' });
  return envelope;
}

async function responseInBatch(body: Buffer, id: string): Promise<Envelope | undefined> {
  for await (const text of splitMessages(body)) {
    const envelope = await readInSlices(text);
    if (envelope.kind === 'response' && matchesId(envelope.id, id)) return envelope;
  }
  return undefined;
}

/** Values in a message whose parameters cannot be read without parsing them all. */
const manyValues = 10_000;
/** Values in a message that is parsed at once and stays parsed: a few KB. */
const fewValues = 100;
const shortMessage = 64 * 1_024;
/** Bytes of a parameter that is parsed at once anyway, and of all of those. */
const shortMember = 1_024;
const shortMembers = 4_096;

interface SurveyedMessage {
  readonly bytes: Buffer;
  readonly method: string;
  readonly survey: JsonSurvey;
}

/**
 * A request or notification. It stays in memory until its response, and parsed values take dozens of times the memory
 * of their text. So a long message is stored as bytes and parsed on demand.
 */
class ParsedMessage<Kind extends 'request' | 'notification'> {
  readonly kind: Kind;
  readonly method: string;
  readonly bytes: Buffer;
  readonly #params: JsonObject | undefined;

  constructor(kind: Kind, { bytes, method, survey }: SurveyedMessage) {
    this.kind = kind;
    this.method = method;
    this.bytes = bytes;
    const { nodes, params } = survey;
    if (nodes <= fewValues && bytes.byteLength <= shortMessage) this.#params = paramsOf(bytes);
    else if (params) this.#params = shortParams(bytes, params);
  }

  get params(): JsonObject {
    return this.#params ?? paramsOf(this.bytes);
  }
}

class ParsedRequest extends ParsedMessage<'request'> {
  readonly id: string;
  readonly idAt: Span;
  readonly paramsAt: readonly Member[] | undefined;

  constructor(message: SurveyedMessage, id: string, idAt: Span) {
    super('request', message);
    this.paramsAt = message.survey.params;
    this.id = id;
    this.idAt = idAt;
  }
}

function paramsOf(bytes: Buffer): JsonObject {
  const { params } = parse(bytes);
  return asObject(params);
}

function shortParams(bytes: Buffer, members: readonly Member[]): JsonObject {
  const params = {};
  let budget = shortMembers;
  for (const { name: written, ...at } of members) {
    const length = at.end - at.start;
    const isShort = length <= Math.min(shortMember, budget);
    if (isShort) budget -= length;
    const name = JSON.parse(`"${written}"`) as string;
    const read = isShort ? { value: parseAt(bytes, at) } : { get: () => parseAt(bytes, at) };
    // If a name appears twice, the last one counts.
    Object.defineProperty(params, name, { ...read, enumerable: true, configurable: true });
  }
  return params;
}

function parseAt(bytes: Buffer, { start, end }: Span): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
}

class ParsedResponse {
  readonly kind = 'response';
  readonly bytes: Buffer;
  readonly id: string;
  readonly idAt: { readonly start: number; readonly end: number };
  readonly hasError: boolean;
  readonly isToolError: boolean;
  #message: JsonObject | undefined;

  constructor(
    bytes: Buffer,
    { id, idAt, hasError, isToolError }: Pick<ResponseEnvelope, 'id' | 'idAt' | 'hasError' | 'isToolError'>,
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

/** The revision that a stateless request names (MCP 2026-07-28, request metadata). */
export function statedRevision({ _meta }: JsonObject): string | undefined {
  const version = isObject(_meta) ? _meta['io.modelcontextprotocol/protocolVersion'] : undefined;
  return typeof version === 'string' ? version : undefined;
}

/** The token with which the sender of a request asks for progress; `undefined`: it does not. */
export function progressTokenOf({ _meta }: JsonObject): unknown {
  return asObject(_meta)['progressToken'];
}

/** Whether it is the `initialize` of a session; stateless revisions have no such method. */
export function isSessionHandshake({ method, params }: RequestEnvelope): boolean {
  return method === 'initialize' && statedRevision(params) === undefined;
}

/** The message with another id. */
export function withId({ bytes, idAt }: RequestEnvelope | ResponseEnvelope, id: string): Buffer {
  return withIdAt(bytes, idAt, id);
}

/** A response with the request id as the app wrote it. */
export function withIdOf(request: RequestEnvelope, response: ResponseEnvelope): ResponseEnvelope {
  if (response.id === request.id) return response;
  const renumbered = readEnvelope(withId(response, request.id));
  return renumbered.kind === 'response' ? renumbered : response;
}

/** Id of the request that `notifications/cancelled` names, as JSON text. */
export function cancelledId(bytes: Buffer): string {
  return JSON.stringify(exactMember(bytes, 'params')['requestId']) ?? '';
}

/** The message on one line, for line-delimited transports. In JSON, line breaks occur only between values. */
export function onOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(lineFeed) && !bytes.includes(carriageReturn)) return bytes;
  const line = Buffer.from(bytes);
  for (let at = 0; at < line.byteLength; at += 1) {
    const byte = line[at];
    if (byte === lineFeed || byte === carriageReturn) line[at] = space;
  }
  return line;
}

/** The value if it is an object, otherwise an empty one. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** True for a JSON string or number. */
function isId(text: string): boolean {
  return /^["\d-]/u.test(text);
}

const [lineFeed, carriageReturn, space] = [0x0a, 0x0d, 0x20];

/** The parameters or result as written, with all digits of numbers; empty if absent. */
export function exactMember(bytes: Buffer, name: 'params' | 'result'): JsonObject {
  return asObject(asObject(parseExactly(bytes.toString('utf8')))[name]);
}
