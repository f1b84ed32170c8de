import type { Tool } from '../../mcp/use-tools.ts';
import { printableLine } from '../text/printable.ts';

/** A server may name thousands; `--json` has them all. */
const shownParameters = 24;

/** `create_note(text: string, pinned?: boolean)  Create a note`, and below it what the server says of it. */
export function describeTool({ name, title, description, inputSchema }: Tool): string {
  const shownTitle = title === undefined || title === name ? '' : `  ${printableLine(title)}`;
  return [
    `${printableLine(name, 128)}(${describeParameters(inputSchema)})${shownTitle}`,
    ...(description ? wrap(printableLine(description, 600), 96).map((line) => `    ${line}`) : []),
  ].join('\n');
}

/** `text: string, pinned?: boolean`, from a JSON schema whose shape is the server's affair. */
function describeParameters({ properties, required }: Tool['inputSchema']): string {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = Object.keys(properties ?? {});
  const shown = Object.entries(properties ?? {})
    .slice(0, shownParameters)
    .map(([name, schema]) => `${printableLine(name, 40)}${needed.includes(name) ? '' : '?'}: ${describeType(schema)}`);
  return [...shown, ...(names.length > shown.length ? [`… ${names.length - shown.length} more`] : [])].join(', ');
}

function describeType(schema: unknown): string {
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
