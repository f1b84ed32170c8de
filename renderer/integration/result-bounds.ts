import type { ContentView } from '../../shared/mcp-view.ts';
import type { CapabilityResult } from './runs.ts';

/** Content items that are rendered. */
const maxItems = 100;

interface FirstPieces {
  /** Each item with its index in the whole result, by which it is saved. */
  readonly parts: readonly {
    readonly role?: CapabilityResult['parts'][number]['role'];
    readonly pieces: readonly { readonly piece: ContentView; readonly index: number }[];
  }[];
  /** Number of items not rendered. */
  readonly more: number;
}

/** The first content items; a server may send a hundred thousand. */
export function firstPieces({ parts }: CapabilityResult): FirstPieces {
  let next = 0;
  const first = parts.map(({ role, content }) => {
    const pieces = content.map((piece) => ({ piece, index: next++ })).filter((entry) => entry.index < maxItems);
    return { ...(role && { role }), pieces };
  });
  return { parts: first.filter(({ pieces }) => pieces.length > 0), more: Math.max(0, next - maxItems) };
}

/** Table cells; a hundred rows may have twenty thousand columns. */
const maxCells = 5_000;

/** Union of the rows' keys, in order of first appearance. `undefined`: too many for a table. */
export function tableColumns(rows: readonly object[]): readonly string[] | undefined {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return columns.length * rows.length <= maxCells ? columns : undefined;
}
