import { yieldIfBusy } from '../../yield-if-busy.ts';
import { closeArray, closeObject, colon, comma, JsonTokens, quote, scalar } from '../../json-tokens.ts';

const [tab, lineFeed, carriageReturn, space, letterN, letterT] = [0x09, 0x0a, 0x0d, 0x20, 0x6e, 0x74];
/** Maximum bytes of an `id` that a request may have. */
const maxId = 256;
/** Bytes of the longest member name of interest, with every letter escaped. */
const maxName = 6 * 'isError'.length;

/** A byte range of the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its name as written, without quotes, and the range of its value. */
export interface Member extends Span {
  readonly name: string;
}

/** What a single scan over the bytes of a JSON-RPC message finds. */
export interface JsonSurvey {
  /** Whether `JSON.parse` accepts it. */
  readonly isJson: boolean;
  /** Approximate number of values (an upper bound): the memory cost of parsing grows with it. */
  readonly nodes: number;
  /** Nesting levels of objects and arrays. */
  readonly depth: number;
  /** `id` of a message, as JSON text. */
  readonly id: string | undefined;
  /** Range of `id`. */
  readonly idAt: Span | undefined;
  /** The message is a request or a notification. */
  readonly hasMethod: boolean;
  /** Range of the value of `method`. */
  readonly methodAt: Span | undefined;
  readonly hasId: boolean;
  /** Members of `params`, if an object; `undefined`: more than any MCP message has. */
  readonly params: readonly Member[] | undefined;
  readonly hasResult: boolean;
  readonly hasError: boolean;
  /** The result has `isError: true`. */
  readonly isToolError: boolean;
}

/** The object with its id replaced, or added. */
export function withIdAt(bytes: Buffer, idAt: Span | undefined, id: string): Buffer {
  const first = bytes.indexOf('{') + 1;
  const { start, end } = idAt ?? { start: first, end: first };
  const text = idAt ? id : `"id":${id},`;
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)]);
}

/** Maximum number of `params` members listed, and maximum bytes of a member name. */
const maxParams = 64;
const maxParamName = 256;

/** Deeper nesting counts as invalid JSON. */
const maxDepth = 1_023;

/**
 * Scans JSON text without building values. In invalid JSON it still finds what looks like an id, so that the pending
 * request can fail.
 */
export function surveyJson(bytes: Uint8Array): JsonSurvey {
  const known = surveyCache.get(bytes);
  if (known) return known;
  const tokens = new JsonTokens(bytes);
  const members = new Members(bytes);
  read(tokens, members, bytes);
  return surveyOf(tokens, members);
}

/** Scans a text in slices, to keep the thread free for others. `surveyJson` then has the result cached. */
export async function surveyInSlices(bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength < longText || surveyCache.has(bytes)) return;
  const tokens = new JsonTokens(bytes);
  const members = new Members(bytes);
  while (tokens.beginSlice()) {
    read(tokens, members, bytes);
    await yieldIfBusy();
  }
  surveyCache.set(bytes, surveyOf(tokens, members));
}

/** Bytes from which a text is scanned in slices. */
const longText = 64 * 1_024;
/** Results for long texts, as long as the buffer lives; buffers are never modified. */
const surveyCache = new WeakMap<Uint8Array, JsonSurvey>();

function read(tokens: JsonTokens, members: Members, bytes: Uint8Array): void {
  while (tokens.next(2)) {
    const { kind, start, end, depth } = tokens;
    if (depth < 1) continue;
    if (kind === quote) members.noteText(start + 1, end - 1);
    else if (kind === colon) members.begin(depth, start);
    else if (kind === comma || kind === closeObject || kind === closeArray) members.end(depth, start);
    else if (kind === scalar && depth === 2 && bytes[start] === letterT) members.noteTrue();
  }
}

function surveyOf(tokens: JsonTokens, members: Members): JsonSurvey {
  const isJson = tokens.isJson && tokens.deepest <= maxDepth;
  const { id, idAt, hasMethod, methodAt, hasId, params, hasResult, hasError, isToolError } = members;
  return {
    isJson,
    nodes: tokens.nodes,
    depth: tokens.deepest,
    id,
    idAt,
    hasMethod,
    methodAt,
    hasId,
    params,
    hasResult,
    hasError,
    isToolError,
  };
}

/** Collects the members of interest. Of two equal names the last counts, as in `JSON.parse`. */
class Members {
  readonly #bytes: Uint8Array;
  /** The last string: a member name if a colon follows. */
  #textStart = 0;
  #textEnd = 0;
  #idStart = -1;
  #methodStart = -1;
  #isParams = false;
  /** The current member of `params`, and where its value begins. */
  #paramName = '';
  #paramStart = -1;
  #isResult = false;
  /** The next value is `isError` of the result. */
  #isErrorNext = false;
  id: string | undefined;
  idAt: JsonSurvey['idAt'];
  hasMethod = false;
  methodAt: Span | undefined;
  hasId = false;
  params: Member[] | undefined = [];
  hasResult = false;
  hasError = false;
  isToolError = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  noteText(start: number, end: number): void {
    this.#textStart = start;
    this.#textEnd = end;
  }

  /** Starts a member of the message or of one of its values; its name was the last string. `at`: its colon. */
  begin(depth: number, at: number): void {
    if (depth === 1) this.#begin(at);
    else this.#beginInner(at);
  }

  end(depth: number, at: number): void {
    if (depth === 1) this.#end(at);
    else this.#endInner(at);
  }

  #begin(at: number): void {
    const name = this.#nameOfText();
    this.#isResult = name === 'result';
    this.#isParams = name === 'params';
    if (this.#isParams) this.params = [];
    switch (name) {
      case 'id':
        this.#idStart = at + 1;
        this.hasId = true;
        break;
      case 'method':
        // A parser that takes the first of two equal names must not find a request in what we pass on as a response.
        this.hasMethod ||= !this.#isNull(at);
        this.#methodStart = at + 1;
        break;
      case 'error':
        this.hasError = !this.#isNull(at);
        break;
      case 'result':
        this.hasResult = true;
        this.isToolError = false;
        break;
      default:
    }
  }

  /** Many servers send the unused member as null. */
  #isNull(after: number): boolean {
    let at = after + 1;
    while (isSpace(this.#bytes[at])) at += 1;
    return this.#bytes[at] === letterN;
  }

  #beginInner(at: number): void {
    if (this.#isParams) {
      if (this.#textEnd - this.#textStart > maxParamName) this.params = undefined;
      else this.#paramName = asText(this.#bytes.subarray(this.#textStart, this.#textEnd));
      this.#paramStart = at + 1;
    }
    this.#isErrorNext = this.#isResult && this.#nameOfText() === 'isError';
    if (this.#isErrorNext) this.isToolError = false;
  }

  /** The last `isError` is `true`. */
  noteTrue(): void {
    if (this.#isErrorNext) this.isToolError = true;
  }

  #endInner(at: number): void {
    if (this.#paramStart < 0) return;
    this.params?.push({ name: this.#paramName, start: this.#paramStart, end: at });
    if (this.params && this.params.length > maxParams) this.params = undefined;
    this.#paramStart = -1;
  }

  #end(at: number): void {
    if (this.#methodStart >= 0) this.methodAt = { start: this.#methodStart, end: at };
    this.#methodStart = -1;
    if (this.#idStart < 0) return;
    const value = asText(this.#bytes.subarray(this.#idStart, Math.min(at, this.#idStart + maxId + 1)));
    const start = this.#idStart + (value.length - value.trimStart().length);
    this.id = at - this.#idStart > maxId ? undefined : value.trim();
    this.idAt = this.id === undefined ? undefined : { start, end: start + Buffer.byteLength(this.id) };
    this.#idStart = -1;
  }

  /** The name, unescaped; '' if it is too long to be of interest. */
  #nameOfText(): string {
    if (this.#textEnd - this.#textStart > maxName) return '';
    const text = asText(this.#bytes.subarray(this.#textStart, this.#textEnd));
    if (!text.includes('\\')) return text;
    try {
      return String(JSON.parse(`"${text}"`));
    } catch {
      return text;
    }
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === tab || byte === lineFeed || byte === carriageReturn;
}

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
