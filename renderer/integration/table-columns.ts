/** Cells of a table; a hundred rows may name twenty thousand columns. */
const mostCells = 5_000;

/** What things have between them, in the order of its first mention. `undefined`: too much for a table. */
export function tableColumns(rows: readonly object[]): readonly string[] | undefined {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return columns.length * rows.length <= mostCells ? columns : undefined;
}
