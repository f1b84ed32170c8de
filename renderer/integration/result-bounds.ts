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
/** Columns that fit next to the list of tools. */
const maxColumns = 5;

/**
 * Union of the rows' keys, in order of first appearance. `undefined`: more than a table has room for, or a cell would
 * have members of its own.
 */
export function tableColumns(rows: readonly object[]): readonly string[] | undefined {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (columns.length > maxColumns || columns.length * rows.length > maxCells) return undefined;
  return rows.every((row) => Object.values(row).every(isCell)) ? columns : undefined;
}

const isCell = (value: unknown): boolean => !isNested(value) || (Array.isArray(value) && !value.some(isNested));
const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
