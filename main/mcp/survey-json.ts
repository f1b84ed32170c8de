const quote = 0x22;
const backslash = 0x5c;
const [comma, colon, openObject, closeObject, openArray, closeArray] = [0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d];
/** Bytes of an `id` that somebody may have asked with. */
const longestId = 256;

/** What the text of a JSON-RPC message is, as far as one look over its bytes tells. */
export interface JsonSurvey {
  /** Values in it, or a few more: what it costs once it is parsed grows with them. */
  readonly nodes: number;
  /** Of a message: its `id` as JSON text. */
  readonly id: string | undefined;
  /** Of a message: it is a request or a notification. */
  readonly hasMethod: boolean;
}

/**
 * Looks over JSON text without building anything of it. Text that is no JSON surveys to something; parsing it says so.
 */
export function surveyJson(bytes: Uint8Array): JsonSurvey {
  let nodes = 1;
  let depth = 0;
  let hasMethod = false;
  let id: string | undefined;
  /** The last string of the outermost level: a name, if a colon follows. */
  let text = { start: 0, end: 0 };
  let idStart = -1;

  function endMember(end: number): void {
    if (depth === 1 && idStart >= 0) {
      id = end - idStart > longestId ? undefined : asText(bytes.subarray(idStart, end)).trim();
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
        if (depth !== 1 || text.end - text.start > 'method'.length) break;
        if (asText(bytes.subarray(text.start, text.end)) === 'id') idStart = index + 1;
        else if (asText(bytes.subarray(text.start, text.end)) === 'method') hasMethod = true;
        break;
      case openObject:
      case openArray:
        nodes += 1;
        depth += 1;
        break;
      case closeObject:
      case closeArray:
        endMember(index);
        depth -= 1;
        break;
      default:
    }
  }
  return { nodes, id, hasMethod };
}

function endOfString(bytes: Uint8Array, start: number): number {
  let index = start;
  for (; index < bytes.byteLength && bytes[index] !== quote; index += 1) if (bytes[index] === backslash) index += 1;
  return index;
}

function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
