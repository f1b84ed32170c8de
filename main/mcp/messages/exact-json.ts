// JSON with the numbers as the server wrote them.

import type { ExtractedTexts } from './extract-texts.ts';

interface RawJson {
  /** ECMAScript proposal json-parse-with-source: a value that is serialized exactly as given. */
  rawJSON(text: string): unknown;
}

/**
 * `JSON.parse` for values that are serialized again: a number that JavaScript would write differently (an id of 20
 * digits, `1.0`, `1e400`) keeps its text, as a value that only `JSON.stringify` understands. Errors: SyntaxError.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(text, preserveNumber);
}

function preserveNumber(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || JSON.stringify(value) === source) return value;
  return (JSON as unknown as RawJson).rawJSON(source);
}

/** For callers that pass a response on exactly as the server wrote it, except members that the library reads. */
export interface VerbatimOptions {
  /** Collects the long strings: see `extractTexts`. */
  readonly texts?: ExtractedTexts | undefined;
  /** Bytes of a message without the collected strings. Default: as for any message. */
  readonly maxBytes?: number | undefined;
}

/**
 * Numbers that may lose digits: 16 or more, an exponent, trailing zeros, or a negative zero. Matches in strings too.
 */
const mayDiffer = /\d{16}|\d[eE]|\.\d*0(?!\d)|-0/u;

/** `JSON.parse` that keeps the exact numbers in the `structuredContent` of results. Errors: SyntaxError. */
export function parseVerbatim(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!text.includes('"structuredContent"') || !mayDiffer.test(text)) return parsed;
  const exact = parseExactly(text);
  return Array.isArray(parsed) && Array.isArray(exact)
    ? parsed.map((message: unknown, index) => withStructure(message, exact[index]))
    : withStructure(parsed, exact);
}

/** The library needs real numbers in its own members: only the tool's content stays exact. */
function withStructure(message: unknown, exact: unknown): unknown {
  const result = memberOf(message, 'result');
  const structuredContent = memberOf(memberOf(exact, 'result'), 'structuredContent');
  if (structuredContent === undefined) return message;
  return { ...(message as object), result: { ...(result as object), structuredContent } };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
