// Removes entries from list responses without changing any other byte.

import { isObject } from '../../../shared/json-object.ts';
import { yieldIfBusy } from '../../yield-if-busy.ts';
import { closeObject, JsonTokens, openArray, openObject, quote } from '../../json-tokens.ts';
import { mcpListing } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { surveyInSlices, surveyJson } from '../../mcp/messages/survey-json.ts';
import { asObject, readEnvelope } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject } from '../messages/envelope.ts';
import { listMemberOf } from '../messages/lists.ts';

/** `raw`: JSON text of the tool. */
type IsHidden = (tool: JsonObject, raw: Buffer) => boolean;

/** Position of an entry, in bytes. */
interface EntrySpan {
  readonly start: number;
  readonly end: number;
  /** Index of the list it is in, if a message has several. */
  readonly list: number;
}

/** A `tools/list` response without hidden tools; every other byte is unchanged. `response`: valid JSON. */
export async function withoutTools(response: Buffer, isHidden: IsHidden): Promise<Buffer> {
  const spans = await entrySpans('tools', response);
  const hidden = new Set<EntrySpan>();
  for (const span of spans) {
    if (isHidden(...toolAt(response, span))) hidden.add(span);
    await yieldIfBusy();
  }
  if (hidden.size === 0) return response;
  const pieces: Buffer[] = [];
  let from = 0;
  let isBare = true;
  for (const [index, span] of spans.entries()) {
    const before = spans[index - 1];
    const isFirst = before?.list !== span.list;
    // Remove the comma before a hidden entry, but keep the opening bracket of the list.
    const gap = response.subarray(isFirst ? from : before.end, span.start);
    if (isFirst) pieces.push(gap);
    if (isFirst) isBare = true;
    if (!hidden.has(span)) {
      pieces.push(...(isBare ? [] : [gap]), response.subarray(span.start, span.end));
      isBare = false;
    }
    from = span.end;
  }
  const result = Buffer.concat([...pieces, response.subarray(from)]);
  return (await isClean(result, isHidden)) ? result : rebuild(response, isHidden);
}

/** Whether the result is valid and has no hidden tool: the text between entries may be unexpected. */
async function isClean(text: Buffer, isHidden: IsHidden): Promise<boolean> {
  await surveyInSlices(text);
  if (!surveyJson(text).isJson) return false;
  for (const span of await entrySpans('tools', text)) {
    if (isHidden(...toolAt(text, span))) return false;
    await yieldIfBusy();
  }
  return true;
}

function rebuild(response: Buffer, isHidden: IsHidden): Buffer {
  const message = parseExactly(response.toString('utf8'));
  if (!isObject(message) || !isObject(message['result'])) return response;
  const tools = toolsOf(message).filter((tool) => !isObject(tool) || !isHidden(...asWritten(tool)));
  return Buffer.from(JSON.stringify({ ...message, result: { ...message['result'], tools } }));
}

function toolsOf(message: unknown): readonly unknown[] {
  const result = isObject(message) ? message['result'] : undefined;
  const tools = isObject(result) ? result['tools'] : undefined;
  return Array.isArray(tools) ? tools : [];
}

/**
 * Byte ranges of the objects in a list of `result`; of all such lists if the member appears twice. `limit`: stop after
 * that many.
 */
async function entrySpans(list: string, bytes: Buffer, limit = Infinity): Promise<readonly EntrySpan[]> {
  const spans: EntrySpan[] = [];
  const tokens = new JsonTokens(bytes);
  /** The last member name seen at the top level, and inside the object there. */
  const names = ['', '', ''];
  let [start, number] = [0, 0];
  while (spans.length < limit && tokens.beginSlice()) {
    while (spans.length < limit && tokens.next(4)) {
      const { kind, depth } = tokens;
      const isOpening = kind === openObject || kind === openArray;
      if (tokens.isName && kind === quote && depth <= 2) names[depth] = tokens.text(Infinity);
      // What opens in a list has no name.
      else if (isOpening && depth <= 2) names[depth] = '';
      if (depth < 3 || names[1] !== 'result' || names[2] !== list) continue;
      if (isOpening && depth === 3) number += 1;
      else if (kind === openObject && depth === 4) start = tokens.start;
      else if (kind === closeObject && depth === 4) spans.push({ start, end: tokens.end, list: number });
    }
    await yieldIfBusy();
  }
  return spans;
}

/** Every tool of a `tools/list` response with its own text, one by one. `response`: valid JSON. */
export async function* toolsIn(response: Buffer): AsyncGenerator<readonly [tool: JsonObject, raw: Buffer]> {
  for (const span of await entrySpans('tools', response)) yield toolAt(response, span);
}

/** The result of `tools/list` without its tools. `response`: valid JSON. */
export async function resultWithoutTools(response: Buffer): Promise<JsonObject> {
  const spans = await entrySpans('tools', response);
  const [first, last] = [spans[0], spans.at(-1)];
  const text = first && last ? [response.subarray(0, first.start), response.subarray(last.end)] : [response];
  const survey = surveyJson(Buffer.concat(text));
  // The text between entries may be anything if this is not an MCP list.
  const message = JSON.parse((survey.isJson ? Buffer.concat(text) : response).toString('utf8')) as JsonObject;
  return asObject(message['result']);
}

/**
 * Truncates a list to the limits of the command line (`mcpListing`) and adds how many bytes are left out. `response`:
 * valid JSON.
 */
export async function truncateResponse(method: string, response: ResponseEnvelope): Promise<ResponseEnvelope> {
  const member = listMemberOf(method);
  const bytes = member === undefined || response.hasError ? response.bytes : await truncateListing(member, response);
  const bounded = bytes === response.bytes ? response : readEnvelope(bytes);
  return bounded.kind === 'response' ? bounded : response;
}

async function truncateListing(member: string, { bytes, id }: Pick<ResponseEnvelope, 'bytes' | 'id'>): Promise<Buffer> {
  const spans = await entrySpans(member, bytes, mcpListing.entries + 1);
  // If there are several lists, the last one counts.
  const own = spans.filter(({ list }) => list === spans.at(-1)?.list);
  const [first] = own;
  if (!first) return bytes;
  const fitting = own.slice(0, mcpListing.entries).filter(({ end }) => end - first.start <= mcpListing.size);
  const last = fitting.at(-1);
  if (spans.length <= mcpListing.entries && fitting.length === own.length) return bytes;
  const included = last ? bytes.subarray(first.start, last.end) : Buffer.alloc(0);
  const leftOut = JSON.stringify({ bytes: bytes.byteLength - included.byteLength, entriesPassedOn: fitting.length });
  // Required in stateless results; session apps ignore these members.
  const rest = `"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"dev.postern/left-out":${leftOut}}`;
  return Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{${JSON.stringify(member)}:[`),
    included,
    Buffer.from(`],${rest}}}`),
  ]);
}

function toolAt(text: Buffer, { start, end }: EntrySpan): readonly [tool: JsonObject, raw: Buffer] {
  const raw = text.subarray(start, end);
  return [JSON.parse(raw.toString('utf8')) as JsonObject, raw];
}

/** Like `toolAt`, for a tool from `parseExactly`. */
function asWritten(tool: JsonObject): readonly [tool: JsonObject, raw: Buffer] {
  const raw = Buffer.from(JSON.stringify(tool));
  return toolAt(raw, { start: 0, end: raw.byteLength, list: 0 });
}
