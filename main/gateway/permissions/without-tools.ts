import { isObject } from '../messages/envelope.ts';
import type { JsonObject } from '../messages/envelope.ts';
import { parseExactly } from '../../exact-json.ts';

const [quote, backslash] = [0x22, 0x5c];
const [openObject, closeObject, openArray, closeArray, colon] = [0x7b, 0x7d, 0x5b, 0x5d, 0x3a];

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
export function withoutTools(answer: Buffer, isHidden: IsHidden): Buffer {
  const places = placesOfTools(answer);
  const hidden = new Set(places.filter((place) => isHidden(...toolAt(answer, place))));
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
  return isClean(left, isHidden) ? left : rewritten(answer, isHidden);
}

/** What stands between entries of a list that is none of MCP may not be what is expected. */
function isClean(text: Buffer, isHidden: IsHidden): boolean {
  try {
    JSON.parse(text.toString('utf8'));
    return !placesOfTools(text).some((place) => isHidden(...toolAt(text, place)));
  } catch {
    return false;
  }
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

/** The objects in the list `tools` of the member `result`; of every such list, where a member stands twice. */
function placesOfTools(bytes: Buffer): readonly Place[] {
  const places: Place[] = [];
  /** The name under which each open container stands. */
  const names: string[] = [];
  let [name, text] = ['', ''];
  let [start, list] = [0, 0];
  for (let at = 0; at < bytes.byteLength; at += 1) {
    switch (bytes[at]) {
      case quote: {
        const end = endOfString(bytes, at + 1);
        if (names.length <= 2) text = bytes.toString('utf8', at, end + 1);
        at = end;
        break;
      }
      case colon:
        if (names.length <= 2) name = String(JSON.parse(text));
        break;
      case openObject:
      case openArray:
        if (bytes[at] === openObject && isList(names)) start = at;
        names.push(names.length <= 2 ? name : '');
        name = '';
        if (isList(names)) list += 1;
        break;
      case closeObject:
      case closeArray:
        names.pop();
        if (bytes[at] === closeObject && isList(names)) places.push({ start, end: at + 1, list });
        break;
      default:
    }
  }
  return places;
}

function isList(names: readonly string[]): boolean {
  return names.length === 3 && names[1] === 'result' && names[2] === 'tools';
}

function endOfString(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.byteLength; at += 1) {
    if (bytes[at] === quote) return at;
    if (bytes[at] === backslash) at += 1;
  }
  return bytes.byteLength;
}

/** Every tool in an answer to `tools/list`, with its own text. `answer`: sound JSON. */
export function toolsIn(answer: Buffer): readonly (readonly [tool: JsonObject, raw: Buffer])[] {
  return placesOfTools(answer).map((place) => toolAt(answer, place));
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
