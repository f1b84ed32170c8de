import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { Prompt, Resource, ResourceTemplate } from '../../engine/use/browse-server.ts';
import { toolHints } from '../../mcp/client/tool-hints.ts';
import type { ToolHint } from '../../mcp/client/tool-hints.ts';
import type { Tool } from '../../mcp/client/call-tool.ts';
import { printableLine } from '../text.ts';
import type { Output } from './output.ts';

/**
 * `create_note(text: string, pinned?: boolean)  Create a note`, then its description, its fields if any is described,
 * and warnings. `columns`: width of the terminal.
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
  const what = kind === 'hidden' ? 'contains invisible characters' : 'reads like an instruction to the model';
  return `! Its description ${what}: “${printableLine(excerpt, 400)}”`;
}

/** Usage and fields of one tool, for `postern call ID TOOL --help`. */
export function describeToolHelp(
  { name, title, description, inputSchema }: Tool,
  command: readonly string[],
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
    `Usage: postern ${[...command.map(quote), quote(name), ...words].join(' ')} [options]`,
    '',
    ...(fields.length > 0
      ? ['Fields (? is optional):', ...fields.map((line) => `  ${line}`)]
      : ['It takes no arguments.']),
  ].join('\n');
}

function quote(word: string): string {
  const visible = printableLine(word, 128);
  return /^[\w.:/@-]+$/u.test(visible) ? visible : `'${visible.replaceAll("'", String.raw`'\''`)}'`;
}

function hasDescriptions({ properties }: Tool['inputSchema']): boolean {
  return Object.values(properties ?? {}).some(
    (schema: unknown) => typeof schema === 'object' && schema !== null && 'description' in schema && schema.description,
  );
}

/** `text: string, pinned?: boolean`. The JSON schema is untrusted and may have any shape. */
function describeParameters({ properties, required }: Tool['inputSchema']): string {
  const requiredNames: readonly unknown[] = Array.isArray(required) ? required : [];
  const names = Object.keys(properties ?? {});
  const visible = Object.entries(properties ?? {})
    .slice(0, maxFields)
    .map(
      ([name, schema]) =>
        `${printableLine(name, 40)}${requiredNames.includes(name) ? '' : '?'}: ${describeType(schema)}`,
    );
  return [...visible, ...(names.length > visible.length ? [`… ${names.length - visible.length} more`] : [])].join(', ');
}

/** A server may declare thousands; `--json` has them all. */
const maxFields = 24;

const maxTextLength = 600;
/** Comfortable and minimum line widths. */
const preferredWidth = 100;
const minWidth = 40;

/** Wrap width for a terminal of `columns`, or without one. */
function widthFor(columns: number | undefined): number {
  return Math.max(minWidth, Math.min(preferredWidth, columns ?? preferredWidth));
}

/** Fields of a tool: `text: string`, with `?` if optional, and the description. */
function describeFields({ properties, required }: Tool['inputSchema'], width: number): readonly string[] {
  const requiredNames: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties ?? {});
  const more = fields.length - maxFields;
  return [
    ...fields.slice(0, maxFields).flatMap(([name, schema]) => {
      const head = `${printableLine(name, 40)}${requiredNames.includes(name) ? '' : '?'}: ${describeType(schema)}`;
      const text = printableLine(textOf(schema), maxTextLength);
      return text === '' ? [head] : wrapHanging(`${head}  ${text}`, width);
    }),
    ...(more > 0 ? [`… ${more} more; --json has them all`] : []),
  ];
}

/** Short type of a field. The schema is untrusted and may have any shape. */
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

function textOf(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return '';
  return [
    'description' in schema && typeof schema.description === 'string' ? schema.description : '',
    'default' in schema && isScalar(schema.default) ? `(default ${JSON.stringify(schema.default)})` : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Wraps with a hanging indent. */
function wrapHanging(text: string, width: number): readonly string[] {
  const [first = '', ...rest] = wrap(text, width);
  return [first, ...(rest.length === 0 ? [] : wrap(rest.join(' '), width - 4).map((line) => `    ${line}`))];
}

/** Wraps at spaces to at most `width` characters; longer words stay whole. */
function wrap(text: string, width: number): string[] {
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

/** Arguments shown per prompt; `--json` has them all. */
const maxArguments = 24;
/** Characters shown of a URI. */
const maxUriLength = 500;

/** `notes://today  Notes of today (text/plain)`, then its description. */
export function describeResource(resource: Resource | ResourceTemplate, columns?: number): string {
  const { name, title, mimeType, description } = resource;
  const address = 'uri' in resource ? resource.uri : resource.uriTemplate;
  const kind = mimeType === undefined ? '' : ` (${printableLine(mimeType, 80)})`;
  return [
    `${printableLine(address, maxUriLength)}  ${printableLine(title ?? name, 80)}${kind}`,
    ...describeText(description, columns),
  ].join('\n');
}

/** `plan_trip(city, days?)  Plan a trip`, then its description and those of its arguments. */
export function describePrompt({ name, title, description, arguments: inputs = [] }: Prompt, columns?: number): string {
  const visible = inputs.slice(0, maxArguments);
  const names = visible.map((input) => `${printableLine(input.name, 40)}${input.required === true ? '' : '?'}`);
  const more = inputs.length > visible.length ? [`… ${inputs.length - visible.length} more`] : [];
  return [
    `${printableLine(name, 128)}(${[...names, ...more].join(', ')})${title === undefined ? '' : `  ${printableLine(title)}`}`,
    ...describeText(description, columns),
    ...visible.flatMap((input) =>
      input.description === undefined ? [] : describeText(`${input.name}: ${input.description}`, columns),
    ),
  ].join('\n');
}

function describeText(text: string | undefined, columns: number | undefined): string[] {
  const width = widthFor(columns) - 4;
  return text === undefined || text === '' ? [] : wrap(printableLine(text, 600), width).map((line) => `    ${line}`);
}

/** Reports that a listing was cut. */
export function reportTruncatedList(output: Output, what: 'tools' | 'resources' | 'prompts'): void {
  output.event('notice', { code: 'list-cut' });
  output.notify(`Some ${what} are not shown, because the server lists too many or nests some too deeply.`);
}

const nouns: Readonly<Record<UnusablePart['list'], string>> = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'template',
  prompts: 'prompt',
  content: 'part',
  contents: 'part',
  messages: 'message',
  values: 'value',
};
/** Lines about unusable parts; `--json` has them all. */
const maxLines = 5;

/** Unusable parts, for the last line of `--json`. */
export function unusableField(parts: readonly UnusablePart[]): { readonly unusable?: readonly UnusablePart[] } {
  return parts.length === 0 ? {} : { unusable: parts };
}

/** Reports which parts of a server's list or result are unusable, and why. */
export function reportUnusable(output: Output, server: string, parts: readonly UnusablePart[]): void {
  for (const part of parts.slice(0, maxLines)) output.notify(`${printableLine(server, 80)}: ${describePart(part)}`);
  const more = parts.length - maxLines;
  if (more > 0) output.notify(`${more} more ${more === 1 ? 'part is' : 'parts are'} invalid. --json lists them.`);
}

function describePart({ list, index, name, member, isPartlyUsed }: UnusablePart): string {
  const problem = member === undefined ? 'it is invalid' : `its ${printableLine(member, 128)} is invalid`;
  if (index === undefined)
    return `the list of ${nouns[list]}s is invalid${member === undefined ? '' : ` (${member})`}.`;
  const which = `${nouns[list]} ${index + 1}${name === undefined ? '' : ` (${printableLine(name, 80)})`}`;
  return isPartlyUsed ? `${which}: ${problem}. Postern uses the rest.` : `${which} is left out, because ${problem}.`;
}
