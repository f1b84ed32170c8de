// Repairs a server's response so that strict MCP clients accept it.

import { isObject } from '../../../shared/json-object.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import { closeArray, closeObject, colon, comma, JsonTokens, openArray, openObject, quote } from '../../json-tokens.ts';
import { mcpListing, mcpMessage } from '../../limits.ts';
import { base64Members, isPlainEntry, isPendingResult } from '../../mcp/messages/plain-entry.ts';
import { outlineOf } from '../../mcp/messages/outline-json.ts';
import { isRpcError, readError } from '../../mcp/messages/rpc-error.ts';
import type { Span } from '../../mcp/messages/survey-json.ts';
import { readEnvelope, statedRevision } from '../messages/envelope.ts';
import { lists } from '../messages/lists.ts';
import type { ResponseEnvelope, JsonObject, RequestEnvelope } from '../messages/envelope.ts';

/** The list member of each result. Results of other methods are not repaired. */
const entriesOf: ReadonlyMap<string, string | undefined> = new Map([
  ...Object.entries(lists).map(([method, { member }]): [string, string] => [method, member]),
  ['tools/call', 'content'],
  ['tasks/result', 'content'],
  ['resources/read', 'contents'],
  ['prompts/get', 'messages'],
  ['completion/complete', undefined],
  ['initialize', undefined],
  ['server/discover', undefined],
]);

/** Lists whose length is limited. */
const listings = new Set<string>(Object.values(lists).map(({ member }) => member));

/** Result members that are checked; all others are passed on unchanged. */
const checked = new Set([
  ...entriesOf.values(),
  ...['nextCursor', '_meta', 'description', 'instructions', 'isError', 'structuredContent'],
  ...['resultType', 'ttlMs', 'cacheScope', 'completion', 'protocolVersion', 'capabilities', 'serverInfo', 'task'],
]);

/**
 * Repairs a response for strict MCP clients: null counts as absent, and an element that no app can use is left out or
 * shown as JSON, and reported to `onUnusable`. Valid parts are unchanged, byte for byte. Works in slices.
 */
export async function repairResponse(
  request: Pick<RequestEnvelope, 'method' | 'params'>,
  response: ResponseEnvelope,
  onUnusable: (part: UnusablePart) => void,
): Promise<ResponseEnvelope> {
  const { method, params } = request;
  if (response.hasError) return repairError(response);
  if (!entriesOf.has(method)) return response;
  const { bytes, id } = response;
  const message = await membersOf(bytes, 0);
  const resultAt = message.get('result');
  if (!resultAt) return response;
  const isStateless = statedRevision(params) !== undefined;
  const list = entriesOf.get(method);
  const parts = new ResultParts(bytes, list);
  const isList = list !== undefined && bytes[resultAt.start] === openArray;
  const result = bytes[resultAt.start] === openObject || isList ? await parts.read(resultAt.start) : undefined;
  const isComplete =
    message.size === 3 && message.has('id') && textAt(bytes, message.get('jsonrpc')) === '"2.0"' && !isList;
  if (isComplete && result && parts.areSound && isSound(method, result, isStateless)) return response;
  const repair = await import('../../mcp/messages/repair-result.ts');
  const { bareResultKey, readBareResult, repairForApp, isValidEntry, VerbatimJson } = repair;
  await parts.learnSound((entry) => isValidEntry(method, entry, isStateless));
  if (isComplete && result && parts.areSound && isSound(method, result, isStateless)) return response;
  const rebuilt: Record<string, unknown> = result ?? { [bareResultKey]: parts.parse(resultAt) };
  parts.readWhole(rebuilt);
  readBareResult(method, rebuilt);
  parts.addUncheckedMembers(rebuilt, (text) => new VerbatimJson(text));
  await parts.repairList(rebuilt, (entries, at) => {
    const some = { [list ?? '']: entries };
    repairForApp(method, some, { isStateless, at, onUnusable, textOf: (index) => parts.textOf(at + index) });
    const repairedList: unknown = some[list ?? ''];
    return Array.isArray(repairedList) ? repairedList.map((entry) => asWritten(entry)) : [];
  });
  repairForApp(method, rebuilt, { isStateless, onUnusable, textOf: (index) => parts.textOf(index) });
  const text = parts.write(rebuilt, (value) => (value instanceof VerbatimJson ? value.text : undefined));
  const repaired = readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${text}}`));
  return repaired.kind === 'response' ? repaired : response;

  function asWritten(entry: unknown): unknown {
    return entry instanceof VerbatimJson ? entry : new VerbatimJson(parts.stringify(entry));
  }
}

/** Repairs a malformed error: apps would ignore it and wait for the response forever. */
function repairError(response: ResponseEnvelope): ResponseEnvelope {
  const { jsonrpc, error, result } = response.message;
  if (isRpcError(error) && jsonrpc === '2.0' && result === undefined) return response;
  const text = `{"jsonrpc":"2.0","id":${response.id},"error":${JSON.stringify(readError(error))}}`;
  const repaired = readEnvelope(Buffer.from(text));
  return repaired.kind === 'response' ? repaired : response;
}

/** Whether the other members are valid, given a valid list. */
function isSound(method: string, result: JsonObject, isStateless: boolean): boolean {
  if (isPendingResult(result)) return true;
  const { _meta, nextCursor, description, instructions, isError, structuredContent } = result;
  const texts = [nextCursor, description, instructions];
  if (texts.some((text) => text !== undefined && typeof text !== 'string')) return false;
  if (_meta !== undefined && !isObject(_meta)) return false;
  if (isStateless && !hasCacheMembers(method, result)) return false;
  const list = entriesOf.get(method);
  if (list !== undefined && !Array.isArray(result[list])) return false;
  switch (method) {
    case 'tools/call':
    case 'tasks/result':
      if (isError !== undefined && typeof isError !== 'boolean') return false;
      return (
        structuredContent === undefined || isObject(structuredContent) || (isStateless && structuredContent !== null)
      );
    case 'completion/complete':
      return isCompletion(result['completion']);
    case 'initialize':
      return (
        typeof result['protocolVersion'] === 'string' && isNamed(result['serverInfo']) && arePlainCapabilities(result)
      );
    case 'server/discover':
      return arePlainCapabilities(result);
    default:
      return true;
  }
}

/** Required members of every result (MCP 2026-07-28), and of every cacheable one. */
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

/** Capabilities that are objects of booleans and further objects. */
function arePlainCapabilities({ capabilities }: JsonObject): boolean {
  if (!isObject(capabilities) || 'tasks' in capabilities) return false;
  const flags = new Set(['listChanged', 'subscribe']);
  return Object.values(capabilities).every(
    (capability) =>
      isObject(capability) &&
      Object.entries(capability).every(([name, value]) =>
        flags.has(name) ? typeof value === 'boolean' : isObject(value),
      ),
  );
}

/** The members of one result, with its list entry by entry. */
class ResultParts {
  readonly #bytes: Buffer;
  readonly #list: string | undefined;
  #members: ReadonlyMap<string, Span> = new Map();
  readonly #entries: Span[] = [];
  readonly #sound = new Set<number>();
  /** Entries that are not plain, by index. */
  readonly #doubtful = new Map<number, unknown>();
  /** Objects with more values than one message may have. Passed on unchanged. */
  readonly #large = new Set<Span>();
  /** Long values of which only the outline is parsed, unless something has to be repaired. */
  readonly #outlined = new Set<Span>();
  #written: ((text: string) => unknown) | undefined;
  /** Numbers that JavaScript would write differently. */
  readonly #numbers = new Map<object, Map<string, string>>();

  constructor(bytes: Buffer, list: string | undefined) {
    this.#bytes = bytes;
    this.#list = list;
  }

  get areSound(): boolean {
    return this.#sound.size === this.#entries.length;
  }

  /** Reads the object or list that begins at `start`. */
  async read(start: number): Promise<Record<string, unknown>> {
    const result: Record<string, unknown> = {};
    const list = this.#list;
    if (list !== undefined && this.#bytes[start] === openArray) return { [list]: await this.#readList(list, start) };
    this.#members = await membersOf(this.#bytes, start);
    for (const [name, span] of this.#members) {
      const isList = name === list && this.#bytes[span.start] === openArray;
      if (isList) setMember(result, name, await this.#readList(name, span.start));
      else if (checked.has(name)) setMember(result, name, await this.#inspect(span));
    }
    return result;
  }

  /** Replaces outlines with values. */
  readWhole(result: Record<string, unknown>): void {
    for (const [name, span] of this.#members) if (this.#outlined.has(span)) setMember(result, name, this.parse(span));
  }

  /** The value, or the outline of a long one. */
  async #inspect(span: Span): Promise<unknown> {
    if (span.end - span.start <= longValue) return this.parse(span);
    const isObjectAt = this.#bytes[span.start] === openObject;
    const outline = await outlineOf(this.#bytes, span, {
      maxValues: isObjectAt && span.end - span.start > mcpMessage.nodes ? mcpMessage.nodes : Infinity,
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
      const entry = await this.#inspect(span);
      if (this.#large.has(span) || isPlainEntry(list, entry)) this.#sound.add(index);
      else this.#doubtful.set(index, this.#outlined.has(span) ? this.parse(span) : entry);
      await yieldIfBusy();
    }
    return [];
  }

  /** Checks entries that are not plain with `isSoundEntry`. */
  async learnSound(isSoundEntry: (entry: unknown) => boolean): Promise<void> {
    for (const [index, entry] of this.#doubtful) {
      if (isSoundEntry(entry)) this.#sound.add(index);
      await yieldIfBusy();
    }
  }

  /** Replaces the list entries with their repaired form, in slices. */
  async repairList(
    result: Record<string, unknown>,
    repair: (entries: unknown[], at: number) => unknown[],
  ): Promise<void> {
    const list = this.#list ?? '';
    if (this.#entries.length === 0 || !Array.isArray(result[list])) return;
    const repaired: unknown[] = [];
    for (const [index, span] of this.#entries.entries()) {
      repaired.push(
        ...repair(
          [this.#sound.has(index) ? this.#written?.(textAt(this.#bytes, span)) : this.#doubtful.get(index)],
          index,
        ),
      );
      await yieldIfBusy();
    }
    result[list] = repaired;
  }

  parse(span: Span): unknown {
    const numbers = this.#numbers;
    return JSON.parse(textAt(this.#bytes, span), function revive(
      this: object,
      name: string,
      value: unknown,
      context?: { readonly source?: string },
    ) {
      const source = context?.source;
      if (typeof value !== 'number' || source === undefined || JSON.stringify(value) === source) return value;
      const sources = numbers.get(this) ?? new Map<string, string>();
      numbers.set(this, sources.set(name, source));
      return value;
    } as (this: object, name: string, value: unknown) => unknown);
  }

  /** Text of an entry, or of the list itself if it is not an array. */
  textOf(index: number): string {
    return textAt(this.#bytes, this.#entries[index] ?? this.#members.get(this.#list ?? ''));
  }

  /** Adds unchecked members, unchanged. */
  addUncheckedMembers(result: Record<string, unknown>, written: (text: string) => unknown): void {
    this.#written = written;
    for (const [name, span] of this.#members) {
      const isRead = checked.has(name) && !this.#large.has(span);
      const isStructure = name === 'structuredContent' && isObject(result[name]);
      if (!isRead || isStructure) setMember(result, name, written(textAt(this.#bytes, span)));
    }
  }

  /** The result as text. `written`: the original text of a value that is passed on unchanged. */
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

/** Works for `__proto__` too. */
function setMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** If a name appears twice, the last one counts. */
async function membersOf(bytes: Buffer, start: number): Promise<Map<string, Span>> {
  const members = new Map<string, Span>();
  for await (const { name, ...span } of partsOf(bytes, start)) members.set(name, span);
  return members;
}

/** Bytes from which a value is not parsed just to check it. */
const longValue = 64 * 1_024;

/** Direct children of the object or array that begins at or after `from`, with their names. `bytes`: valid JSON. */
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
    await yieldIfBusy();
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
