import { fairTurn } from '../../fair-turn.ts';
import { closeArray, closeObject, colon, comma, JsonTokens, quote, scalar } from '../../json-tokens.ts';

const [tab, lineFeed, carriageReturn, space, letterN, letterT] = [0x09, 0x0a, 0x0d, 0x20, 0x6e, 0x74];
/** Bytes of an `id` that somebody may have asked with. */
const longestId = 256;
/** Bytes of the longest name that is looked for, with every letter of it escaped. */
const longestName = 6 * 'isError'.length;

/** A part of the text, in bytes. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its name as it is written, without quotes, and where its value stands. */
export interface Member extends Span {
  readonly name: string;
}

/** What the text of a JSON-RPC message is, as far as one look over its bytes tells. */
export interface JsonSurvey {
  /** Whether `JSON.parse` takes it. */
  readonly isJson: boolean;
  /** Values in it, or a few more: what it costs once it is parsed grows with them. */
  readonly nodes: number;
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** Of a message: its `id` as JSON text. */
  readonly id: string | undefined;
  /** Where that text stands, in bytes. */
  readonly idAt: Span | undefined;
  /** Of a message: it is a request or a notification. */
  readonly hasMethod: boolean;
  /** Where the value of its `method` stands. */
  readonly methodAt: Span | undefined;
  readonly hasId: boolean;
  /** Of its `params`, where they are an object; `undefined`: they have more members than any message of MCP. */
  readonly params: readonly Member[] | undefined;
  readonly hasResult: boolean;
  readonly hasError: boolean;
  /** Its result has `isError`, and that is true. */
  readonly isToolError: boolean;
}

/** The same object with this id, in the place of the one that it has. */
export function withIdAt(bytes: Buffer, idAt: Span | undefined, id: string): Buffer {
  const first = bytes.indexOf('{') + 1;
  const { start, end } = idAt ?? { start: first, end: first };
  const text = idAt ? id : `"id":${id},`;
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)]);
}

/** Members of the parameters of a message that are told one by one, and bytes of the name of each. */
const mostParams = 64;
const longestParam = 256;

/** Deeper text is taken for no JSON. */
const deepestJson = 1_023;

/**
 * Looks over JSON text without building anything from it. In text that is not valid JSON it still finds what looks like
 * an id, so that whoever waits for that answer can be told.
 */
export function surveyJson(bytes: Uint8Array): JsonSurvey {
  const known = surveyed.get(bytes);
  if (known) return known;
  const tokens = new JsonTokens(bytes);
  const members = new Members(bytes);
  read(tokens, members, bytes);
  return surveyOf(tokens, members);
}

/** Looks over a text that others may wait for, in slices: `surveyJson` of the same bytes knows it then. */
export async function surveyInTurn(bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength < long || surveyed.has(bytes)) return;
  const tokens = new JsonTokens(bytes);
  const members = new Members(bytes);
  while (tokens.beginSlice()) {
    read(tokens, members, bytes);
    await fairTurn();
  }
  surveyed.set(bytes, surveyOf(tokens, members));
}

/** Bytes of a text that is worth a turn of its own. */
const long = 64 * 1_024;
/** Of long texts, for as long as somebody has them; nobody changes them. */
const surveyed = new WeakMap<Uint8Array, JsonSurvey>();

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
  const isJson = tokens.isJson && tokens.deepest <= deepestJson;
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

/**
 * The members of a message that somebody wants to know of. Of two of one name the last counts, as with `JSON.parse`.
 */
class Members {
  readonly #bytes: Uint8Array;
  /** The last string: a name, if a colon follows. */
  #textStart = 0;
  #textEnd = 0;
  #idStart = -1;
  #methodStart = -1;
  #isParams = false;
  /** The member of the parameters that is being read, and where its value begins. */
  #paramName = '';
  #paramStart = -1;
  #isResult = false;
  /** The next value of the result is its `isError`. */
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

  /** A member of the message, or of a value of it, whose name was the last string. `at`: its colon. */
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
        // A reader for whom the first of two counts must not find a request in what is passed on as an answer.
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

  /** Many servers write the member that they do not mean as null. */
  #isNull(after: number): boolean {
    let at = after + 1;
    while (isSpace(this.#bytes[at])) at += 1;
    return this.#bytes[at] === letterN;
  }

  #beginInner(at: number): void {
    if (this.#isParams) {
      if (this.#textEnd - this.#textStart > longestParam) this.params = undefined;
      else this.#paramName = asText(this.#bytes.subarray(this.#textStart, this.#textEnd));
      this.#paramStart = at + 1;
    }
    this.#isErrorNext = this.#isResult && this.#nameOfText() === 'isError';
    if (this.#isErrorNext) this.isToolError = false;
  }

  /** The value of the last such member, where it has one that is no container. */
  noteTrue(): void {
    if (this.#isErrorNext) this.isToolError = true;
  }

  #endInner(at: number): void {
    if (this.#paramStart < 0) return;
    this.params?.push({ name: this.#paramName, start: this.#paramStart, end: at });
    if (this.params && this.params.length > mostParams) this.params = undefined;
    this.#paramStart = -1;
  }

  #end(at: number): void {
    if (this.#methodStart >= 0) this.methodAt = { start: this.#methodStart, end: at };
    this.#methodStart = -1;
    if (this.#idStart < 0) return;
    const value = asText(this.#bytes.subarray(this.#idStart, Math.min(at, this.#idStart + longestId + 1)));
    const start = this.#idStart + (value.length - value.trimStart().length);
    this.id = at - this.#idStart > longestId ? undefined : value.trim();
    this.idAt = this.id === undefined ? undefined : { start, end: start + Buffer.byteLength(this.id) };
    this.#idStart = -1;
  }

  /** It may be written with escapes; '' where it is none that is looked for. */
  #nameOfText(): string {
    if (this.#textEnd - this.#textStart > longestName) return '';
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
