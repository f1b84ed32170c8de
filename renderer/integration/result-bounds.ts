import type { ContentView } from '../../shared/mcp-view.ts';
import type { OfferResult } from './trials.ts';

/** Pieces of a result that are drawn. */
const most = 100;

interface FirstPieces {
  /** Each piece with its place in the whole result, by which it is saved. */
  readonly parts: readonly {
    readonly role?: OfferResult['parts'][number]['role'];
    readonly pieces: readonly { readonly piece: ContentView; readonly place: number }[];
  }[];
  /** How many are not drawn. */
  readonly more: number;
}

/** The first pieces of a result: a server may send a hundred thousand. */
export function firstPieces({ parts }: OfferResult): FirstPieces {
  let place = 0;
  const first = parts.map(({ role, content }) => {
    const pieces = content.map((piece) => ({ piece, place: place++ })).filter((shown) => shown.place < most);
    return { ...(role && { role }), pieces };
  });
  return { parts: first.filter(({ pieces }) => pieces.length > 0), more: Math.max(0, place - most) };
}

/** Cells of a table; a hundred rows may name twenty thousand columns. */
const mostCells = 5_000;

/** What things have between them, in the order of its first mention. `undefined`: too much for a table. */
export function tableColumns(rows: readonly object[]): readonly string[] | undefined {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return columns.length * rows.length <= mostCells ? columns : undefined;
}
