import { toolHints } from '../../mcp/client/tool-hints.ts';
import type { ToolHint } from '../../mcp/client/tool-hints.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import { printableLine } from '../text/printable.ts';
import { describeFields, describeType, shownFields, widthFor, wrap } from './describe-fields.ts';

/**
 * `create_note(text: string, pinned?: boolean)  Create a note`, below it what the server says of it, and of its fields
 * where it says something of them. `columns`: of the terminal.
 */
export function describeTool(tool: Tool, columns?: number): string {
  const { name, title, description, inputSchema } = tool;
  const width = widthFor(columns);
  const shownTitle = title === undefined || title === name ? '' : `  ${printableLine(title)}`;
  const fields = hasDescriptions(inputSchema) ? describeFields(inputSchema, width - 6) : [];
  return [
    `${printableLine(name, 128)}(${describeParameters(inputSchema)})${shownTitle}`,
    ...(description ? wrap(printableLine(description, 600), width - 4).map((line) => `    ${line}`) : []),
    ...fields.map((line) => `      ${line}`),
    ...toolHints(tool).flatMap((hint) => wrap(describeHint(hint), width - 4).map((line) => `    ${line}`)),
  ].join('\n');
}

function describeHint({ kind, excerpt }: ToolHint): string {
  const what = kind === 'hidden' ? 'holds characters that nobody sees' : 'speaks to the model like an instruction';
  return `! What the server says of it ${what}: “${printableLine(excerpt, 400)}”`;
}

/** What one tool takes, and how it is called: `postern call ID TOOL --help`. */
export function describeToolHelp(
  { name, title, description, inputSchema }: Tool,
  id: string,
  columns?: number,
): string {
  const width = widthFor(columns);
  const words = Object.entries(inputSchema.properties ?? {})
    .filter(([field]) => inputSchema.required?.includes(field))
    .slice(0, 5)
    .map(([field, schema]) => `${quote(field)}${describeType(schema) === 'string' ? '=' : ':='}…`);
  const fields = describeFields(inputSchema, width - 2);
  return [
    `${printableLine(name, 128)}${title === undefined || title === name ? '' : `: ${printableLine(title)}`}`,
    ...(description ? wrap(printableLine(description, 4_000), width) : []),
    '',
    `Usage: postern call ${[quote(id), quote(name), ...words].join(' ')} [options]`,
    '',
    ...(fields.length > 0
      ? ['Fields (? may be left out):', ...fields.map((line) => `  ${line}`)]
      : ['It takes nothing.']),
  ].join('\n');
}

function quote(word: string): string {
  const shown = printableLine(word, 128);
  return /^[\w.:/@-]+$/u.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}

function hasDescriptions({ properties }: Tool['inputSchema']): boolean {
  return Object.values(properties ?? {}).some(
    (schema: unknown) => typeof schema === 'object' && schema !== null && 'description' in schema && schema.description,
  );
}

/** `text: string, pinned?: boolean`, from a JSON schema whose shape is the server's affair. */
function describeParameters({ properties, required }: Tool['inputSchema']): string {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = Object.keys(properties ?? {});
  const shown = Object.entries(properties ?? {})
    .slice(0, shownFields)
    .map(([name, schema]) => `${printableLine(name, 40)}${needed.includes(name) ? '' : '?'}: ${describeType(schema)}`);
  return [...shown, ...(names.length > shown.length ? [`… ${names.length - shown.length} more`] : [])].join(', ');
}
