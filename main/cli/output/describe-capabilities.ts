import type { UnusablePart } from '../../../shared/mcp-view.ts';
import type { Prompt, Resource, ResourceTemplate } from '../../engine/use/browse-server.ts';
import { toolHints } from '../../mcp/client/tool-hints.ts';
import type { ToolHint } from '../../mcp/client/tool-hints.ts';
import type { Tool } from '../../mcp/client/use-tools.ts';
import { printableLine } from '../text.ts';
import type { Output } from './output.ts';

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

/** A server may name thousands; `--json` has them all. */
const shownFields = 24;

const longestText = 600;
/** Characters of a line that is pleasant to read, and the fewest of one that says something. */
const usual = 100;
const narrowest = 40;

/** How wide lines are broken for a terminal of `columns`, or for none. */
function widthFor(columns: number | undefined): number {
  return Math.max(narrowest, Math.min(usual, columns ?? usual));
}

/** Each field of a tool in lines: `text: string`, with `?` where it may be left out, and what the server says of it. */
function describeFields({ properties, required }: Tool['inputSchema'], width: number): readonly string[] {
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

/** Arguments of one prompt that are shown; `--json` has them all. */
const shownArguments = 24;
/** Characters of an address that is shown. */
const longestAddress = 500;

/** `notes://today  Notes of today (text/plain)`, and below it what the server says of it. */
export function describeResource(resource: Resource | ResourceTemplate, columns?: number): string {
  const { name, title, mimeType, description } = resource;
  const address = 'uri' in resource ? resource.uri : resource.uriTemplate;
  const kind = mimeType === undefined ? '' : ` (${printableLine(mimeType, 80)})`;
  return [
    `${printableLine(address, longestAddress)}  ${printableLine(title ?? name, 80)}${kind}`,
    ...describeText(description, columns),
  ].join('\n');
}

/** `plan_trip(city, days?)  Plan a trip`, and below it what the server says of it and of its arguments. */
export function describePrompt({ name, title, description, arguments: inputs = [] }: Prompt, columns?: number): string {
  const shown = inputs.slice(0, shownArguments);
  const names = shown.map((input) => `${printableLine(input.name, 40)}${input.required === true ? '' : '?'}`);
  const more = inputs.length > shown.length ? [`… ${inputs.length - shown.length} more`] : [];
  return [
    `${printableLine(name, 128)}(${[...names, ...more].join(', ')})${title === undefined ? '' : `  ${printableLine(title)}`}`,
    ...describeText(description, columns),
    ...shown.flatMap((input) =>
      input.description === undefined ? [] : describeText(`${input.name}: ${input.description}`, columns),
    ),
  ].join('\n');
}

function describeText(text: string | undefined, columns: number | undefined): string[] {
  const width = widthFor(columns) - 4;
  return text === undefined || text === '' ? [] : wrap(printableLine(text, 600), width).map((line) => `    ${line}`);
}

/** A listing is not all that the server named. */
export function sayCut(output: Output, what: 'tools' | 'resources' | 'prompts'): void {
  output.event('notice', { code: 'list-cut' });
  output.tell(
    `This server names more ${what} than Postern takes, or some that are nested too deeply. They are left out.`,
  );
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
/** Lines about them; `--json` names them all. */
const mostLines = 5;

/** For the last line of `--json`: parts that cannot be used. */
export function unusableField(parts: readonly UnusablePart[]): { readonly unusable?: readonly UnusablePart[] } {
  return parts.length === 0 ? {} : { unusable: parts };
}

/** Says what of a server's list or result cannot be used, and why. */
export function sayUnusable(output: Output, server: string, parts: readonly UnusablePart[]): void {
  for (const part of parts.slice(0, mostLines)) output.tell(`${printableLine(server, 80)}: ${describe(part)}`);
  const more = parts.length - mostLines;
  if (more > 0) output.tell(`${more} more ${more === 1 ? 'part is' : 'parts are'} not valid; --json names them.`);
}

function describe({ list, index, name, member, isKept }: UnusablePart): string {
  const wrong = member === undefined ? 'it is not valid' : `its ${printableLine(member, 128)} is not valid`;
  if (index === undefined)
    return `the list of ${nouns[list]}s is not valid${member === undefined ? '' : ` (${member})`}.`;
  const which = `${nouns[list]} ${index + 1}${name === undefined ? '' : ` (${printableLine(name, 80)})`}`;
  return isKept ? `of ${which}, ${wrong}. Postern uses the rest.` : `${which} is left out, because ${wrong}.`;
}
