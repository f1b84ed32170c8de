const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const combining = /\p{M}/u;

const gap = 2;
/** Below this a cell says nothing any more. */
const narrowest = 8;

/** Rows as aligned columns, two spaces apart; the last column is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = widthsOf(rows);
  return rows
    .map((row) =>
      row
        .map((cell, index) =>
          index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - cellWidth(cell)),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * The same for a terminal of `columns`: the widest cells are cut until the rows fit, but never those of the last column,
 * which is what a person copies. Without `columns` nothing is cut.
 */
export function fitColumns(rows: readonly (readonly string[])[], columns: number | undefined): string {
  if (columns === undefined) return alignColumns(rows);
  const widths = widthsOf(rows);
  const total = (): number => widths.reduce((sum, width) => sum + width + gap, -gap);
  while (total() > columns) {
    const widest = widths.slice(0, -1).reduce((best, width, index) => (width > (widths[best] ?? 0) ? index : best), 0);
    const width = widths[widest] ?? 0;
    if (widths.length < 2 || width <= narrowest) break;
    widths[widest] = Math.max(narrowest, width - (total() - columns));
  }
  return alignColumns(rows.map((row) => row.map((cell, index) => cutCell(cell, widths[index] ?? 0))));
}

/** A text in lines of at most `columns`, broken at spaces; a second column of a line stays one. */
export function wrapLines(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .map((line) => wrapLine(line, columns))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  // A command is copied as a whole: the terminal breaks it where it likes, and copies it without.
  if (cellWidth(line) <= columns || /^ {2}(?:postern|curl|source) /u.test(line)) return line;
  const [margin = ''] = /^\s*/u.exec(line) ?? [];
  const [column = ''] = /^\s*\S+(?: \S+)* {2,}/u.exec(line) ?? [];
  // A narrow terminal has no room for two columns.
  const start = column !== '' && column.length <= columns / 2 ? column : margin;
  const [first = '', ...words] = line.slice(start.length).split(/ +/u);
  const lines = [start + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (cellWidth(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(' '.repeat(start.length) + word);
  }
  return lines.join('\n');
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cellWidth(cell))));
  }
  return widths;
}

/** Ends with `…` where it is cut. */
function cutCell(cell: string, width: number): string {
  if (cellWidth(cell) <= width) return cell;
  let kept = '';
  for (const character of cell) {
    if (cellWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Columns that a terminal uses for a text (close to Unicode UAX 11). */
function cellWidth(text: string): number {
  let width = 0;
  for (const character of text) width += combining.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
