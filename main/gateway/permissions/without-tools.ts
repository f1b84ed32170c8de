import { fairTurn } from '../../fair-turn.ts';
import { closeObject, JsonTokens, openArray, openObject, quote } from '../../json-tokens.ts';
import { mcpListing } from '../../limits.ts';
import { parseExactly } from '../../mcp/messages/exact-json.ts';
import { surveyInTurn, surveyJson } from '../../mcp/messages/survey-json.ts';
import { isObject, readEnvelope } from '../messages/envelope.ts';
import type { AnswerEnvelope, JsonObject } from '../messages/envelope.ts';
import { memberOf } from './offer-of.ts';

/** `raw`: as it came. */
type IsHidden = (tool: JsonObject, raw: Buffer) => boolean;

/** Where an entry stands, in bytes. */
interface Place {
  readonly start: number;
  readonly end: number;
  /** Which list it is in, where a message has several. */
  readonly list: number;
}

/**
 * An answer to `tools/list` without some of the tools: every other byte stays as it came. `answer`: sound JSON.
 */
export async function withoutTools(answer: Buffer, isHidden: IsHidden): Promise<Buffer> {
  const places = await placesOf('tools', answer);
  const hidden = new Set<Place>();
  for (const place of places) {
    if (isHidden(...toolAt(answer, place))) hidden.add(place);
    await fairTurn();
  }
  if (hidden.size === 0) return answer;
  const pieces: Buffer[] = [];
  let from = 0;
  let isBare = true;
  for (const [index, place] of places.entries()) {
    const before = places[index - 1];
    const isFirst = before?.list !== place.list;
    // What stands before an entry goes with it; what opens the list stays.
    const gap = answer.subarray(isFirst ? from : before.end, place.start);
    if (isFirst) pieces.push(gap);
    if (isFirst) isBare = true;
    if (!hidden.has(place)) {
      pieces.push(...(isBare ? [] : [gap]), answer.subarray(place.start, place.end));
      isBare = false;
    }
    from = place.end;
  }
  const left = Buffer.concat([...pieces, answer.subarray(from)]);
  return (await isClean(left, isHidden)) ? left : rewritten(answer, isHidden);
}

/** What stands between entries of a list that is none of MCP may not be what is expected. */
async function isClean(text: Buffer, isHidden: IsHidden): Promise<boolean> {
  await surveyInTurn(text);
  if (!surveyJson(text).isJson) return false;
  for (const place of await placesOf('tools', text)) {
    if (isHidden(...toolAt(text, place))) return false;
    await fairTurn();
  }
  return true;
}

function rewritten(answer: Buffer, isHidden: IsHidden): Buffer {
  const message = parseExactly(answer.toString('utf8'));
  if (!isObject(message) || !isObject(message['result'])) return answer;
  const tools = toolsOf(message).filter((tool) => !isObject(tool) || !isHidden(...asWritten(tool)));
  return Buffer.from(JSON.stringify({ ...message, result: { ...message['result'], tools } }));
}

function toolsOf(message: unknown): readonly unknown[] {
  const result = isObject(message) ? message['result'] : undefined;
  const tools = isObject(result) ? result['tools'] : undefined;
  return Array.isArray(tools) ? tools : [];
}

/**
 * The objects in a list of the member `result`; of every such list, where a member stands twice. `most`: beyond so many
 * nothing is looked for.
 */
async function placesOf(list: string, bytes: Buffer, most = Infinity): Promise<readonly Place[]> {
  const places: Place[] = [];
  const tokens = new JsonTokens(bytes);
  /** The name that was last in the message, and in the object in it. */
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
    await fairTurn();
  }
  return places;
}

/** Every tool in an answer to `tools/list`, with its own text, one after the other. `answer`: sound JSON. */
export async function* toolsIn(answer: Buffer): AsyncGenerator<readonly [tool: JsonObject, raw: Buffer]> {
  for (const place of await placesOf('tools', answer)) yield toolAt(answer, place);
}

/** The result of `tools/list` but for its tools. `answer`: sound JSON. */
export async function resultWithoutTools(answer: Buffer): Promise<JsonObject> {
  const places = await placesOf('tools', answer);
  const [first, last] = [places[0], places.at(-1)];
  const text = first && last ? [answer.subarray(0, first.start), answer.subarray(last.end)] : [answer];
  const survey = surveyJson(Buffer.concat(text));
  // What stands between entries of a list that is none of MCP may be anything.
  const message = JSON.parse((survey.isJson ? Buffer.concat(text) : answer).toString('utf8')) as JsonObject;
  return isObject(message['result']) ? message['result'] : {};
}

/**
 * A listing as long as the command line takes one (`mcpListing`); beyond that it says how many bytes are left out.
 * `answer`: sound JSON.
 */
export async function boundedAnswer(method: string, answer: AnswerEnvelope): Promise<AnswerEnvelope> {
  const member = memberOf(method);
  const bytes = member === undefined || answer.hasError ? answer.bytes : await boundedListing(member, answer);
  const bounded = bytes === answer.bytes ? answer : readEnvelope(bytes);
  return bounded.kind === 'answer' ? bounded : answer;
}

async function boundedListing(member: string, { bytes, id }: Pick<AnswerEnvelope, 'bytes' | 'id'>): Promise<Buffer> {
  const places = await placesOf(member, bytes, mcpListing.entries + 1);
  // Of several lists the last counts.
  const own = places.filter(({ list }) => list === places.at(-1)?.list);
  const [first] = own;
  if (!first) return bytes;
  const fitting = own.slice(0, mcpListing.entries).filter(({ end }) => end - first.start <= mcpListing.size);
  const last = fitting.at(-1);
  if (places.length <= mcpListing.entries && fitting.length === own.length) return bytes;
  const kept = last ? bytes.subarray(first.start, last.end) : Buffer.alloc(0);
  const left = JSON.stringify({ bytes: bytes.byteLength - kept.byteLength, entriesPassedOn: fitting.length });
  // What a result has to say since 2026-07-28; for older apps three members more.
  const rest = `"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":{"dev.postern/left-out":${left}}`;
  return Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":{${JSON.stringify(member)}:[`),
    kept,
    Buffer.from(`],${rest}}}`),
  ]);
}

function toolAt(text: Buffer, { start, end }: Place): readonly [tool: JsonObject, raw: Buffer] {
  const raw = text.subarray(start, end);
  return [JSON.parse(raw.toString('utf8')) as JsonObject, raw];
}

/** The same of one whose numbers are kept as they were written. */
function asWritten(tool: JsonObject): readonly [tool: JsonObject, raw: Buffer] {
  const raw = Buffer.from(JSON.stringify(tool));
  return toolAt(raw, { start: 0, end: raw.byteLength, list: 0 });
}
