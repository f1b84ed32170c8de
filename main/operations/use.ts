import { createHash } from 'node:crypto';
import { argumentKinds } from '../../shared/error-catalogue/call-errors.ts';
import type { ArgumentKind } from '../../shared/error-catalogue/call-errors.ts';
import { isAbout } from '../../shared/error-facts.ts';
import type { Integration } from '../../shared/integration.ts';
import type { UnusablePart } from '../../shared/mcp-view.ts';
import { displayText } from '../address/display-text.ts';
import { closestWord } from '../closest-word.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { notingProblem } from '../engine/kept/kept-failure.ts';
import type { ProblemHistory } from '../engine/kept/kept-failure.ts';
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
import type { Access, ToolResult } from '../engine/use/use-server.ts';
import { PosternError } from '../errors/postern-error.ts';
import { completion, toolCall } from '../limits.ts';
import type { ReadTemplate } from '../mcp/client/uri-template.ts';
import type { Tool, ToolCall } from '../mcp/client/use-tools.ts';
import type { OperationInput } from './operation.ts';

/** A server that is used, and how. */
export interface UseScope {
  readonly ports: EnginePorts;
  readonly integration: Integration;
  readonly access: Access;
  /** Where it is noted that a use failed. */
  readonly history: ProblemHistory;
}

/** What a server listed or answered. */
export interface Found<Value> {
  readonly found: Value;
  /** It has listed more than Postern takes of one server. */
  readonly isPartial: boolean;
  /** Parts that are left out, or used only as JSON. */
  readonly unusable: readonly UnusablePart[];
}

/** Every tool of a server. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED and those of HTTP. */
export async function listTools(scope: UseScope): Promise<Found<readonly Tool[]>> {
  return await finding(scope, use.listTools);
}

/** Every resource, and the templates of more. Errors: as `listTools`. */
export async function listResources(
  scope: UseScope,
): Promise<Found<{ readonly resources: readonly Resource[]; readonly templates: readonly ResourceTemplate[] }>> {
  return await finding(scope, browse.listResources);
}

/** Every prompt. Errors: as `listTools`. */
export async function listPrompts(scope: UseScope): Promise<Found<readonly Prompt[]>> {
  return await finding(scope, browse.listPrompts);
}

/** Arguments do not fit the schema of their tool. Nothing was sent. */
export class UnfitArguments extends PosternError {
  /** Names that are no field of it. */
  readonly unknown: readonly string[];
  /** Its fields. */
  readonly known: readonly string[];
  /** A field that was given text, and takes another kind of value. */
  readonly mistyped: { readonly name: string; readonly kind: ArgumentKind } | undefined;

  constructor({ unknown, known, mistyped }: Partial<Pick<UnfitArguments, 'unknown' | 'known' | 'mistyped'>>) {
    const shown = (name: string): string => displayText(name, shownField);
    const meant = unknown?.length === 1 ? closestWord(unknown[0] ?? '', known ?? []) : undefined;
    super('ARGUMENTS_UNFIT', {
      stage: 'connection',
      detail: {
        ...(unknown && { members: unknown.slice(0, mostFields).map(shown) }),
        ...(meant !== undefined && { meant: shown(meant) }),
        ...(mistyped && { field: shown(mistyped.name), kind: mistyped.kind }),
      },
    });
    this.unknown = unknown ?? [];
    this.known = known ?? [];
    this.mistyped = mistyped;
  }
}

/** Characters of the name of a field, and fields, that an error names. */
const shownField = 60;
const mostFields = 10;

interface CalledTool extends Omit<ToolCall, 'check' | 'patience'> {
  /** Without comparing the arguments with what the tool says that it takes. */
  readonly anyField?: boolean | undefined;
  /** The user sees how long it takes, and can stop it. */
  readonly isWatched?: boolean | undefined;
  /** Milliseconds that it gets, whatever is heard of it meanwhile. */
  readonly longest?: number | undefined;
}

/**
 * Calls a tool. One that fails answers `isError`; that is a result. `meant`: it has no such tool, and another one was
 * probably meant. Errors: ARGUMENTS_UNFIT as `UnfitArguments`, those of
 * calls, as `listTools`.
 */
export async function callTool(
  scope: UseScope,
  { anyField = false, isWatched = false, longest, ...call }: CalledTool,
): Promise<Found<ToolResult> & { readonly meant?: string }> {
  const isChecked = !anyField && Object.keys(call.arguments).length > 0;
  const check = isChecked ? (tool: Tool): void => requireFit(tool, call.arguments) : undefined;
  const patience = {
    // Where nobody watches, one that has stopped would be waited for until the end.
    silence: longest ?? (isWatched ? toolCall.longest : toolCall.silence),
    longest: longest ?? toolCall.longest,
  };
  const answered = await finding(scope, (ports, integration, access) =>
    use.callTool(ports, integration, { ...call, check, patience }, access),
  );
  const meant = answered.found.isError ? await unknownTool(scope, call.name) : undefined;
  return { ...answered, ...(meant !== undefined && { meant }) };
}

/** Many a server answers for a tool that it does not have: the one that was probably meant, of those it last listed. */
async function unknownTool({ ports, integration }: UseScope, name: string): Promise<string | undefined> {
  const seen = await ports.pins.read(integration.id);
  const known = [...(seen?.tools ?? []), ...(seen?.changed ?? [])].map((tool) => tool.name);
  return known.includes(name) ? undefined : meantBy(name, known);
}

/** Milliseconds for finding out what was meant. */
const meantPatience = 5_000;

/**
 * The error of a request for something by its name; where the server lists others and not that one, with the one that
 * was probably meant. Always rejects.
 */
async function failWithMeant(
  typed: string,
  error: unknown,
  { ports, integration, access: { signal, keptServers } }: UseScope,
  list: (ports: EnginePorts, integration: Integration, access: Access) => Promise<readonly string[]>,
): Promise<never> {
  // A server that is of no use at all lists nothing either.
  if (!(error instanceof PosternError) || !isAbout(error, 'operation') || signal.aborted) throw error;
  // Nobody is asked anything for it, and nothing is noted: the user asked for something else.
  const access = { signal: AbortSignal.any([signal, AbortSignal.timeout(meantPatience)]), keptServers };
  const names = await list(ports, integration, access).catch((): readonly string[] => []);
  const meant = names.includes(typed) ? undefined : meantBy(typed, names);
  throw meant === undefined ? error : error.with({ detail: { meant } });
}

function meantBy(typed: string, names: readonly string[]): string | undefined {
  const meant = closestWord(typed, names);
  return meant === undefined ? undefined : displayText(meant, 120);
}

/**
 * Refuses what a tool has no field for: a server may drop it without a word, and with it the filter of what the tool
 * deletes; and text for a field that takes none. What a schema states by more than a list of fields is left to the server.
 */
function requireFit({ inputSchema }: Pick<Tool, 'inputSchema'>, input: ToolCall['arguments']): void {
  const known = closedFields(inputSchema);
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

/** A resource by its address, or by a template and what fills its gaps. */
export interface ResourceChoice {
  readonly uri: string;
  /** `undefined`: `uri` is an address, whatever braces are in it. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

/** Reads a resource, whose `uri` it answers too. Errors: RESOURCE_NOT_FOUND, as `resourceAddress`. */
export async function readResource(
  scope: UseScope,
  choice: ResourceChoice,
): Promise<Found<readonly ResourceContents[]> & { readonly uri: string }> {
  const uri = await resourceAddress(scope, choice);
  const contents = await finding(scope, (ports, integration, access) =>
    browse.readResource(ports, integration, uri, access),
  ).catch((error: unknown) =>
    failWithMeant(uri, error, scope, async (...asking) => {
      const { resources, templates } = await browse.listResources(...asking);
      return [...resources.map((each) => each.uri), ...templates.map(({ uriTemplate }) => uriTemplate)];
    }),
  );
  return { ...contents, uri };
}

/**
 * Where a resource is. With braces it may be a template or the address of a resource: without values it is an address if
 * the server lists a resource by it. Errors: `UnfitValues`; where that has to be asked, as `listTools`.
 */
export async function resourceAddress(scope: UseScope, { uri, values }: ResourceChoice): Promise<string> {
  if (values === undefined) return uri;
  const isListed = async (): Promise<boolean> => {
    const { resources } = (await listResources(scope)).found;
    return resources.some((each) => each.uri === uri);
  };
  return await fillTemplate(uri, values, isListed);
}

/**
 * Follows what a server says has changed, a list or a resource, until `access.signal` aborts. Answers false where the
 * server says no such thing. Errors: as `listTools`.
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
 * Shows a resource as it is now, and shows it anew each time that its server says that it was updated. After a connection
 * that ended it is shown where it is another one by now. Errors: NO_SUBSCRIPTIONS where the server says no such thing, as
 * `follow`.
 */
export async function followResource(
  scope: Omit<UseScope, 'history'>,
  { uri }: { readonly uri: string },
  {
    show,
    broke,
  }: Pick<Follower, 'broke'> & { readonly show: (contents: readonly ResourceContents[]) => Promise<void> },
): Promise<void> {
  let shown: string | undefined;
  const says = await follow(
    scope,
    { resource: uri },
    {
      broke,
      async read({ client }, occasion, signal) {
        const { contents } = await client.readResource({ uri }, { signal, cacheMode: 'bypass' });
        const digest = createHash('sha256').update(JSON.stringify(contents)).digest('base64');
        if (digest === shown && occasion === 'again') return;
        shown = digest;
        await show(contents);
      },
    },
  );
  if (says) return;
  const { host } = new URL(scope.integration.url);
  throw new PosternError('NO_SUBSCRIPTIONS', { stage: 'connection', detail: { host } });
}

/** Gets a prompt, filled in. Errors: PROMPT_NOT_FOUND, as `listTools`. */
export async function getPrompt(
  scope: UseScope,
  { name, arguments: given }: Pick<OperationInput<'integration:getPrompt'>, 'name' | 'arguments'>,
): Promise<Found<readonly PromptMessage[]>> {
  return await finding(scope, (ports, integration, access) =>
    browse.getPrompt(ports, integration, { name, arguments: given }, access),
  ).catch((error: unknown) =>
    failWithMeant(name, error, scope, async (...asking) =>
      (await browse.listPrompts(...asking)).map((each) => each.name),
    ),
  );
}

/** What a server offers for an argument while it is typed (MCP 2025-11-25, completion). Errors: as `listTools`. */
export async function completeArgument(
  { ports, integration, access }: Omit<UseScope, 'history'>,
  { of, argument, given }: Omit<OperationInput<'integration:complete'>, 'id'>,
): Promise<readonly string[]> {
  const ref =
    'prompt' in of
      ? ({ type: 'ref/prompt', name: of.prompt } as const)
      : ({ type: 'ref/resource', uri: of.template } as const);
  const signal = AbortSignal.any([access.signal, AbortSignal.timeout(completion.patience)]);
  return await browse.completeArgument(ports, integration, { ref, argument, given }, { ...access, signal });
}

/** Values do not fit the gaps of a template. */
export class UnfitValues extends PosternError {
  /** Names that are no gap of it. */
  readonly unknown: readonly string[];
  /** Gaps that have to be filled, and are not. */
  readonly missing: readonly string[];
  /** Every gap of it. */
  readonly gaps: readonly string[];

  constructor({ unknown, missing, gaps }: Pick<UnfitValues, 'unknown' | 'missing' | 'gaps'>) {
    super('IPC_SCHEMA', { stage: 'app' });
    this.unknown = unknown;
    this.missing = missing;
    this.gaps = gaps;
  }
}

/**
 * The address that a template stands for (RFC 6570); an address without gaps stays, and so does one that `isListed`, which
 * is asked only where nothing fills its gaps. Errors: `UnfitValues`, those of `isListed`.
 */
export async function fillTemplate(
  address: string,
  values: Readonly<Record<string, string>>,
  isListed: () => Promise<boolean>,
): Promise<string> {
  const { readTemplate } = await import('../mcp/client/uri-template.ts');
  const template = readTemplate(address);
  const given = Object.keys(values);
  if (template && given.length === 0 && (await isListed())) return address;
  const { names: gaps = [], optional = [] }: Partial<ReadTemplate> = template ?? {};
  const unknown = given.filter((name) => !gaps.includes(name));
  const missing = gaps.filter((name) => !given.includes(name) && !optional.includes(name));
  if (unknown.length > 0 || missing.length > 0) throw new UnfitValues({ unknown, missing, gaps });
  return template?.fill(values) ?? address;
}

async function finding<Value>(
  { ports, integration, access, history }: UseScope,
  work: (ports: EnginePorts, integration: Integration, access: Access) => Promise<Value>,
): Promise<Found<Value>> {
  let isPartial = false;
  const unusable: UnusablePart[] = [];
  const whole: Access = {
    ...access,
    onPartial: () => (isPartial = true),
    onUnusable: (parts) => void unusable.push(...parts),
  };
  const { clock } = ports;
  const found = await notingProblem({ history, clock }, integration, () => work(ports, integration, whole));
  return { found, isPartial, unusable };
}
