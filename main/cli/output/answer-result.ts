import type { ToolResult } from '../../integration/use/use-server.ts';
import type { CutTexts } from '../../mcp/messages/cut-texts.ts';
import { printableLine } from '../text/printable.ts';
import { describePieces } from './describe-result.ts';
import type { Answer, Output } from './output.ts';
import { leftOut, piecesOf, unchangedPieces } from './result-pieces.ts';
import type { Piece } from './result-pieces.ts';
import { savePieces } from './save-result.ts';
import type { SavedPiece, SaveTarget } from './save-result.ts';

export type Answered = Pick<ToolResult, 'content' | 'structuredContent'>;

/** A file that `--output` has written, as `--json` tells it. */
interface WrittenFile {
  readonly path: string;
  readonly size: number;
  readonly mimeType: string;
}

/**
 * What a server answered, as standard output takes it: shown on a terminal, byte for byte anywhere else, and with
 * `target` in files. `fields` get the answer without what is in files. Errors: OUTPUT_FAILED.
 */
export async function answerWith(
  { output }: { readonly output: Output },
  answered: Answered,
  {
    name,
    target,
    cut,
  }: { readonly name: string; readonly target: SaveTarget | undefined; readonly cut?: CutTexts | undefined },
  fields: (content: Answered['content'], files: { readonly files?: readonly WrittenFile[] }) => Answer['fields'],
): Promise<Answer> {
  const pieces = piecesOf(answered, cut);
  const saved = target ? await savePieces(target, name, pieces) : [];
  for (const { file, size } of new Map(saved.map((one) => [one.file, one])).values())
    output.say(`Saved ${printableLine(file, 500)} (${size} bytes).`);
  const files = target && { files: [...new Map(saved.map((one) => [one.file, toWritten(one)])).values()] };
  const told = { fields: fields(withoutSaved(answered.content, pieces, saved), files ?? {}) };
  if (output.json) return told;
  const rest = pieces.filter((piece) => !saved.some((one) => one.piece === piece));
  if (output.isShown) return { ...told, text: describePieces(rest) };
  const left = leftOut(rest);
  if (left > 0)
    output.tell(
      `${left === 1 ? 'One piece' : `${left} pieces`} of the answer cannot be printed; --output DIR saves it.`,
    );
  return { ...told, unchanged: unchangedPieces(rest) };
}

function toWritten({ piece, file, size }: SavedPiece): WrittenFile {
  return { path: file, size, mimeType: piece.kind === 'bytes' ? piece.mimeType : 'text/plain' };
}

/** Bytes that stand in a file stand there alone: `data` and `blob` are left out. */
function withoutSaved(
  content: Answered['content'],
  pieces: readonly Piece[],
  saved: readonly SavedPiece[],
): Answered['content'] {
  if (saved.length === 0) return content;
  return content.map((block, index) => {
    const one = saved.find(({ piece }) => piece === pieces[index]);
    if (one?.piece.kind !== 'bytes') return block;
    const rest = Object.entries(block).filter(([name]) => name !== 'data' && name !== 'resource');
    const resource = 'resource' in block && { resource: { ...block.resource, blob: undefined } };
    return { ...Object.fromEntries(rest), ...resource, file: one.file } as unknown as typeof block;
  });
}
