import { randomUUID } from 'node:crypto';
import { specTypeSchemas } from '@modelcontextprotocol/client';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { mostUnusableParts } from '../../limits.ts';
import { parseExactly } from './exact-json.ts';
import { isSessionSchema, isWaiting, withObjectSchemas } from './plain-entry.ts';

type Json = Record<string, unknown>;

/** The member with a result that is no object, which the library does not take. Nobody can guess it. */
export const bareResult = `postern-${randomUUID()}`;

/** As the library's schemas tell it; of a union with what speaks against each of its branches. */
interface Issue {
  readonly path?: readonly PropertyKey[] | undefined;
  readonly code?: string;
  readonly errors?: readonly (readonly Issue[])[];
}

interface Schema {
  readonly '~standard': {
    readonly validate: (value: unknown) => { readonly issues?: readonly unknown[] | undefined } | Promise<unknown>;
  };
}

type List = UnusablePart['list'];

interface ListShape {
  readonly list: List;
  /** Of an entry; `undefined`: no revision knows this kind of block. */
  readonly schema: (entry: unknown) => Schema | undefined;
  /** Members that a model reads or a call depends on: an entry with a wrong one is left out whole. */
  readonly essential?: ReadonlySet<PropertyKey>;
  /** For what has been done already: shows an entry that nobody can use, since its words must not be lost. */
  readonly show?: (entry: unknown, text?: string) => unknown;
}

const asText = (value: unknown, text = JSON.stringify(value)) => ({
  type: 'text',
  text: typeof value === 'string' ? value : text,
});
const { Tool, Resource, ResourceTemplate, Prompt, ContentBlock, PromptMessage } = specTypeSchemas;
const { TextResourceContents, BlobResourceContents } = specTypeSchemas;
/** By `type` (MCP 2025-11-25, content). */
const blockSchemas = new Map<string, Schema>([
  ['text', specTypeSchemas.TextContent],
  ['image', specTypeSchemas.ImageContent],
  ['audio', specTypeSchemas.AudioContent],
  ['resource_link', specTypeSchemas.ResourceLink],
  ['resource', specTypeSchemas.EmbeddedResource],
]);

const blocks: ListShape = { list: 'content', schema: (block) => blockSchemas.get(textIn(block, 'type')), show: asText };
/** Where a result has its list, by method (MCP 2025-11-25 and 2026-07-28). */
const lists: Readonly<Record<string, ListShape>> = {
  'tools/list': {
    list: 'tools',
    schema: () => Tool,
    essential: new Set(['title', 'description', 'inputSchema', 'outputSchema', 'annotations']),
  },
  'resources/list': { list: 'resources', schema: () => Resource },
  'resources/templates/list': { list: 'resourceTemplates', schema: () => ResourceTemplate },
  'prompts/list': { list: 'prompts', schema: () => Prompt },
  'tools/call': blocks,
  'tasks/result': blocks,
  'resources/read': {
    list: 'contents',
    schema: (contents) =>
      typeof memberIn(contents, 'text') !== 'string' && typeof memberIn(contents, 'blob') === 'string'
        ? BlobResourceContents
        : TextResourceContents,
    show: (entry, text = JSON.stringify(entry)) => ({ uri: textIn(entry, 'uri'), mimeType: 'application/json', text }),
  },
  'prompts/get': {
    list: 'messages',
    schema: () => PromptMessage,
    show: showMessage,
  },
};

const handshakes: Readonly<Record<string, Schema>> = {
  initialize: specTypeSchemas.InitializeResult,
  'server/discover': specTypeSchemas.DiscoverResult,
};

/** Values that a completion may have (MCP 2025-11-25, completion). */
const mostCompletions = 100;
/** Rounds of removing what a schema does not take: from the deepest member that it knows up to the entry itself. */
const mostRounds = 6;

/** What of a result could not be used; `at`: entries of the pages before this one. */
export interface Repair {
  readonly isModern: boolean;
  readonly at?: number;
  readonly onUnusable: (part: UnusablePart) => void;
  /** The text of the entry with this index, for whoever hands it on as it came. */
  readonly textOf?: ((index: number) => string) | undefined;
}

/** A value that is sound, and handed on as its text. */
export class WrittenJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For a text that shows it, with its numbers as they were written. */
  toJSON(): unknown {
    return parseExactly(this.text);
  }
}

type Note = Repair['onUnusable'];

/**
 * Makes a result one that the MCP library takes: null is absent where a member is optional, an entry that cannot be used
 * is left out or shown as JSON, and noted. `result` itself is changed; it is no deeper than `mcpDepth`.
 */
export function repairResult(method: string, result: Json, { isModern, at = 0, onUnusable, textOf }: Repair): void {
  if (isWaiting(result)) return;
  if (isModern) fillCacheMembers(result);
  const repaired: Repaired = { blocks: new Map(), parts: [] };
  const note = (part: UnusablePart): void => {
    if (repaired.parts.length < mostUnusableParts) repaired.parts.push(part);
    onUnusable(part);
  };
  const shape = lists[method];
  if (shape?.list === 'content') showOwnMembers(result);
  if (shape) repairList(shape, result, { at, textOf }, note, repaired);
  if (method === 'tools/list' && !isModern) setOutputSchemasAside(result['tools'] as readonly unknown[]);
  if (method === 'completion/complete') repairCompletion(result, note);
  if (method in handshakes) repairHandshake(method, result);
  if (shape?.list === 'content') repairToolResult(result, isModern, repaired);
  if (!isObject(result['_meta'])) delete result['_meta'];
  for (const name of ['nextCursor', 'description', 'instructions']) {
    if (result[name] === undefined || typeof result[name] === 'string') continue;
    if (result[name] !== null && shape) note({ list: shape.list, member: name, isKept: true });
    delete result[name];
  }
  if (repaired.parts.length > 0 || repaired.structure) {
    result['_meta'] = { ...(result['_meta'] as Json | undefined), [mark]: repaired };
  }
}

/**
 * The same for an app that is handed the result: what no app has a type for is text. Apps of the wire with sessions
 * refuse a whole list for a schema that is no object, which the library takes.
 */
export function repairForApp(method: string, result: Json, repair: Repair): void {
  const wantsObjects = method === 'tools/list' && !repair.isModern && Array.isArray(result['tools']);
  if (wantsObjects) for (const tool of result['tools'] as readonly unknown[]) withObjectSchemas(tool);
  repairResult(method, result, repair);
  const repaired = repairedIn(result);
  if (!repaired) return;
  const { [mark]: _repaired, ...meta } = result['_meta'] as Json;
  if (Object.keys(meta).length > 0) result['_meta'] = meta;
  else delete result['_meta'];
  const { content } = result;
  if (repaired.structure && Array.isArray(content) && content.length === 0)
    content.push(asText(repaired.structure.value));
}

/** Whether an app takes this entry of a list or result as it is. */
export function isSoundEntry(method: string, entry: unknown, isModern: boolean): boolean {
  const schema = lists[method]?.schema(entry);
  if (!schema || issuesOf(schema, entry).length > 0) return false;
  if (method !== 'tools/list' || isModern) return true;
  const copy = structuredClone(entry);
  withObjectSchemas(copy);
  return JSON.stringify(copy) === JSON.stringify(entry);
}

/** A result that is no object: the list where it is one, and what has been done already is shown. */
export function readBareResult(method: string | undefined, result: Json): void {
  if (!Object.hasOwn(result, bareResult)) return;
  const bare = result[bareResult];
  delete result[bareResult];
  const shape = method === undefined ? undefined : lists[method];
  if (shape && (Array.isArray(bare) || shape.show)) result[shape.list] = bare;
}

/** Members of a result beside what a tool has returned. */
const aside = new Set(['_meta', 'isError', 'content', 'structuredContent', 'resultType', 'ttlMs', 'cacheScope']);

/** The tool has run: what it returned in members of its own (`toolResult` of MCP 2024-10-07) is shown. */
function showOwnMembers(result: Json): void {
  if ((result['content'] ?? result['structuredContent'] ?? null) !== null) return;
  const own = Object.entries(result).filter(([name]) => !aside.has(name));
  if (own.length > 0) result['content'] = [asText(Object.fromEntries(own))];
}

/** What the library must not see of a result, for whoever shows it. */
interface Repaired {
  /** By index. */
  readonly blocks: Map<number, unknown>;
  structure?: { readonly value: unknown };
  readonly parts: UnusablePart[];
}

/** Nobody can guess it, so no server can name it. */
const mark = `postern-${randomUUID()}`;

/** A result with all that the server said: what the library has no type for is in its place again. */
export function asSaid<Result extends { readonly content: readonly unknown[]; readonly _meta?: unknown }>(
  result: Result,
): Result {
  const repaired = repairedIn(result);
  if (!repaired) return result;
  const content = result.content.map((block, index) => repaired.blocks.get(index) ?? block);
  return { ...result, content, ...(repaired.structure && { structuredContent: repaired.structure.value }) };
}

/**
 * The library refuses the whole list for an `outputSchema` that the wire with sessions has no form for, such as that of a
 * text. Nothing here reads one, so it is out of its sight.
 */
function setOutputSchemasAside(tools: readonly unknown[]): void {
  for (const tool of tools) {
    if (!isObject(tool) || !isObject(tool['outputSchema']) || isSessionSchema(tool['outputSchema'])) continue;
    tool['_meta'] = { ...(tool['_meta'] as Json | undefined), [mark]: tool['outputSchema'] };
    delete tool['outputSchema'];
  }
}

/** A tool with the `outputSchema` that it was listed with. */
export function asListed<Listed extends { readonly _meta?: object | undefined }>(tool: Listed): Listed {
  const { [mark]: outputSchema, ...meta } = (tool._meta ?? {}) as Json;
  if (outputSchema === undefined) return tool;
  return { ...tool, outputSchema, _meta: Object.keys(meta).length > 0 ? meta : undefined };
}

/** What of a result could not be used. */
export function unusableIn(result: { readonly _meta?: unknown }): readonly UnusablePart[] {
  return repairedIn(result)?.parts ?? [];
}

function repairedIn({ _meta: meta }: { readonly _meta?: unknown }): Repaired | undefined {
  return isObject(meta) ? (meta[mark] as Repaired | undefined) : undefined;
}

function repairList(
  { list, schema, essential, show }: ListShape,
  result: Json,
  { at = 0, textOf }: Pick<Repair, 'at' | 'textOf'>,
  note: Note,
  repaired: Repaired,
): void {
  const given = result[list];
  // One block, message or text where a list of them belongs says as much.
  const entries: readonly unknown[] = Array.isArray(given)
    ? given
    : given === undefined || given === null
      ? []
      : show
        ? [given]
        : [];
  if (entries.length === 0 && given !== undefined && given !== null && !Array.isArray(given)) note({ list });
  const kept: unknown[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry instanceof WrittenJson) {
      kept.push(entry);
      continue;
    }
    const named = { list, index: at + index, ...nameIn(entry) };
    const isThere = entry !== null && entry !== undefined;
    const schemaOfEntry = isThere ? schema(entry) : undefined;
    const issues = schemaOfEntry ? issuesOf(schemaOfEntry, entry) : [];
    if (schemaOfEntry && issues.length === 0) {
      kept.push(entry);
      continue;
    }
    // What is shown is what the server said, and not what is left of it.
    const said = show ? structuredClone(entry) : entry;
    const outcome = schemaOfEntry
      ? repairValue(schemaOfEntry, entry, issues)
      : { unusable: typeof entry === 'object' && isThere ? ['type'] : [] };
    if (outcome.unusable === undefined) {
      const wrong = outcome.dropped[0];
      const isWhole = wrong === undefined || !essential?.has(wrong[0] ?? '');
      if (wrong) note({ ...named, member: memberOf(wrong), ...(isWhole && { isKept: true }) });
      if (isWhole) kept.push(entry);
      continue;
    }
    const member = memberOf(outcome.unusable);
    const isShown = show !== undefined && isThere;
    if (isShown) {
      const type = textIn(said, 'type');
      // What has no type is no block for anybody.
      if (list === 'content' && type !== '' && !blockSchemas.has(type)) repaired.blocks.set(kept.length, said);
      kept.push(show(said, textOf?.(index)));
    }
    if (!(isShown && typeof said === 'string'))
      note({ ...named, ...(member !== '' && { member }), ...(isShown && { isKept: true }) });
  }
  result[list] = kept;
}

type Outcome =
  | { readonly dropped: readonly (readonly PropertyKey[])[]; readonly unusable?: undefined }
  | { readonly unusable: readonly PropertyKey[] };

/**
 * Takes out of `value` what the schema does not take, and what that leaves without a member that it needs. Null goes
 * without a word.
 */
function repairValue(schema: Schema, value: unknown, first = issuesOf(schema, value)): Outcome {
  const dropped: (readonly PropertyKey[])[] = [];
  for (let round = 0; round < mostRounds; round += 1) {
    const issues = round === 0 ? first : issuesOf(schema, value);
    if (issues.length === 0) return { dropped };
    const holes = new Set<unknown[]>();
    for (const issue of issues.flatMap((each) => plainPaths(each))) {
      const removed = remove(value, issue, holes);
      if (removed === undefined) return { unusable: dropped.find(([top]) => top === issue[0]) ?? issue };
      if (removed.value !== null) dropped.push(removed.path);
    }
    for (const list of holes) closeHoles(list);
  }
  return { unusable: dropped[0] ?? [] };
}

function issuesOf(schema: Schema, value: unknown): readonly Issue[] {
  const result = schema['~standard'].validate(value);
  return result instanceof Promise ? [{}] : ((result.issues ?? []) as readonly Issue[]);
}

/** Where it is that a value does not fit: of a union within the branch that it was meant for. */
function plainPaths({ path = [], code, errors }: Issue): readonly (readonly PropertyKey[])[] {
  if (code !== 'invalid_union' || !errors) return [path];
  const isOther = (issues: readonly Issue[]): boolean =>
    issues.some((issue) => issue.path?.length === 1 && issue.path[0] === 'type');
  const branches = errors.filter((issues) => !isOther(issues));
  if (branches.length === 0) return [[...path, ...(errors.length > 0 ? ['type'] : [])]];
  const [meant = []] = branches.toSorted((one, other) => one.length - other.length);
  return meant.flatMap((issue) => plainPaths(issue).map((inner) => [...path, ...inner]));
}

/** Removes what stands there, or where nothing does what holds it; `undefined`: that is the value itself. */
function remove(
  value: unknown,
  path: readonly PropertyKey[],
  holes: Set<unknown[]>,
): { readonly path: readonly PropertyKey[]; readonly value: unknown } | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = path.slice(0, length - 1).reduce(memberIn, value);
    const name = path[length - 1] ?? '';
    const found = memberIn(parent, name);
    if (found === undefined) continue;
    if (Array.isArray(parent)) {
      parent[Number(name)] = undefined;
      holes.add(parent);
    } else delete (parent as Json)[String(name)];
    return { path: path.slice(0, length), value: found };
  }
  return undefined;
}

function memberIn(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Json)[String(name)]
    : undefined;
}

function closeHoles(list: unknown[]): void {
  let length = 0;
  for (const entry of list) {
    if (entry === undefined) continue;
    list[length] = entry;
    length += 1;
  }
  list.length = length;
}

/** Hints alone: without them nothing is cached, and the answer is as good (MCP 2026-07-28, caching, result type). */
function fillCacheMembers(result: Json): void {
  const { ttlMs, cacheScope } = result;
  if (typeof result['resultType'] !== 'string') result['resultType'] = 'complete';
  if (!(Number.isInteger(ttlMs) && Number(ttlMs) >= 0)) result['ttlMs'] = 0;
  if (cacheScope !== 'public' && cacheScope !== 'private') result['cacheScope'] = 'private';
}

function repairToolResult(result: Json, isModern: boolean, repaired: Repaired): void {
  const { isError, structuredContent } = result;
  if (isError === null || isError === undefined) delete result['isError'];
  else result['isError'] = isError !== 'false' && Boolean(isError);
  if (structuredContent === null) delete result['structuredContent'];
  else if (structuredContent !== undefined && !isModern && !isObject(structuredContent)) {
    // The wire with sessions has objects alone, and the library refuses all of the result.
    delete result['structuredContent'];
    repaired.structure = { value: structuredContent };
  }
}

function repairCompletion(result: Json, note: Note): void {
  const completion = isObject(result['completion']) ? result['completion'] : {};
  const given: readonly unknown[] = Array.isArray(completion['values']) ? completion['values'] : [];
  const values: string[] = [];
  for (const [index, value] of given.entries()) {
    if (typeof value !== 'string') note({ list: 'values', index });
    else if (values.length < mostCompletions) values.push(value);
  }
  const { total, hasMore } = completion;
  result['completion'] = {
    values,
    ...(Number.isInteger(total) && { total }),
    ...(typeof hasMore === 'boolean' && { hasMore }),
  };
}

/** One that does not say what it has may still have tools: whether it has any is asked. */
function repairHandshake(method: string, result: Json): void {
  if (isObject(result['capabilities'])) repairCapabilities(result['capabilities']);
  else result['capabilities'] = { tools: {} };
  if (method === 'initialize') {
    const info = isObject(result['serverInfo']) ? result['serverInfo'] : {};
    const { name, version } = info;
    result['serverInfo'] = { ...info, name: asName(name), version: asName(version) };
  }
  repairValue(handshakes[method] as Schema, result);
}

/** `true`, and the list that PHP makes of an empty object, say that a server has it. */
function repairCapabilities(capabilities: Json): void {
  for (const [name, capability] of Object.entries(capabilities)) {
    if (isObject(capability)) continue;
    if (capability) capabilities[name] = {};
    else delete capabilities[name];
  }
}

function asName(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function showMessage(message: unknown): unknown {
  const { role, content = message } = isObject(message) ? message : {};
  const isBlock = issuesOf(ContentBlock, content).length === 0;
  return { role: role === 'assistant' ? role : 'user', content: isBlock ? content : asText(content) };
}

/** What an entry is called, as far as that is a text. */
function nameIn(entry: unknown): { readonly name?: string } {
  const name = textIn(entry, 'name') || textIn(entry, 'uri') || textIn(entry, 'uriTemplate');
  return name === '' ? {} : { name: name.slice(0, 256) };
}

function textIn(entry: unknown, name: string): string {
  const text = memberIn(entry, name);
  return typeof text === 'string' ? text : '';
}

/** `inputSchema.type`, `icons.0.src`. */
function memberOf(path: readonly PropertyKey[]): string {
  return path.map(String).join('.').slice(0, 128);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
