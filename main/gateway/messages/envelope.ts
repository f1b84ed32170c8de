import { fairTurn } from '../../fair-turn.ts';
import { gatewayMessage, mcpDepth } from '../../limits.ts';
import { areSeveralTexts, pageAnswer } from '../../mcp/http/refused-answer.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { isList, isPage, severalIn } from '../../mcp/messages/message-body.ts';
import { meansId } from '../../mcp/messages/message-headers.ts';
import { surveyInTurn, surveyJson, withIdAt } from '../../mcp/messages/survey-json.ts';
import type { JsonSurvey, Member, Span } from '../../mcp/messages/survey-json.ts';
import { noMcp } from '../../oauth/discovery/discovery.ts';

/** Any JSON object; nothing of it has been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A message of JSON-RPC 2.0 as the text that came, with as much of it as is needed to pass it on. */
export type Envelope =
  | {
      readonly kind: 'request';
      /** The id as it is written; numbers may have more digits than JavaScript keeps. */
      readonly id: string;
      readonly idAt: Span;
      readonly method: string;
      /** Of a message with many values only the short members are built; any other one anew each time it is read. */
      readonly params: JsonObject;
      /** Where each member of them stands; `undefined`: they have more than any request of MCP. */
      readonly paramsAt: readonly Member[] | undefined;
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

/**
 * Reads one message without changing a byte of it (JSON-RPC 2.0 sections 4 and 5). `wholeTo`: the request that this is
 * all of the answer to, whose id it gets where it has none.
 */
export function readEnvelope(bytes: Buffer, wholeTo?: string): Envelope {
  const survey = surveyJson(bytes);
  const { isJson, nodes, depth, id, idAt, hasMethod, methodAt, hasId, hasResult, hasError, isToolError } = survey;
  const unusable = (reason: Unusable): Envelope => ({ kind: 'unusable', reason, id: id === 'null' ? undefined : id });
  // Before anything is built of it.
  if (depth > mcpDepth) return unusable('too-deep');
  if (nodes > gatewayMessage.nodes) return unusable('too-many-values');
  if (!isJson) return unusable('not-json');
  if (!hasMethod) {
    if (isList(bytes)) return unusable('batch');
    const isUnnamed = (hasResult || hasError) && (!hasId || id === 'null');
    if (wholeTo !== undefined && isUnnamed) return readEnvelope(withIdAt(bytes, idAt, wholeTo));
    if ((!hasResult && !hasError) || id === undefined || idAt === undefined) return unusable('not-a-message');
    return new Answer(bytes, { id, idAt, hasError, isToolError });
  }
  const method = methodAt && parseAt(bytes, methodAt);
  if (typeof method !== 'string') return unusable('not-a-message');
  if (survey.params === undefined && nodes > manyValues) return unusable('too-many-values');
  if (!hasId) return new Sent('notification', { bytes, method, survey });
  if (id === undefined || idAt === undefined || !isId(id)) return unusable('not-a-message');
  return new SentRequest({ bytes, method, survey }, id, idAt);
}

/** The same of what a server sends, which may be long, or one of many: in slices. */
export async function readInTurn(bytes: Buffer, wholeTo?: string): Promise<Envelope> {
  await fairTurn();
  await surveyInTurn(bytes);
  return readEnvelope(bytes, wholeTo);
}

/** What an answer came with. */
interface Received {
  /** The request that it is all of the answer to. */
  readonly id: string;
  readonly host: string;
  readonly status: number;
}

/**
 * The one message of a JSON document of a server, or the answer in a list of them (MCP 2025-03-26, batching). Errors:
 * MCP_FAILED where it holds several otherwise, or a page.
 */
export async function readOnly(body: Buffer, { id, host, status }: Received): Promise<Envelope> {
  const envelope = await readInTurn(body, id);
  if (envelope.kind === 'unusable' && envelope.reason === 'batch') return (await answerInList(body, id)) ?? envelope;
  if (envelope.kind === 'unusable' && isPage(body)) throw pageAnswer({ host, status });
  if (envelope.kind === 'unusable' && (await areSeveralTexts(body)))
    throw noMcp('connection', { host, status, kind: 'several-texts' });
  return envelope;
}

async function answerInList(body: Buffer, id: string): Promise<Envelope | undefined> {
  for await (const text of severalIn(body)) {
    const envelope = await readInTurn(text);
    if (envelope.kind === 'answer' && meansId(envelope.id, id)) return envelope;
  }
  return undefined;
}

/** Of a message whose parameters have to be built to be read. */
const manyValues = 10_000;
/** Of a message, so that its values are built at once and stay: they take a few KB. */
const fewValues = 100;
const shortMessage = 64 * 1_024;
/** Bytes of a member of the parameters that is built at once all the same, and of all of them. */
const shortMember = 1_024;
const shortMembers = 4_096;

interface SurveyedMessage {
  readonly bytes: Buffer;
  readonly method: string;
  readonly survey: JsonSurvey;
}

/**
 * A request or a notification. It is there as long as its answer takes, and values cost dozens of times their text: so
 * it holds its bytes, and builds of a long one only what it is asked for.
 */
class Sent<Kind extends 'request' | 'notification'> {
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

class SentRequest extends Sent<'request'> {
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
  return isObject(params) ? params : {};
}

function shortParams(bytes: Buffer, members: readonly Member[]): JsonObject {
  const params = {};
  let left = shortMembers;
  for (const { name: written, ...at } of members) {
    const length = at.end - at.start;
    const isShort = length <= Math.min(shortMember, left);
    if (isShort) left -= length;
    const name = JSON.parse(`"${written}"`) as string;
    const read = isShort ? { value: parseAt(bytes, at) } : { get: () => parseAt(bytes, at) };
    // Of two of one name the last counts.
    Object.defineProperty(params, name, { ...read, enumerable: true, configurable: true });
  }
  return params;
}

function parseAt(bytes: Buffer, { start, end }: Span): unknown {
  return JSON.parse(bytes.toString('utf8', start, end));
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
  return withIdAt(bytes, idAt, id);
}

/** An answer to this request, with the id as the program has written it. */
export function withIdOf(request: RequestEnvelope, answer: AnswerEnvelope): AnswerEnvelope {
  if (answer.id === request.id) return answer;
  const again = readEnvelope(withId(answer, request.id));
  return again.kind === 'answer' ? again : answer;
}

/** Which request a cancellation is of, as its id is written. */
export function cancelledId(bytes: Buffer): string {
  return JSON.stringify(exactMember(bytes, 'params')['requestId']) ?? '';
}

/** On one line, for a way that ends messages with one; a line end within JSON stands between values only. */
export function onOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(lineFeed) && !bytes.includes(carriageReturn)) return bytes;
  const line = Buffer.from(bytes);
  for (let at = 0; at < line.byteLength; at += 1) {
    const byte = line[at];
    if (byte === lineFeed || byte === carriageReturn) line[at] = space;
  }
  return line;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string or a number, as it is written. */
function isId(text: string): boolean {
  return /^["\d-]/u.test(text);
}

const [lineFeed, carriageReturn, space] = [0x0a, 0x0d, 0x20];

/** The parameters or the result of a message as they are written, with all digits of numbers; empty where it has none. */
export function exactMember(bytes: Buffer, name: 'params' | 'result'): JsonObject {
  const message = parseExactly(bytes.toString('utf8'));
  return isObject(message) && isObject(message[name]) ? message[name] : {};
}
