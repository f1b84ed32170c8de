import type { ToolResult } from '../../integration/use/use-server.ts';
import { mcpDepth } from '../../limits.ts';
import { parseExactly } from '../../exact-json.ts';
import type { CutTexts } from '../../mcp/messages/cut-texts.ts';
import { measureJson } from '../../mcp/messages/measure-json.ts';
import { printable, printableJson } from '../text/printable.ts';
import { decodedLength, piecesOf } from './result-pieces.ts';
import type { Piece } from './result-pieces.ts';

/** Levels and characters of JSON that gets lines of its own. */
const indented = { depth: 16, size: 256 * 1_024 } as const;

/** What a tool answered, for a person. */
export function describeResult(
  result: Pick<ToolResult, 'content' | 'structuredContent'>,
  cut?: CutTexts,
): string | undefined {
  return describePieces(piecesOf(result, cut));
}

/**
 * The same of its pieces. JSON gets lines of its own as long as it is small and flat enough to be read: the spaces of
 * what is nested deeply would outgrow the answer a thousand times.
 */
export function describePieces(pieces: readonly Piece[]): string | undefined {
  const { size } = measureJson(pieces, mcpDepth);
  const parts = pieces.map((piece) => describePiece(piece, size <= indented.size));
  return parts.length === 0 ? undefined : parts.join('\n');
}

function describePiece(piece: Piece, mayIndent: boolean): string {
  switch (piece.kind) {
    case 'text':
      return describeText(piece.bytes?.toString() ?? piece.text, mayIndent);
    case 'link':
      return printable(`[resource ${piece.uri}]`);
    case 'bytes':
      return printable(`[${piece.what} ${piece.mimeType}, ${describeSize(piece.base64)}; --output FILE saves it]`);
  }
}

function describeSize(base64: string): string {
  const size = decodedLength(base64);
  return size < 10_000 ? `${size} bytes` : `${Math.round(size / 1_000)} kB`;
}

/** Many servers answer JSON as text; a person reads it better with its lines, and the same numbers. */
function describeText(text: string, mayIndent: boolean): string {
  if (!mayIndent || !/^\s*[[{]/u.test(text)) return printable(text);
  try {
    if (measureJson(JSON.parse(text), indented.depth).isTooDeep) return printable(text);
    return printableJson(parseExactly(text), 2);
  } catch {
    return printable(text);
  }
}
