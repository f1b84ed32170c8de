import { isObject } from '../../../shared/json-object.ts';
/**
 * Checks whether an entry of a list or result is certainly valid MCP, without the library: that takes 30 MB to load,
 * and nearly everything servers send is plain. Anything unusual is left to the library.
 */
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const size: Check = (value) => typeof value === 'number';
const base64: Check = (value) =>
  typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/u.test(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Members checked as Base64. */
export const base64Members: ReadonlySet<string> = new Set(['data', 'blob']);

/** `optional`: every optional member that MCP defines; unknown members may be anything. */
function object(required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check {
  const [requiredChecks, optionalChecks] = [Object.entries(required), Object.entries(optional)];
  return (value) => {
    if (!isObject(value)) return false;
    const members = value as Readonly<Record<string, unknown>>;
    return (
      requiredChecks.every(([name, check]) => check(members[name])) &&
      optionalChecks.every(([name, check]) => members[name] === undefined || check(members[name]))
    );
  };
}

const schema = object(
  { type: (value) => value === 'object' },
  { properties: (value) => isObject(value) && Object.values(value as object).every(isObject), required: listOf(text) },
);
const never: Check = () => false;
const _meta = (value: unknown): boolean =>
  isObject(value) && Object.keys(value as object).every((name) => !isReservedName(name));
const commonMembers = {
  title: text,
  description: text,
  icons: listOf(object({ src: text }, { mimeType: text, sizes: listOf(text), theme: never })),
  _meta,
};
const role: Check = (value) => value === 'user' || value === 'assistant';
const annotations = object(
  {},
  {
    audience: listOf(role),
    priority: (value) => typeof value === 'number' && value >= 0 && value <= 1,
    lastModified: never,
  },
);
const blockMembers = { annotations, _meta };
const contents: Check = (value) =>
  object({ uri: text, text }, { mimeType: text, blob: never, _meta })(value) ||
  object({ uri: text, blob: base64 }, { mimeType: text, text: never, _meta })(value);
const resource = [
  { name: text, uri: text },
  { ...commonMembers, mimeType: text, size, annotations },
] as const;
const blocks: ReadonlyMap<unknown, Check> = new Map([
  ['text', object({ text }, blockMembers)],
  ['image', object({ data: base64, mimeType: text }, blockMembers)],
  ['audio', object({ data: base64, mimeType: text }, blockMembers)],
  ['resource_link', object(...resource)],
  ['resource', object({ resource: contents }, blockMembers)],
]);
const block: Check = (value) =>
  isObject(value) && blocks.get((value as { readonly type?: unknown }).type)?.(value) === true;
const hints = { title: text, readOnlyHint: flag, destructiveHint: flag, idempotentHint: flag, openWorldHint: flag };

/** By result member. */
const checks: Readonly<Record<string, Check>> = {
  tools: object(
    { name: text, inputSchema: schema },
    { ...commonMembers, outputSchema: schema, annotations: object({}, hints), execution: never },
  ),
  resources: object(...resource),
  resourceTemplates: object({ name: text, uriTemplate: text }, { ...commonMembers, mimeType: text, annotations }),
  prompts: object(
    { name: text },
    { ...commonMembers, arguments: listOf(object({ name: text }, { title: text, description: text, required: flag })) },
  ),
  content: block,
  contents,
  messages: object({ role, content: block }),
};

export function isPlainEntry(list: string, entry: unknown): boolean {
  return checks[list]?.(entry) === true;
}

/** Reserved `_meta` names, some of which the library validates. */
function isReservedName(name: string): boolean {
  return name === 'progressToken' || name.startsWith('io.modelcontextprotocol/');
}

/**
 * Replaces non-object property schemas with equivalent objects (JSON Schema's `true` and `false`) or `{}`, and drops an
 * `outputSchema` that the session protocol does not allow.
 */
export function normalizeToolSchemas(tool: unknown): void {
  if (!isObject(tool)) return;
  for (const toolSchema of [tool['inputSchema'], tool['outputSchema']]) {
    const properties = isObject(toolSchema) ? toolSchema['properties'] : undefined;
    if (!isObject(properties)) continue;
    for (const [name, property] of Object.entries(properties))
      if (!isObject(property))
        Object.defineProperty(properties, name, { value: property === false ? { not: {} } : {}, enumerable: true });
  }
  if (isObject(tool['outputSchema']) && !isSessionSchema(tool['outputSchema'])) delete tool['outputSchema'];
}

/**
 * Whether the session protocol allows the schema: an object, with a list of required members (MCP 2025-11-25, tools).
 */
export const isSessionSchema: Check = schema;

/** The server needs input first, or has started a task. */
export function isPendingResult({ resultType, task }: Readonly<Record<string, unknown>>): boolean {
  return resultType === 'input_required' || isObject(task);
}
