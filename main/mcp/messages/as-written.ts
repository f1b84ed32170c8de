import { parseExactly } from '../../exact-json.ts';
import type { CutTexts } from './cut-texts.ts';

/** For whoever hands answers on as the server wrote them; what a library has to understand is left as it is. */
export interface AsWritten {
  /** Takes the long texts: see `cutTexts`. */
  readonly texts?: CutTexts | undefined;
}

/** Digits that a number may lose: 16 or more, an exponent, zeros at its end, or a minus before a zero. In texts too. */
const mayDiffer = /\d{16}|\d[eE]|\.\d*0(?!\d)|-0/u;

/** `JSON.parse`, with the numbers in the `structuredContent` of results as they stood. Errors: SyntaxError. */
export function parseAsWritten(text: string): unknown {
  const parsed: unknown = JSON.parse(text);
  if (!text.includes('"structuredContent"') || !mayDiffer.test(text)) return parsed;
  const exact = parseExactly(text);
  return Array.isArray(parsed) && Array.isArray(exact)
    ? parsed.map((message: unknown, index) => withStructure(message, exact[index]))
    : withStructure(parsed, exact);
}

/** The library wants numbers where it knows of some: only what is the tool's own stays exact. */
function withStructure(message: unknown, exact: unknown): unknown {
  const result = memberOf(message, 'result');
  const structuredContent = memberOf(memberOf(exact, 'result'), 'structuredContent');
  if (structuredContent === undefined) return message;
  return { ...(message as object), result: { ...(result as object), structuredContent } };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
