const quote = 0x22;
const backslash = 0x5c;
const [comma, colon, openObject, closeObject, openArray, closeArray] = [0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d];
/** Bytes of an `id` that somebody may have asked with. */
const longestId = 256;
/** Bytes of `method` with every letter of it escaped. */
const longestName = 6 * 'method'.length;

/** What the text of a JSON-RPC message is, as far as one look over its bytes tells. */
export interface JsonSurvey {
  /** Values in it, or a few more: what it costs once it is parsed grows with them. */
  readonly nodes: number;
  /** Levels of objects and arrays. */
  readonly depth: number;
  /** Of a message: its `id` as JSON text. */
  readonly id: string | undefined;
  /** Where that text stands, in bytes. */
  readonly idAt: { readonly start: number; readonly end: number } | undefined;
  /** Of a message: it is a request or a notification. */
  readonly hasMethod: boolean;
}

/**
 * Looks over JSON text without building anything of it. Text that is no JSON surveys to something; parsing it says so.
 */
export function surveyJson(bytes: Uint8Array): JsonSurvey {
  let nodes = 1;
  let depth = 0;
  let deepest = 0;
  let hasMethod = false;
  let id: string | undefined;
  let idAt: JsonSurvey['idAt'];
  /** The last string of the outermost level: a name, if a colon follows. */
  let text = { start: 0, end: 0 };
  let idStart = -1;

  function endMember(end: number): void {
    if (depth === 1 && idStart >= 0) {
      const value = asText(bytes.subarray(idStart, Math.min(end, idStart + longestId + 1)));
      const start = idStart + (value.length - value.trimStart().length);
      id = end - idStart > longestId ? undefined : value.trim();
      idAt = id === undefined ? undefined : { start, end: start + Buffer.byteLength(id) };
      idStart = -1;
    }
  }

  for (let index = 0; index < bytes.byteLength; index += 1) {
    switch (bytes[index]) {
      case quote: {
        const start = index + 1;
        index = endOfString(bytes, start);
        if (depth === 1) text = { start, end: index };
        break;
      }
      case comma:
        endMember(index);
        nodes += 1;
        break;
      case colon:
        if (depth !== 1 || text.end - text.start > longestName) break;
        switch (readName(bytes.subarray(text.start, text.end))) {
          case 'id':
            idStart = index + 1;
            break;
          case 'method':
            hasMethod = true;
            break;
          default:
        }
        break;
      case openObject:
      case openArray:
        nodes += 1;
        depth += 1;
        if (depth > deepest) deepest = depth;
        break;
      case closeObject:
      case closeArray:
        endMember(index);
        depth -= 1;
        break;
      default:
    }
  }
  return { nodes, depth: deepest, id, idAt, hasMethod };
}

/**
 * Looks for quotes alone, which skips over long text quickly; one after an odd number of backslashes ends nothing. The
 * next quote is near, as a rule, and then a call for it would cost more than it saves.
 */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = nextQuote(bytes, start); end < bytes.byteLength; end = nextQuote(bytes, end + 1)) {
    let before = end;
    while (before > start && bytes[before - 1] === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return bytes.byteLength;
}

function nextQuote(bytes: Uint8Array, start: number): number {
  const near = Math.min(start + 64, bytes.byteLength);
  for (let at = start; at < near; at += 1) if (bytes[at] === quote) return at;
  const found = bytes.indexOf(quote, near);
  return found < 0 ? bytes.byteLength : found;
}

/** A name of a member, which may be written with escapes. */
function readName(bytes: Uint8Array): string {
  const text = asText(bytes);
  if (!text.includes('\\')) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
