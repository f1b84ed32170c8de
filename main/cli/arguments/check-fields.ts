import type { Tool } from '../../mcp/client/use-tools.ts';
import { printableLine } from '../text/printable.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';

/** Names that are said in one sentence. */
const mostNamed = 10;

/**
 * Refuses what a tool has no field for, before it is sent: a server may drop it without a word, and with it the filter
 * of what the tool deletes. A schema that says by more than a list of fields what it takes is left to the server.
 * Errors: USAGE.
 */
export function refuseUnknownFields(
  tool: Pick<Tool, 'name' | 'inputSchema'>,
  input: Readonly<Record<string, unknown>>,
): void {
  const known = closedFields(tool.inputSchema);
  if (!known) return;
  const unknown = Object.keys(input).filter((name) => !known.includes(name));
  const [first] = unknown;
  if (first === undefined) return;
  const names = unknown
    .slice(0, mostNamed)
    .map((name) => `“${printableLine(name, 60)}”`)
    .join(', ');
  const meant = unknown.length === 1 ? didYouMean(first, known) : '';
  const fields =
    known
      .slice(0, mostNamed)
      .map((name) => printableLine(name, 60))
      .join(', ') || 'nothing';
  throw new UsageError(
    `The tool takes no ${names}.${meant || ` It takes ${fields}.`} Nothing was sent. To send it all the same: --any-field.`,
    'call',
  );
}

/** Refuses a text where the tool wants a number, a yes or no, or more: `count=5` is a text. Errors: USAGE. */
export function refuseTextFields(
  { inputSchema: { properties } }: Pick<Tool, 'inputSchema'>,
  input: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== 'string' || properties === undefined || !Object.hasOwn(properties, name)) continue;
    const schema: unknown = properties[name];
    const type = typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined;
    if (typeof type !== 'string' || !otherTypes.has(type)) continue;
    const shown = printableLine(name, 60);
    throw new UsageError(
      `“${shown}” is no text for this tool, but ${otherTypes.get(type)}: write ${shown}:=JSON. Nothing was sent.`,
      'call',
    );
  }
}

const otherTypes: ReadonlyMap<string, string> = new Map([
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
]);

/** The names that a schema takes; `undefined` where others may be right (JSON Schema 2020-12, 10.3.2). */
function closedFields(schema: Tool['inputSchema']): readonly string[] | undefined {
  const { properties, additionalProperties } = schema as { properties?: object; additionalProperties?: unknown };
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined;
  if (['anyOf', 'oneOf', 'allOf', '$ref', '$dynamicRef', 'patternProperties', 'if'].some((name) => name in schema))
    return undefined;
  // A schema without any field, and without a word on others, says nothing.
  if (properties === undefined) return additionalProperties === false ? [] : undefined;
  return Object.keys(properties);
}
