import type { ToolResult } from '../../integration/use/use-server.ts';

type Content = ToolResult['content'][number];

/** A part of what a server answered: text as it came, the name of something to read, or bytes. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly uri: string }
  | {
      readonly kind: 'bytes';
      readonly what: 'image' | 'audio' | 'resource';
      readonly mimeType: string;
      readonly base64: string;
    };

/** The parts of an answer in their order. A tool that gives its data alone gives it as one text. */
export function piecesOf({
  content,
  structuredContent,
}: Pick<ToolResult, 'content' | 'structuredContent'>): readonly Piece[] {
  if (content.length === 0 && structuredContent !== undefined)
    return [{ kind: 'text', text: JSON.stringify(structuredContent) }];
  return content.map(pieceOf);
}

function pieceOf(content: Content): Piece {
  switch (content.type) {
    case 'text':
      return { kind: 'text', text: content.text };
    case 'image':
    case 'audio':
      return { kind: 'bytes', what: content.type, mimeType: content.mimeType, base64: content.data };
    case 'resource_link':
      return { kind: 'link', uri: content.uri };
    case 'resource':
      return 'text' in content.resource
        ? { kind: 'text', text: content.resource.text }
        : {
            kind: 'bytes',
            what: 'resource',
            mimeType: content.resource.mimeType ?? 'application/octet-stream',
            base64: content.resource.blob,
          };
  }
}

/**
 * What goes to a file or a pipe, byte for byte: the one piece that is not text, or all texts and links, each beginning
 * on a line of its own.
 */
export function unchangedPieces(pieces: readonly Piece[]): readonly (string | Uint8Array)[] {
  const [first, ...more] = pieces;
  if (first?.kind === 'bytes' && more.length === 0) return [Buffer.from(first.base64, 'base64')];
  const texts = pieces.flatMap((piece) =>
    piece.kind === 'bytes' ? [] : piece.kind === 'text' ? piece.text : piece.uri,
  );
  return texts.flatMap((text, index) => (index > 0 && !texts[index - 1]?.endsWith('\n') ? ['\n', text] : [text]));
}

/** Of what is left out there. */
export function leftOut(pieces: readonly Piece[]): number {
  return pieces.length < 2 ? 0 : pieces.filter(({ kind }) => kind === 'bytes').length;
}

/** Bytes that a text of base64 stands for, without decoding it. */
export function decodedLength(base64: string): number {
  return Math.max(0, Math.floor((base64.length * 3) / 4) - (/={0,2}$/u.exec(base64.slice(-2))?.[0].length ?? 0));
}
