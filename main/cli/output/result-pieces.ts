import { type CutTexts, unescapeInPlace } from '../../mcp/messages/cut-texts.ts';
import type { ToolResult } from '../../integration/use/use-server.ts';

type Content = ToolResult['content'][number];

/** A part of what a server answered: text as it came, the name of something to read, or bytes. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly bytes?: Buffer }
  | { readonly kind: 'link'; readonly uri: string }
  | {
      readonly kind: 'bytes';
      readonly what: 'image' | 'audio' | 'resource';
      readonly mimeType: string;
      readonly base64: string;
    };

/** The parts of an answer in their order. A tool that gives its data alone gives it as one text. */
export function piecesOf(
  { content, structuredContent }: Pick<ToolResult, 'content' | 'structuredContent'>,
  cut: CutTexts = new Map(),
): readonly Piece[] {
  if (content.length === 0 && structuredContent !== undefined) {
    return [{ kind: 'text', text: withCut(JSON.stringify(structuredContent), cut) }];
  }
  return content.map((block) => pieceOf(block, cut));
}

/** JSON with the long texts that were cut out of it, which are JSON as well. */
function withCut(text: string, cut: CutTexts): string {
  return [...cut].reduce((whole, [word, was]) => whole.replace(word, () => was.toString()), text);
}

function textPiece(text: string, cut: CutTexts): Piece {
  const was = cut.get(text);
  if (!was) return { kind: 'text', text };
  // Once: it is written over.
  cut.delete(text);
  return { kind: 'text', text: '', bytes: unescapeInPlace(was) };
}

function pieceOf(content: Content, cut: CutTexts): Piece {
  switch (content.type) {
    case 'text':
      return textPiece(content.text, cut);
    case 'image':
    case 'audio':
      return { kind: 'bytes', what: content.type, mimeType: content.mimeType, base64: content.data };
    case 'resource_link':
      return { kind: 'link', uri: content.uri };
    case 'resource':
      return 'text' in content.resource
        ? textPiece(content.resource.text, cut)
        : {
            kind: 'bytes',
            what: 'resource',
            mimeType: content.resource.mimeType ?? 'application/octet-stream',
            base64: content.resource.blob,
          };
    default:
      return { kind: 'text', text: withCut(JSON.stringify(content), cut) };
  }
}

/**
 * What goes to a file or a pipe, byte for byte: the one piece that is not text, or all texts and links, each beginning
 * on a line of its own.
 */
export function unchangedPieces(pieces: readonly Piece[]): readonly (string | Buffer)[] {
  const [first, ...more] = pieces;
  if (first?.kind === 'bytes' && more.length === 0) return [Buffer.from(first.base64, 'base64')];
  const texts = pieces.flatMap((piece): readonly (string | Buffer)[] =>
    piece.kind === 'bytes' ? [] : [piece.kind === 'text' ? (piece.bytes ?? piece.text) : piece.uri],
  );
  return texts.flatMap((text, index) => (index > 0 && !endsLine(texts[index - 1]) ? ['\n', text] : [text]));
}

/** Whether what comes next begins a line. */
export function endsLine(text: string | Uint8Array | undefined): boolean {
  return (typeof text === 'string' ? text.slice(-1) : text && String.fromCharCode(text[text.length - 1] ?? 0)) === '\n';
}

/** Of what is left out there. */
export function leftOut(pieces: readonly Piece[]): number {
  return pieces.length < 2 ? 0 : pieces.filter(({ kind }) => kind === 'bytes').length;
}

/** Bytes that a text of base64 stands for, without decoding it. */
export function decodedLength(base64: string): number {
  return Math.max(0, Math.floor((base64.length * 3) / 4) - (/={0,2}$/u.exec(base64.slice(-2))?.[0].length ?? 0));
}
