import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { fairTurn } from '../../fair-turn.ts';
import { closeArray, closeObject, colon, comma, JsonTokens, openArray, openObject, quote } from '../../json-tokens.ts';
import { mcpListing, mcpMessage } from '../../limits.ts';
import { base64Members, isPlainEntry, isWaiting } from '../../mcp/messages/plain-entry.ts';
import { isRpcError, readError } from '../../mcp/messages/read-messages.ts';
import { outlineOf } from '../../mcp/messages/outline-json.ts';
import type { Span } from '../../mcp/messages/survey-json.ts';
import { isObject, readEnvelope, statedRevision } from '../messages/envelope.ts';
import type { AnswerEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';

/** Where the answer to a method has its list. Of others nothing is repaired. */
const lists: ReadonlyMap<string, string | undefined> = new Map([
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
  ['tools/call', 'content'],
  ['tasks/result', 'content'],
  ['resources/read', 'contents'],
  ['prompts/get', 'messages'],
  ['completion/complete', undefined],
  ['initialize', undefined],
  ['server/discover', undefined],
]);

/** Of these there is a bound. */
const listings = new Set(['tools', 'resources', 'resourceTemplates', 'prompts']);

/** Members of a result that are read; any other one is handed on as it came. */
const read = new Set([
  ...lists.values(),
  ...['nextCursor', '_meta', 'description', 'instructions', 'isError', 'structuredContent'],
  ...['resultType', 'ttlMs', 'cacheScope', 'completion', 'protocolVersion', 'capabilities', 'serverInfo', 'task'],
]);

/**
 * The answer as an app can use it that takes nothing but what MCP says: null is absent, an element that nobody can use
 * is left out or shown as JSON, and told to `onUnusable`. What is sound stays as it came, to the byte. Works in slices.
 */
export async function repairedAnswer(
  request: Pick<RequestEnvelope, 'method' | 'params'>,
  answer: AnswerEnvelope,
  onUnusable: (part: UnusablePart) => void,
): Promise<AnswerEnvelope> {
  const { method, params } = request;
  if (answer.hasError) return repairedError(answer);
  if (!lists.has(method)) return answer;
  const { bytes, id } = answer;
  const message = await membersOf(bytes, 0);
  const resultAt = message.get('result');
  if (!resultAt) return answer;
  const isModern = statedRevision(params) !== undefined;
  const list = lists.get(method);
  const parts = new Parts(bytes, list);
  const isList = list !== undefined && bytes[resultAt.start] === openArray;
  const result = bytes[resultAt.start] === openObject || isList ? await parts.read(resultAt.start) : undefined;
  const isWhole =
    message.size === 3 && message.has('id') && textAt(bytes, message.get('jsonrpc')) === '"2.0"' && !isList;
  if (isWhole && result && parts.areSound && isSound(method, result, isModern)) return answer;
  const repair = await import('../../mcp/messages/repair-result.ts');
  const { bareResult, readBareResult, repairForApp, isSoundEntry, WrittenJson } = repair;
  await parts.learnSound((entry) => isSoundEntry(method, entry, isModern));
  if (isWhole && result && parts.areSound && isSound(method, result, isModern)) return answer;
  const given: Record<string, unknown> = result ?? { [bareResult]: parts.parse(resultAt) };
  parts.readWhole(given);
  readBareResult(method, given);
  parts.keepUnread(given, (text) => new WrittenJson(text));
  await parts.mendList(given, (entries, at) => {
    const some = { [list ?? '']: entries };
    repairForApp(method, some, { isModern, at, onUnusable, textOf: (index) => parts.textOf(at + index) });
    const kept: unknown = some[list ?? ''];
    return Array.isArray(kept) ? kept.map((entry) => asWritten(entry)) : [];
  });
  repairForApp(method, given, { isModern, onUnusable, textOf: (index) => parts.textOf(index) });
  const text = parts.write(given, (value) => (value instanceof WrittenJson ? value.text : undefined));
  const repaired = readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${text}}`));
  return repaired.kind === 'answer' ? repaired : answer;

  function asWritten(entry: unknown): unknown {
    return entry instanceof WrittenJson ? entry : new WrittenJson(parts.stringify(entry));
  }
}

/** Apps drop an error that has not the form of one, and wait for the answer for ever. */
function repairedError(answer: AnswerEnvelope): AnswerEnvelope {
  const { jsonrpc, error, result } = answer.message;
  if (isRpcError(error) && jsonrpc === '2.0' && result === undefined) return answer;
  const text = `{"jsonrpc":"2.0","id":${answer.id},"error":${JSON.stringify(readError(error))}}`;
  const repaired = readEnvelope(Buffer.from(text));
  return repaired.kind === 'answer' ? repaired : answer;
}

/** Of a result whose list is sound: its other members. */
function isSound(method: string, result: JsonObject, isModern: boolean): boolean {
  if (isWaiting(result)) return true;
  const { _meta, nextCursor, description, instructions, isError, structuredContent } = result;
  const texts = [nextCursor, description, instructions];
  if (texts.some((text) => text !== undefined && typeof text !== 'string')) return false;
  if (_meta !== undefined && !isObject(_meta)) return false;
  if (isModern && !hasCacheMembers(method, result)) return false;
  const list = lists.get(method);
  if (list !== undefined && !Array.isArray(result[list])) return false;
  switch (method) {
    case 'tools/call':
    case 'tasks/result':
      if (isError !== undefined && typeof isError !== 'boolean') return false;
      return structuredContent === undefined || isObject(structuredContent) || (isModern && structuredContent !== null);
    case 'completion/complete':
      return isCompletion(result['completion']);
    case 'initialize':
      return typeof result['protocolVersion'] === 'string' && isNamed(result['serverInfo']) && isPlainOffer(result);
    case 'server/discover':
      return isPlainOffer(result);
    default:
      return true;
  }
}

/** What each result says (MCP 2026-07-28), and each one that may be kept. */
function hasCacheMembers(method: string, { resultType, ttlMs, cacheScope }: JsonObject): boolean {
  if (typeof resultType !== 'string') return false;
  if (!method.endsWith('/list') && method !== 'resources/read' && method !== 'server/discover') return true;
  return Number.isInteger(ttlMs) && Number(ttlMs) >= 0 && (cacheScope === 'public' || cacheScope === 'private');
}

function isCompletion(completion: unknown): boolean {
  if (!isObject(completion)) return false;
  const { values, total, hasMore } = completion;
  const areTexts = Array.isArray(values) && values.length <= 100 && values.every((value) => typeof value === 'string');
  return areTexts && (total === undefined || Number.isInteger(total)) && (hasMore ?? false) === (hasMore === true);
}

function isNamed(info: unknown): boolean {
  if (!isObject(info) || typeof info['name'] !== 'string' || typeof info['version'] !== 'string') return false;
  return Object.entries(info).every(([name, value]) => typeof value === 'string' && name !== 'icons');
}

/** Capabilities that are objects of yes, no and further objects. */
function isPlainOffer({ capabilities }: JsonObject): boolean {
  if (!isObject(capabilities) || 'tasks' in capabilities) return false;
  const flags = new Set(['listChanged', 'subscribe']);
  return Object.values(capabilities).every(
    (one) =>
      isObject(one) &&
      Object.entries(one).every(([name, value]) => (flags.has(name) ? typeof value === 'boolean' : isObject(value))),
  );
}

/** The members of one result, its list entry by entry. */
class Parts {
  readonly #bytes: Buffer;
  readonly #list: string | undefined;
  #members: ReadonlyMap<string, Span> = new Map();
  readonly #entries: Span[] = [];
  readonly #sound = new Set<number>();
  /** What is not plain, by index. */
  readonly #doubtful = new Map<number, unknown>();
  /** What is handed on as it came: an object of so many values that it costs more than one message may. */
  readonly #large = new Set<Span>();
  /** Of these the outline is known: their values are built where something has to be mended. */
  readonly #outlined = new Set<Span>();
  #written: ((text: string) => unknown) | undefined;
  /** Numbers of what was parsed that JavaScript would write in other digits. */
  readonly #numbers = new Map<object, Map<string, string>>();

  constructor(bytes: Buffer, list: string | undefined) {
    this.#bytes = bytes;
    this.#list = list;
  }

  get areSound(): boolean {
    return this.#sound.size === this.#entries.length;
  }

  /** Of the object or list that begins at `start`. */
  async read(start: number): Promise<Record<string, unknown>> {
    const result: Record<string, unknown> = {};
    const list = this.#list;
    if (list !== undefined && this.#bytes[start] === openArray) return { [list]: await this.#readList(list, start) };
    this.#members = await membersOf(this.#bytes, start);
    for (const [name, span] of this.#members) {
      const isList = name === list && this.#bytes[span.start] === openArray;
      if (isList) setMember(result, name, await this.#readList(name, span.start));
      else if (read.has(name)) setMember(result, name, await this.#look(span));
    }
    return result;
  }

  /** Puts values in the place of outlines. */
  readWhole(result: Record<string, unknown>): void {
    for (const [name, span] of this.#members) if (this.#outlined.has(span)) setMember(result, name, this.parse(span));
  }

  /** The value, or of a long one what it has for values. */
  async #look(span: Span): Promise<unknown> {
    if (span.end - span.start <= longValue) return this.parse(span);
    const isObjectAt = this.#bytes[span.start] === openObject;
    const outline = await outlineOf(this.#bytes, span, {
      most: isObjectAt && span.end - span.start > mcpMessage.nodes ? mcpMessage.nodes : Infinity,
      base64: base64Members,
    });
    (outline === undefined ? this.#large : this.#outlined).add(span);
    return outline === undefined ? {} : JSON.parse(outline);
  }

  async #readList(list: string, start: number): Promise<unknown[]> {
    const most = listings.has(list) ? mcpListing.entries : Infinity;
    for await (const span of partsOf(this.#bytes, start)) {
      const index = this.#entries.length;
      if (index >= most) break;
      this.#entries.push(span);
      const entry = await this.#look(span);
      if (this.#large.has(span) || isPlainEntry(list, entry)) this.#sound.add(index);
      else this.#doubtful.set(index, this.#outlined.has(span) ? this.parse(span) : entry);
      await fairTurn();
    }
    return [];
  }

  /** Asks somebody who knows about what is not plain. */
  async learnSound(isSoundEntry: (entry: unknown) => boolean): Promise<void> {
    for (const [index, entry] of this.#doubtful) {
      if (isSoundEntry(entry)) this.#sound.add(index);
      await fairTurn();
    }
  }

  /** Puts into the list what `mend` makes of its entries, some at a time. */
  async mendList(result: Record<string, unknown>, mend: (entries: unknown[], at: number) => unknown[]): Promise<void> {
    const list = this.#list ?? '';
    if (this.#entries.length === 0 || !Array.isArray(result[list])) return;
    const mended: unknown[] = [];
    for (const [index, span] of this.#entries.entries()) {
      mended.push(
        ...mend(
          [this.#sound.has(index) ? this.#written?.(textAt(this.#bytes, span)) : this.#doubtful.get(index)],
          index,
        ),
      );
      await fairTurn();
    }
    result[list] = mended;
  }

  parse(span: Span): unknown {
    const numbers = this.#numbers;
    return JSON.parse(textAt(this.#bytes, span), function keep(
      this: object,
      name: string,
      value: unknown,
      context?: { readonly source?: string },
    ) {
      const source = context?.source;
      if (typeof value !== 'number' || source === undefined || JSON.stringify(value) === source) return value;
      const noted = numbers.get(this) ?? new Map<string, string>();
      numbers.set(this, noted.set(name, source));
      return value;
    } as (this: object, name: string, value: unknown) => unknown);
  }

  /** The text of an entry; of a list that is none the text of that. */
  textOf(index: number): string {
    return textAt(this.#bytes, this.#entries[index] ?? this.#members.get(this.#list ?? ''));
  }

  /** Puts what nobody looks at in its place as it came. */
  keepUnread(result: Record<string, unknown>, written: (text: string) => unknown): void {
    this.#written = written;
    for (const [name, span] of this.#members) {
      const isRead = read.has(name) && !this.#large.has(span);
      const isStructure = name === 'structuredContent' && isObject(result[name]);
      if (!isRead || isStructure) setMember(result, name, written(textAt(this.#bytes, span)));
    }
  }

  /** A result as text. `written`: the text of what is handed on as it came. */
  write(result: JsonObject, written: (value: unknown) => string | undefined): string {
    const text = (value: unknown): string => written(value) ?? this.stringify(value);
    const members = Object.entries(result).flatMap(([name, value]) => {
      if (value === undefined) return [];
      const isList = name === this.#list && Array.isArray(value);
      return [`${JSON.stringify(name)}:${isList ? `[${value.map(text).join(',')}]` : text(value)}`];
    });
    return `{${members.join(',')}}`;
  }

  stringify(value: unknown): string {
    const numbers = this.#numbers;
    return (
      JSON.stringify(value, function restore(this: object, name: string, member: unknown) {
        const source = typeof member === 'number' ? numbers.get(this)?.get(name) : undefined;
        const isSame = source !== undefined && Number(source) === member;
        return isSame ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(source) : member;
      }) ?? 'null'
    );
  }
}

const space = 0x20;

/** Also where its name is `__proto__`. */
function setMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Of two of one name the last counts. */
async function membersOf(bytes: Buffer, start: number): Promise<Map<string, Span>> {
  const members = new Map<string, Span>();
  for await (const { name, ...span } of partsOf(bytes, start)) members.set(name, span);
  return members;
}

/** Bytes of a value that is not built only to see whether it is sound. */
const longValue = 64 * 1_024;

/** What is directly in the object or array that begins at or after `from`, each with its name. `bytes`: sound JSON. */
async function* partsOf(bytes: Buffer, from: number): AsyncGenerator<Span & { readonly name: string }> {
  const tokens = new JsonTokens(bytes.subarray(from));
  let name = '';
  let start = from;
  while (tokens.beginSlice()) {
    while (tokens.next(1)) {
      const { kind, depth } = tokens;
      if (depth < 1) continue;
      const at = from + tokens.start;
      if (kind === quote && tokens.isName) name = tokens.text(Infinity);
      else if (kind === colon || kind === openObject || kind === openArray) start = at + 1;
      else if (kind === comma || kind === closeObject || kind === closeArray) {
        const span = trimmed(bytes, start, at);
        if (span.end > span.start) yield { name, ...span };
        if (kind !== comma) return;
        start = at + 1;
      }
    }
    await fairTurn();
  }
}

function trimmed(bytes: Buffer, from: number, to: number): Span {
  let [start, end] = [from, to];
  while (start < end && (bytes[start] ?? 0) <= space) start += 1;
  while (end > start && (bytes[end - 1] ?? 0) <= space) end -= 1;
  return { start, end };
}

function textAt(bytes: Buffer, span: Span | undefined): string {
  return span ? bytes.toString('utf8', span.start, span.end) : '';
}
