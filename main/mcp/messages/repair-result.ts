import { randomUUID } from 'node:crypto';
import { specTypeSchemas } from '@modelcontextprotocol/client';
import { isObject } from '../../../shared/json-object.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { maxUnusableParts } from '../../limits.ts';
import { parseExactly } from './exact-json.ts';
import { isSessionSchema, isPendingResult, normalizeToolSchemas } from './plain-entry.ts';

type Json = Record<string, unknown>;

/** Unguessable member that holds a non-object result, which the library does not accept. */
export const bareResultKey = `postern-${randomUUID()}`;

/** A schema issue of the library; for a union with the issues of each branch. */
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
  /** Schema of an entry; `undefined`: no revision has this kind of block. */
  readonly schema: (entry: unknown) => Schema | undefined;
  /** Members that a model reads or a call depends on: an entry where one is invalid is left out. */
  readonly essential?: ReadonlySet<PropertyKey>;
  /** For results of completed actions: shows an unusable entry as text, so that its content is not lost. */
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
/** The list in a result, by method (MCP 2025-11-25 and 2026-07-28). */
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

/** Maximum values of a completion (MCP 2025-11-25, completion). */
const maxCompletions = 100;
/** Rounds of removing invalid members: from the deepest known one up to the entry itself. */
const maxRounds = 6;

/** How to repair a result. */
interface Repair {
  readonly isStateless: boolean;
  /** Number of entries on previous pages. */
  readonly at?: number;
  readonly onUnusable: (part: UnusablePart) => void;
  /** JSON text of the entry at this index, for callers that pass it on unchanged. */
  readonly textOf?: ((index: number) => string) | undefined;
}

/** A valid value, passed on as its JSON text. */
export class VerbatimJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** For display as JSON, with exact numbers. */
  toJSON(): unknown {
    return parseExactly(this.text);
  }
}

type ReportUnusable = Repair['onUnusable'];

/**
 * Repairs a result so that the MCP library accepts it: null counts as absent where a member is optional; an unusable
 * entry is left out or shown as JSON, and reported. Changes `result`, which is no deeper than `mcpDepth`.
 */
export function repairResult(
  method: string,
  result: Json,
  { isStateless, at: offset = 0, onUnusable, textOf }: Repair,
): void {
  if (isPendingResult(result)) return;
  if (isStateless) fillCacheMembers(result);
  const repaired: Repaired = { blocks: new Map(), parts: [] };
  const report = (part: UnusablePart): void => {
    if (repaired.parts.length < maxUnusableParts) repaired.parts.push(part);
    onUnusable(part);
  };
  const shape = lists[method];
  if (shape?.list === 'content') showUnknownMembers(result);
  if (shape) repairList(shape, result, { at: offset, textOf }, report, repaired);
  if (method === 'tools/list' && !isStateless) hideOutputSchemas(result['tools'] as readonly unknown[]);
  if (method === 'completion/complete') repairCompletion(result, report);
  if (method in handshakes) repairHandshake(method, result);
  if (shape?.list === 'content') repairToolResult(result, isStateless, repaired);
  if (!isObject(result['_meta'])) delete result['_meta'];
  for (const name of ['nextCursor', 'description', 'instructions']) {
    if (result[name] === undefined || typeof result[name] === 'string') continue;
    if (result[name] !== null && shape) report({ list: shape.list, member: name, isPartlyUsed: true });
    delete result[name];
  }
  if (repaired.parts.length > 0 || repaired.structure) {
    result['_meta'] = { ...(result['_meta'] as Json | undefined), [repairedKey]: repaired };
  }
}

/**
 * The same for a result passed to an app: content without a type becomes text. Apps in the session protocol refuse a
 * whole list for a schema that is not an object, which the library accepts.
 */
export function repairForApp(method: string, result: Json, repair: Repair): void {
  const wantsObjects = method === 'tools/list' && !repair.isStateless && Array.isArray(result['tools']);
  if (wantsObjects) for (const tool of result['tools'] as readonly unknown[]) normalizeToolSchemas(tool);
  repairResult(method, result, repair);
  const repaired = repairedIn(result);
  if (!repaired) return;
  const { [repairedKey]: _repaired, ...meta } = result['_meta'] as Json;
  if (Object.keys(meta).length > 0) result['_meta'] = meta;
  else delete result['_meta'];
  const { content } = result;
  if (repaired.structure && Array.isArray(content) && content.length === 0)
    content.push(asText(repaired.structure.value));
}

/** Whether an app accepts this entry unchanged. */
export function isValidEntry(method: string, entry: unknown, isStateless: boolean): boolean {
  const schema = lists[method]?.schema(entry);
  if (!schema || issuesOf(schema, entry).length > 0) return false;
  if (method !== 'tools/list' || isStateless) return true;
  const copy = structuredClone(entry);
  normalizeToolSchemas(copy);
  return JSON.stringify(copy) === JSON.stringify(entry);
}

/** Restores a non-object result as the list of the method, if it is one or the action has already been done. */
export function readBareResult(method: string | undefined, result: Json): void {
  if (!Object.hasOwn(result, bareResultKey)) return;
  const bare = result[bareResultKey];
  delete result[bareResultKey];
  const shape = method === undefined ? undefined : lists[method];
  if (shape && (Array.isArray(bare) || shape.show)) result[shape.list] = bare;
}

/** Known members of a tool result. */
const knownResultMembers = new Set([
  '_meta',
  'isError',
  'content',
  'structuredContent',
  'resultType',
  'ttlMs',
  'cacheScope',
]);

/** Shows unknown members of a completed call (`toolResult` of MCP 2024-10-07) as text. */
function showUnknownMembers(result: Json): void {
  if ((result['content'] ?? result['structuredContent'] ?? null) !== null) return;
  const unknownMembers = Object.entries(result).filter(([name]) => !knownResultMembers.has(name));
  if (unknownMembers.length > 0) result['content'] = [asText(Object.fromEntries(unknownMembers))];
}

/** Parts of a result hidden from the library, for display. */
interface Repaired {
  /** By index. */
  readonly blocks: Map<number, unknown>;
  structure?: { readonly value: unknown };
  readonly parts: UnusablePart[];
}

/** Unguessable, so no server can use it. */
const repairedKey = `postern-${randomUUID()}`;

/** Restores the content that was hidden from the library. */
export function withOriginalContent<Result extends { readonly content: readonly unknown[]; readonly _meta?: unknown }>(
  result: Result,
): Result {
  const repaired = repairedIn(result);
  if (!repaired) return result;
  const content = result.content.map((block, index) => repaired.blocks.get(index) ?? block);
  return { ...result, content, ...(repaired.structure && { structuredContent: repaired.structure.value }) };
}

/**
 * The library refuses the whole list for an `outputSchema` that the session protocol does not allow, such as a string
 * schema. Nothing here reads it, so it is hidden.
 */
function hideOutputSchemas(tools: readonly unknown[]): void {
  for (const tool of tools) {
    if (!isObject(tool) || !isObject(tool['outputSchema']) || isSessionSchema(tool['outputSchema'])) continue;
    tool['_meta'] = { ...(tool['_meta'] as Json | undefined), [repairedKey]: tool['outputSchema'] };
    delete tool['outputSchema'];
  }
}

/** Restores the `outputSchema` the tool was listed with. */
export function withOriginalOutputSchema<Listed extends { readonly _meta?: object | undefined }>(tool: Listed): Listed {
  const { [repairedKey]: outputSchema, ...meta } = (tool._meta ?? {}) as Json;
  if (outputSchema === undefined) return tool;
  return { ...tool, outputSchema, _meta: Object.keys(meta).length > 0 ? meta : undefined };
}

/** Unusable parts of a result. */
export function unusableIn(result: { readonly _meta?: unknown }): readonly UnusablePart[] {
  return repairedIn(result)?.parts ?? [];
}

function repairedIn({ _meta: meta }: { readonly _meta?: unknown }): Repaired | undefined {
  return isObject(meta) ? (meta[repairedKey] as Repaired | undefined) : undefined;
}

function repairList(
  { list, schema, essential, show }: ListShape,
  result: Json,
  { at: offset = 0, textOf }: Pick<Repair, 'at' | 'textOf'>,
  report: ReportUnusable,
  repaired: Repaired,
): void {
  const value = result[list];
  // A single block, message or text counts as a list of one.
  const entries: readonly unknown[] = Array.isArray(value)
    ? value
    : value === undefined || value === null
      ? []
      : show
        ? [value]
        : [];
  if (entries.length === 0 && value !== undefined && value !== null && !Array.isArray(value)) report({ list });
  const usable: unknown[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry instanceof VerbatimJson) {
      usable.push(entry);
      continue;
    }
    const partInfo = { list, index: offset + index, ...nameIn(entry) };
    const isPresent = entry !== null && entry !== undefined;
    const schemaOfEntry = isPresent ? schema(entry) : undefined;
    const issues = schemaOfEntry ? issuesOf(schemaOfEntry, entry) : [];
    if (schemaOfEntry && issues.length === 0) {
      usable.push(entry);
      continue;
    }
    // Show what the server sent, not what the repair leaves.
    const original = show ? structuredClone(entry) : entry;
    const outcome = schemaOfEntry
      ? repairValue(schemaOfEntry, entry, issues)
      : { unusable: typeof entry === 'object' && isPresent ? ['type'] : [] };
    if (outcome.unusable === undefined) {
      const firstDropped = outcome.dropped[0];
      const isUsable = firstDropped === undefined || !essential?.has(firstDropped[0] ?? '');
      if (firstDropped)
        report({ ...partInfo, member: memberOf(firstDropped), ...(isUsable && { isPartlyUsed: true }) });
      if (isUsable) usable.push(entry);
      continue;
    }
    const member = memberOf(outcome.unusable);
    const isShown = show !== undefined && isPresent;
    if (isShown) {
      const type = textIn(original, 'type');
      // Without a type it is not a content block.
      if (list === 'content' && type !== '' && !blockSchemas.has(type)) repaired.blocks.set(usable.length, original);
      usable.push(show(original, textOf?.(index)));
    }
    if (!(isShown && typeof original === 'string'))
      report({ ...partInfo, ...(member !== '' && { member }), ...(isShown && { isPartlyUsed: true }) });
  }
  result[list] = usable;
}

type Outcome =
  | { readonly dropped: readonly (readonly PropertyKey[])[]; readonly unusable?: undefined }
  | { readonly unusable: readonly PropertyKey[] };

/**
 * Removes invalid members from `value`, and whatever then lacks a required member. Null members are removed without a
 * report.
 */
function repairValue(schema: Schema, value: unknown, initialIssues = issuesOf(schema, value)): Outcome {
  const dropped: (readonly PropertyKey[])[] = [];
  for (let round = 0; round < maxRounds; round += 1) {
    const issues = round === 0 ? initialIssues : issuesOf(schema, value);
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

/** Paths of the invalid members; for a union, in the branch that fits best. */
function plainPaths({ path = [], code, errors }: Issue): readonly (readonly PropertyKey[])[] {
  if (code !== 'invalid_union' || !errors) return [path];
  const isOtherType = (issues: readonly Issue[]): boolean =>
    issues.some((issue) => issue.path?.length === 1 && issue.path[0] === 'type');
  const branches = errors.filter((issues) => !isOtherType(issues));
  if (branches.length === 0) return [[...path, ...(errors.length > 0 ? ['type'] : [])]];
  const [bestBranch = []] = branches.toSorted((one, other) => one.length - other.length);
  return bestBranch.flatMap((issue) => plainPaths(issue).map((inner) => [...path, ...inner]));
}

/** Removes the member at `path`, or its nearest existing parent; `undefined`: that would be the value itself. */
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

/**
 * Fills in missing hints: without them nothing is cached, which does no harm (MCP 2026-07-28, caching, result type).
 */
function fillCacheMembers(result: Json): void {
  const { ttlMs, cacheScope } = result;
  if (typeof result['resultType'] !== 'string') result['resultType'] = 'complete';
  if (!(Number.isInteger(ttlMs) && Number(ttlMs) >= 0)) result['ttlMs'] = 0;
  if (cacheScope !== 'public' && cacheScope !== 'private') result['cacheScope'] = 'private';
}

function repairToolResult(result: Json, isStateless: boolean, repaired: Repaired): void {
  const { isError, structuredContent } = result;
  if (isError === null || isError === undefined) delete result['isError'];
  else result['isError'] = isError !== 'false' && Boolean(isError);
  if (structuredContent === null) delete result['structuredContent'];
  else if (structuredContent !== undefined && !isStateless && !isObject(structuredContent)) {
    // The session protocol allows only objects, and the library would refuse the whole result.
    delete result['structuredContent'];
    repaired.structure = { value: structuredContent };
  }
}

function repairCompletion(result: Json, report: ReportUnusable): void {
  const completion = isObject(result['completion']) ? result['completion'] : {};
  const candidates: readonly unknown[] = Array.isArray(completion['values']) ? completion['values'] : [];
  const values: string[] = [];
  for (const [index, value] of candidates.entries()) {
    if (typeof value !== 'string') report({ list: 'values', index });
    else if (values.length < maxCompletions) values.push(value);
  }
  const { total, hasMore } = completion;
  result['completion'] = {
    values,
    ...(Number.isInteger(total) && { total }),
    ...(typeof hasMore === 'boolean' && { hasMore }),
  };
}

/** A server without capabilities may still have tools: they are requested. */
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

/** `true`, and the array PHP makes of an empty object, mean that the server has the capability. */
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

/** Name of an entry, if it is a string. */
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
