import { createHash } from 'node:crypto';
import { argumentKinds } from '../../shared/error-catalog/call-errors.ts';
import type { ArgumentKind } from '../../shared/error-catalog/call-errors.ts';
import { hasTrait } from '../../shared/error-traits.ts';
import type { Integration } from '../../shared/integration.ts';
import type { UnusablePart } from '../../shared/mcp-view.ts';
import { displayText } from '../address/display-text.ts';
import { closestWord } from '../closest-word.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { runWithHistory } from '../engine/records/server-failure.ts';
import type { ProblemHistory } from '../engine/records/server-failure.ts';
import * as browse from '../engine/use/browse-server.ts';
import type {
  Prompt,
  PromptMessage,
  Resource,
  ResourceContents,
  ResourceTemplate,
} from '../engine/use/browse-server.ts';
import type { Follower } from '../engine/use/follow-changes.ts';
import * as use from '../engine/use/use-server.ts';
import type { UseOptions, ToolResult } from '../engine/use/use-server.ts';
import { PosternError } from '../errors/postern-error.ts';
import { completion, toolCall } from '../limits.ts';
import type { ParsedTemplate } from '../mcp/client/uri-template.ts';
import type { Tool, ToolCall } from '../mcp/client/call-tool.ts';
import type { OperationInput } from './operation.ts';

/** The server to use, and how. */
export interface UseScope {
  readonly ports: EnginePorts;
  readonly integration: Integration;
  readonly access: UseOptions;
  /** Records failed uses. */
  readonly history: ProblemHistory;
}

/** What a server listed or returned. */
export interface UseResult<Value> {
  readonly value: Value;
  /** The server listed more than Postern's limit. */
  readonly isPartial: boolean;
  /** Parts that are left out, or used only as JSON. */
  readonly unusable: readonly UnusablePart[];
}

/** Every tool of a server. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED and those of HTTP. */
export async function listTools(scope: UseScope): Promise<UseResult<readonly Tool[]>> {
  return await runUse(scope, use.listTools);
}

/** Every resource, and the templates of more. Errors: as `listTools`. */
export async function listResources(
  scope: UseScope,
): Promise<UseResult<{ readonly resources: readonly Resource[]; readonly templates: readonly ResourceTemplate[] }>> {
  return await runUse(scope, browse.listResources);
}

/** Every prompt. Errors: as `listTools`. */
export async function listPrompts(scope: UseScope): Promise<UseResult<readonly Prompt[]>> {
  return await runUse(scope, browse.listPrompts);
}

/** Arguments do not match the tool's schema. Nothing was sent. */
export class UnfitArguments extends PosternError {
  /** Names that are not fields of the tool. */
  readonly unknown: readonly string[];
  /** Its fields. */
  readonly known: readonly string[];
  /** A field that was given text but takes another type. */
  readonly mistyped: { readonly name: string; readonly kind: ArgumentKind } | undefined;

  constructor({ unknown, known, mistyped }: Partial<Pick<UnfitArguments, 'unknown' | 'known' | 'mistyped'>>) {
    const shown = (name: string): string => displayText(name, maxFieldLength);
    const meant = unknown?.length === 1 ? closestWord(unknown[0] ?? '', known ?? []) : undefined;
    super('ARGUMENTS_UNFIT', {
      stage: 'connection',
      detail: {
        ...(unknown && { members: unknown.slice(0, maxFields).map(shown) }),
        ...(meant !== undefined && { meant: shown(meant) }),
        ...(mistyped && { field: shown(mistyped.name), kind: mistyped.kind }),
      },
    });
    this.unknown = unknown ?? [];
    this.known = known ?? [];
    this.mistyped = mistyped;
  }
}

/** Characters per field name, and number of fields, in an error. */
const maxFieldLength = 60;
const maxFields = 10;

interface CallToolInput extends Omit<ToolCall, 'check' | 'timeouts'> {
  /** Skip argument validation. */
  readonly anyField?: boolean | undefined;
  /** The user sees the progress and can stop it. */
  readonly isWatched?: boolean | undefined;
  /** Time limit in milliseconds, regardless of progress. */
  readonly longest?: number | undefined;
}

/**
 * Calls a tool. A failing tool returns `isError`, which is a result. `meant`: the tool does not exist; this one has a
 * similar name. Errors: ARGUMENTS_UNFIT as `UnfitArguments`, those of calls, as `listTools`.
 */
export async function callTool(
  scope: UseScope,
  { anyField = false, isWatched = false, longest, ...call }: CallToolInput,
): Promise<UseResult<ToolResult> & { readonly meant?: string }> {
  const isChecked = !anyField && Object.keys(call.arguments).length > 0;
  const check = isChecked ? (tool: Tool): void => validateArguments(tool, call.arguments) : undefined;
  const timeouts = {
    // Without a watching user, a stalled call would otherwise run into the longest limit.
    silence: longest ?? (isWatched ? toolCall.longest : toolCall.silence),
    longest: longest ?? toolCall.longest,
  };
  const result = await runUse(scope, (ports, integration, access) =>
    use.callTool(ports, integration, { ...call, check, timeouts }, access),
  );
  const meant = result.value.isError ? await suggestTool(scope, call.name) : undefined;
  return { ...result, ...(meant !== undefined && { meant }) };
}

/** Suggests a tool from the last listing: many servers return a result for an unknown tool. */
async function suggestTool({ ports, integration }: UseScope, name: string): Promise<string | undefined> {
  const pins = await ports.pins.read(integration.id);
  const known = [...(pins?.tools ?? []), ...(pins?.changed ?? [])].map((tool) => tool.name);
  return known.includes(name) ? undefined : suggestName(name, known);
}

/** Milliseconds. */
const suggestionTimeout = 5_000;

/**
 * Rethrows the error of a request by name, with the most similar name that the server lists. Always rejects.
 */
async function failWithSuggestion(
  typed: string,
  error: unknown,
  { ports, integration, access: { signal, serverPool } }: UseScope,
  list: (ports: EnginePorts, integration: Integration, access: UseOptions) => Promise<readonly string[]>,
): Promise<never> {
  // A server that fails completely lists nothing either.
  if (!(error instanceof PosternError) || !hasTrait(error, 'operation') || signal.aborted) throw error;
  // No user and no history: this request is Postern's own.
  const access = { signal: AbortSignal.any([signal, AbortSignal.timeout(suggestionTimeout)]), serverPool };
  const names = await list(ports, integration, access).catch((): readonly string[] => []);
  const meant = names.includes(typed) ? undefined : suggestName(typed, names);
  throw meant === undefined ? error : error.with({ detail: { meant } });
}

function suggestName(typed: string, names: readonly string[]): string | undefined {
  const meant = closestWord(typed, names);
  return meant === undefined ? undefined : displayText(meant, 120);
}

/**
 * Refuses unknown fields, and text for a field of another type: a server may silently drop an argument, and with it the
 * filter of a deletion. Constraints beyond a plain list of fields are left to the server.
 */
function validateArguments({ inputSchema }: Pick<Tool, 'inputSchema'>, input: ToolCall['arguments']): void {
  const known = allowedFields(inputSchema);
  const unknown = Object.keys(input).filter((name) => known?.includes(name) === false);
  if (known && unknown.length > 0) throw new UnfitArguments({ unknown, known });
  const { properties = {} } = inputSchema;
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== 'string' || !Object.hasOwn(properties, name)) continue;
    const schema: unknown = properties[name];
    const type = typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined;
    const kind = argumentKinds.find((each) => each === type);
    if (kind !== undefined) throw new UnfitArguments({ mistyped: { name, kind } });
  }
}

/** The only field names a schema allows; `undefined` if others may be valid (JSON Schema 2020-12, 10.3.2). */
function allowedFields(schema: Tool['inputSchema']): readonly string[] | undefined {
  const { properties, additionalProperties } = schema as { properties?: object; additionalProperties?: unknown };
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined;
  if (['anyOf', 'oneOf', 'allOf', '$ref', '$dynamicRef', 'patternProperties', 'if'].some((name) => name in schema))
    return undefined;
  // A schema with neither fields nor `additionalProperties` decides nothing.
  if (properties === undefined) return additionalProperties === false ? [] : undefined;
  return Object.keys(properties);
}

/** A resource by its URI, or by a template and its values. */
interface ResourceChoice {
  readonly uri: string;
  /** `undefined`: `uri` is a URI, whatever braces it contains. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** Reads a resource; also returns its `uri`. Errors: RESOURCE_NOT_FOUND, as `resourceAddress`. */
export async function readResource(
  scope: UseScope,
  choice: ResourceChoice,
): Promise<UseResult<readonly ResourceContents[]> & { readonly uri: string }> {
  const uri = await resourceAddress(scope, choice);
  const contents = await runUse(scope, (ports, integration, access) =>
    browse.readResource(ports, integration, uri, access),
  ).catch((error: unknown) =>
    failWithSuggestion(uri, error, scope, async (...args) => {
      const { resources, templates } = await browse.listResources(...args);
      return [...resources.map((each) => each.uri), ...templates.map(({ uriTemplate }) => uriTemplate)];
    }),
  );
  return { ...contents, uri };
}

/**
 * A resource's URI. With braces it may be a template or a literal URI: without values it is a URI if the server lists
 * it. Errors: `UnfitValues`; if the server has to be asked, as `listTools`.
 */
export async function resourceAddress(scope: UseScope, { uri, values }: ResourceChoice): Promise<string> {
  if (values === undefined) return uri;
  const isListed = async (): Promise<boolean> => {
    const { resources } = (await listResources(scope)).value;
    return resources.some((each) => each.uri === uri);
  };
  return await fillTemplate(uri, values, isListed);
}

/**
 * Follows a server's change notifications for a list or resource until `access.signal` aborts. Returns false if the
 * server does not send them. Errors: as `listTools`.
 */
export async function follow(
  { ports, integration, access }: Omit<UseScope, 'history'>,
  of: OperationInput<'integration:follow'>['of'],
  follower: Follower,
): Promise<boolean> {
  const { followChanges } = await import('../engine/use/follow-changes.ts');
  return await followChanges(ports, integration, of, access, follower);
}

/**
 * Shows a resource now and after each update notification; after a reconnection, only if it has changed. Errors:
 * NO_SUBSCRIPTIONS if the server sends no notifications, as `follow`.
 */
export async function followResource(
  scope: Omit<UseScope, 'history'>,
  { uri }: { readonly uri: string },
  {
    show,
    onDisconnect,
  }: Pick<Follower, 'onDisconnect'> & { readonly show: (contents: readonly ResourceContents[]) => Promise<void> },
): Promise<void> {
  let shown: string | undefined;
  const isSupported = await follow(
    scope,
    { resource: uri },
    {
      onDisconnect,
      async read({ client }, occasion, signal) {
        const { contents } = await client.readResource({ uri }, { signal, cacheMode: 'bypass' });
        const digest = createHash('sha256').update(JSON.stringify(contents)).digest('base64');
        if (digest === shown && occasion === 'again') return;
        shown = digest;
        await show(contents);
      },
    },
  );
  if (isSupported) return;
  const { host } = new URL(scope.integration.url);
  throw new PosternError('NO_SUBSCRIPTIONS', { stage: 'connection', detail: { host } });
}

/** Gets a prompt, filled in. Errors: PROMPT_NOT_FOUND, as `listTools`. */
export async function getPrompt(
  scope: UseScope,
  { name, arguments: given }: Pick<OperationInput<'integration:getPrompt'>, 'name' | 'arguments'>,
): Promise<UseResult<readonly PromptMessage[]>> {
  return await runUse(scope, (ports, integration, access) =>
    browse.getPrompt(ports, integration, { name, arguments: given }, access),
  ).catch((error: unknown) =>
    failWithSuggestion(name, error, scope, async (...args) =>
      (await browse.listPrompts(...args)).map((each) => each.name),
    ),
  );
}

/** Completions for an argument being typed (MCP 2025-11-25, completion). Errors: as `listTools`. */
export async function completeArgument(
  { ports, integration, access }: Omit<UseScope, 'history'>,
  { of, argument, given }: Omit<OperationInput<'integration:complete'>, 'id'>,
): Promise<readonly string[]> {
  const ref =
    'prompt' in of
      ? ({ type: 'ref/prompt', name: of.prompt } as const)
      : ({ type: 'ref/resource', uri: of.template } as const);
  const signal = AbortSignal.any([access.signal, AbortSignal.timeout(completion.timeout)]);
  return await browse.completeArgument(
    ports,
    integration,
    { ref, argument, otherArguments: given },
    { ...access, signal },
  );
}

/** Values do not match a template's variables. */
export class UnfitValues extends PosternError {
  /** Names that are not variables of it. */
  readonly unknown: readonly string[];
  /** Required variables without a value. */
  readonly missing: readonly string[];
  /** All its variables. */
  readonly variables: readonly string[];

  constructor({ unknown, missing, variables }: Pick<UnfitValues, 'unknown' | 'missing' | 'variables'>) {
    super('IPC_SCHEMA', { stage: 'postern' });
    this.unknown = unknown;
    this.missing = missing;
    this.variables = variables;
  }
}

/**
 * Expands a template (RFC 6570). An address without variables stays, and so does one that is listed, which is only
 * checked if there are no values. Errors: `UnfitValues`, those of `isListed`.
 */
export async function fillTemplate(
  address: string,
  values: Readonly<Record<string, string>>,
  isListed: () => Promise<boolean>,
): Promise<string> {
  const { parseUriTemplate } = await import('../mcp/client/uri-template.ts');
  const template = parseUriTemplate(address);
  const names = Object.keys(values);
  if (template && names.length === 0 && (await isListed())) return address;
  const { names: variables = [], optional = [] }: Partial<ParsedTemplate> = template ?? {};
  const unknown = names.filter((name) => !variables.includes(name));
  const missing = variables.filter((name) => !names.includes(name) && !optional.includes(name));
  if (unknown.length > 0 || missing.length > 0) throw new UnfitValues({ unknown, missing, variables });
  return template?.fill(values) ?? address;
}

async function runUse<Value>(
  { ports, integration, access, history }: UseScope,
  work: (ports: EnginePorts, integration: Integration, access: UseOptions) => Promise<Value>,
): Promise<UseResult<Value>> {
  let isPartial = false;
  const unusable: UnusablePart[] = [];
  const options: UseOptions = {
    ...access,
    onPartial: () => (isPartial = true),
    onUnusable: (parts) => void unusable.push(...parts),
  };
  const { clock } = ports;
  const value = await runWithHistory({ history, clock }, integration, () => work(ports, integration, options));
  return { value, isPartial, unusable };
}
