import type { Tool } from '../../mcp/client/use-tools.ts';
import { printableLine } from '../text/printable.ts';

/** A server may name thousands; `--json` has them all. */
export const shownFields = 24;

const longestText = 600;
/** Characters of a line that is pleasant to read, and the fewest of one that says something. */
const usual = 100;
const narrowest = 40;

/** How wide lines are broken for a terminal of `columns`, or for none. */
export function widthFor(columns: number | undefined): number {
  return Math.max(narrowest, Math.min(usual, columns ?? usual));
}

/** Each field of a tool in lines: `text: string`, with `?` where it may be left out, and what the server says of it. */
export function describeFields({ properties, required }: Tool['inputSchema'], width: number): readonly string[] {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties ?? {});
  const more = fields.length - shownFields;
  return [
    ...fields.slice(0, shownFields).flatMap(([name, schema]) => {
      const head = `${printableLine(name, 40)}${needed.includes(name) ? '' : '?'}: ${describeType(schema)}`;
      const text = printableLine(textOf(schema), longestText);
      return text === '' ? [head] : hang(`${head}  ${text}`, width);
    }),
    ...(more > 0 ? [`… ${more} more; --json has them all`] : []),
  ];
}

/** The type of a field in a word or two, from a schema whose shape is the server's affair. */
export function describeType(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'any';
  if ('enum' in schema && Array.isArray(schema.enum)) {
    return printableLine(schema.enum.map((value) => JSON.stringify(value)).join('|'), 60);
  }
  if (!('type' in schema)) return 'any';
  return printableLine(
    [schema.type]
      .flat()
      .filter((type) => typeof type === 'string')
      .join('|') || 'any',
    40,
  );
}

function textOf(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return '';
  return [
    'description' in schema && typeof schema.description === 'string' ? schema.description : '',
    'default' in schema && isPlain(schema.default) ? `(default ${JSON.stringify(schema.default)})` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Lines of at most `width`, the later ones further in. */
function hang(text: string, width: number): readonly string[] {
  const [first = '', ...rest] = wrap(text, width);
  return [first, ...(rest.length === 0 ? [] : wrap(rest.join(' '), width - 4).map((line) => `    ${line}`))];
}

/** Lines of at most `width` characters, save for words that are longer. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
