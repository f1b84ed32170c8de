import { yieldIfBusy } from '../../yield-if-busy.ts';
import { closeObject, JsonTokens, openArray, openObject, quote } from '../../json-tokens.ts';
import { mcpListing } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { surveyInSlices, surveyJson } from '../../mcp/messages/survey-json.ts';
import { isObject, readEnvelope } from '../messages/envelope.ts';
import type { ResponseEnvelope, JsonObject } from '../messages/envelope.ts';
import { listMemberOf } from './method-rules.ts';

/** `raw`: as it came. */
type IsHidden = (tool: JsonObject, raw: Buffer) => boolean;

/** Position of an entry, in bytes. */
interface Place {
  readonly start: number;
  readonly end: number;
  /** Index of the list it is in, if a message has several. */
  readonly list: number;
}

/** A `tools/list` response without some of its tools; every other byte stays as it came. `response`: valid JSON. */
export async function withoutTools(response: Buffer, isHidden: IsHidden): Promise<Buffer> {
  const places = await placesOf('tools', response);
  const hidden = new Set<Place>();
  for (const place of places) {
    if (isHidden(...toolAt(response, place))) hidden.add(place);
    await yieldIfBusy();
  }
  if (hidden.size === 0) return response;
  const pieces: Buffer[] = [];
  let from = 0;
  let isBare = true;
  for (const [index, place] of places.entries()) {
    const before = places[index - 1];
    const isFirst = before?.list !== place.list;
    // What precedes an entry goes with it; what opens the list stays.
    const gap = response.subarray(isFirst ? from : before.end, place.start);
    if (isFirst) pieces.push(gap);
    if (isFirst) isBare = true;
    if (!hidden.has(place)) {
      pieces.push(...(isBare ? [] : [gap]), response.subarray(place.start, place.end));
      isBare = false;
    }
    from = place.end;
  }
  const left = Buffer.concat([...pieces, response.subarray(from)]);
  return (await isClean(left, isHidden)) ? left : rewritten(response, isHidden);
}

/** The text between the entries may not be what MCP expects there. */
async function isClean(text: Buffer, isHidden: IsHidden): Promise<boolean> {
  await surveyInSlices(text);
  if (!surveyJson(text).isJson) return false;
  for (const place of await placesOf('tools', text)) {
    if (isHidden(...toolAt(text, place))) return false;
    await yieldIfBusy();
  }
  return true;
}

function rewritten(response: Buffer, isHidden: IsHidden): Buffer {
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

/** Objects in a list of `result`; in every such list if a member appears twice. `most`: stop after that many. */
async function placesOf(list: string, bytes: Buffer, most = Infinity): Promise<readonly Place[]> {
  const places: Place[] = [];
  const tokens = new JsonTokens(bytes);
  /** The last member name seen at the top level, and inside the object there. */
  const names = ['', '', ''];
  let [start, number] = [0, 0];
  while (places.length < most && tokens.beginSlice()) {
    while (places.length < most && tokens.next(4)) {
      const { kind, depth } = tokens;
      const isOpening = kind === openObject || kind === openArray;
      if (tokens.isName && kind === quote && depth <= 2) names[depth] = tokens.text(Infinity);
      // What opens in a list has no name.
      else if (isOpening && depth <= 2) names[depth] = '';
      if (depth < 3 || names[1] !== 'result' || names[2] !== list) continue;
      if (isOpening && depth === 3) number += 1;
      else if (kind === openObject && depth === 4) start = tokens.start;
      else if (kind === closeObject && depth === 4) places.push({ start, end: tokens.end, list: number });
    }
    await yieldIfBusy();
  }
  return places;
}

/** Every tool of a `tools/list` response with its own text, one by one. `response`: valid JSON. */
export async function* toolsIn(response: Buffer): AsyncGenerator<readonly [tool: JsonObject, raw: Buffer]> {
  for (const place of await placesOf('tools', response)) yield toolAt(response, place);
}

/** The result of `tools/list` without its tools. `response`: valid JSON. */
export async function resultWithoutTools(response: Buffer): Promise<JsonObject> {
  const places = await placesOf('tools', response);
  const [first, last] = [places[0], places.at(-1)];
  const text = first && last ? [response.subarray(0, first.start), response.subarray(last.end)] : [response];
  const survey = surveyJson(Buffer.concat(text));
  // The text between entries may be anything if this is not an MCP list.
  const message = JSON.parse((survey.isJson ? Buffer.concat(text) : response).toString('utf8')) as JsonObject;
  return isObject(message['result']) ? message['result'] : {};
}

/**
 * Cuts a list to the length that the command line accepts (`mcpListing`) and notes how many bytes are left out.
 * `response`: valid JSON.
 */
export async function boundResponse(method: string, response: ResponseEnvelope): Promise<ResponseEnvelope> {
  const member = listMemberOf(method);
  const bytes = member === undefined || response.hasError ? response.bytes : await boundedListing(member, response);
  const bounded = bytes === response.bytes ? response : readEnvelope(bytes);
  return bounded.kind === 'response' ? bounded : response;
}

async function boundedListing(member: string, { bytes, id }: Pick<ResponseEnvelope, 'bytes' | 'id'>): Promise<Buffer> {
  const places = await placesOf(member, bytes, mcpListing.entries + 1);
  // If there are several lists, the last one counts.
  const own = places.filter(({ list }) => list === places.at(-1)?.list);
  const [first] = own;
  if (!first) return bytes;
  const fitting = own.slice(0, mcpListing.entries).filter(({ end }) => end - first.start <= mcpListing.size);
  const last = fitting.at(-1);
  if (places.length <= mcpListing.entries && fitting.length === own.length) return bytes;
  const included = last ? bytes.subarray(first.start, last.end) : Buffer.alloc(0);
  const left = JSON.stringify({ bytes: bytes.byteLength - included.byteLength, entriesPassedOn: fitting.length });
  // Required in results since 2026-07-28; older apps ignore these members.
  const rest = `"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"dev.postern/left-out":${left}}`;
  return Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{${JSON.stringify(member)}:[`),
    included,
    Buffer.from(`],${rest}}}`),
  ]);
}

function toolAt(text: Buffer, { start, end }: Place): readonly [tool: JsonObject, raw: Buffer] {
  const raw = text.subarray(start, end);
  return [JSON.parse(raw.toString('utf8')) as JsonObject, raw];
}

/** The same for a tool whose numbers are kept as written. */
function asWritten(tool: JsonObject): readonly [tool: JsonObject, raw: Buffer] {
  const raw = Buffer.from(JSON.stringify(tool));
  return toolAt(raw, { start: 0, end: raw.byteLength, list: 0 });
}
