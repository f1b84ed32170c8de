import type { LogLevel } from '../../../shared/choices.ts';
import { requestLess } from '../../../shared/error-catalog/call-errors.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { Integration, ServerProtocol } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { holdsChanges, withChangedToolRule } from '../../../shared/tool-permissions.ts';
import { browserAddress, checkAddress } from '../../address/check-address.ts';
import { displayText, serverName } from '../../address/display-text.ts';
import { closestWord } from '../../closest-word.ts';
import { isExpectedError, offersSignIn, PosternError, requiresSignIn } from '../../errors/postern-error.ts';
import { authorizationsPerOperation, errorScopes, toolCall } from '../../limits.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import { fingerprintTool } from '../../mcp/client/tool-fingerprint.ts';
import type { LogEntry, UserPrompter } from '../../mcp/client/server-questions.ts';
import type { CallTimeout, Progress, Tool, ToolCall } from '../../mcp/client/call-tool.ts';
import { refusalFrom } from '../../mcp/http/credential-gate.ts';
import type { VerbatimOptions } from '../../mcp/messages/exact-json.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy, serverAddress } from '../records/integration-policy.ts';
import { recordUse } from '../records/server-failure.ts';
import { isUnreviewed, recordListedTools } from '../records/tool-pins.ts';
import type { PinPorts } from '../records/tool-pins.ts';
import type { SignInInteraction } from '../sign-in/sign-in-interaction.ts';
import { credentialSource } from './credential-source.ts';
import { inSession, openServer } from './open-server.ts';
import type { OpenServer } from './open-server.ts';
import type { ServerPool } from './server-pool.ts';

/**
 * The user, as far as a server needs one. Without a member, the work ends with its error, or a question stays
 * unanswered.
 */
export interface ServerUser {
  /** The user's side of a sign-in. */
  readonly signIn?: SignInInteraction;
  /** Returns the handler for a server's questions during one call: forms and pages. */
  readonly questionHandler?: (call: ServerCall) => Omit<UserPrompter, 'checkPage'>;
}

interface ServerCall {
  readonly integration: Integration;
  readonly tool: string;
}

/** How to use a server. */
export interface UseOptions {
  /** Left out: no user is present. */
  readonly user?: ServerUser | undefined;
  readonly signal: AbortSignal;
  /** Pool of connections; left out: the operation opens its own. */
  readonly serverPool?: ServerPool | undefined;
  /** It only listens, so its outcome says nothing about whether the server works. */
  readonly isListening?: boolean | undefined;
  /** Called if a listing was cut at `mcpListing`. */
  readonly onPartial?: (() => void) | undefined;
  /** Gets the parts of a listing or result that cannot be used, or only as JSON. Not called without any. */
  readonly onUnusable?: ((parts: readonly UnusablePart[]) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Gets the server's log entries during a call. */
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  /** Left out: the server's default. */
  readonly logLevel?: LogLevel | undefined;
  /** For passing a tool's result through unchanged. Long texts are replaced by placeholders. */
  readonly verbatim?: VerbatimOptions | undefined;
}

export type ToolResult = Awaited<ReturnType<McpConnection['client']['callTool']>>;

/**
 * All tools of a server, within `mcpListing`. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED and those
 * of HTTP.
 */
export async function listTools(
  ports: EnginePorts,
  integration: Integration,
  options: UseOptions,
): Promise<readonly Tool[]> {
  return await useServer(
    ports,
    integration,
    options,
    async ({ client, isPartial, unusableParts: unusable }, signal) => {
      const { listToolsOf } = await import('../../mcp/client/call-tool.ts');
      const tools = await listToolsOf(client, signal);
      const unusableParts = unusable('tools/list');
      if (isPartial('tools/list')) options.onPartial?.();
      if (unusableParts.length > 0) options.onUnusable?.(unusableParts);
      await recordListedTools(ports, integration, tools, !isPartial('tools/list') && unusableParts.length === 0);
      return tools;
    },
  );
}

/**
 * Milliseconds for which a cached list suffices for a call that fits it; any other call is compared with a new list.
 */
const toolListFreshness = 60_000;

function fitsCachedTool(
  list: McpConnection['lastListing'],
  { name, check, now }: { readonly name: string; readonly check: (tool: Tool) => void; readonly now: number },
): boolean {
  const tool = list && now - list.at < toolListFreshness ? list.tools.find((each) => each.name === name) : undefined;
  // A call that may change something is compared with the current list.
  if (tool?.annotations?.readOnlyHint !== true) return false;
  try {
    check(tool);
    return true;
  } catch {
    return false;
  }
}

/** Calls one tool. A failing tool returns `isError`, which is a result. Errors: as `listTools`, those of calls. */
export async function callTool(
  ports: EnginePorts,
  integration: Integration,
  { name, arguments: input, check, timeouts = toolCall }: ToolCall,
  options: UseOptions,
): Promise<ToolResult> {
  const host = serverLabel(integration);
  let isInterrupted = false;
  const startedTask = { host };
  const call = callServer(ports, integration, options, async (connection, signal) => {
    const { client, questions, questionsReady } = connection;
    const { callToolOf, listToolsOf } = await import('../../mcp/client/call-tool.ts');
    const { CallTimeout } = await import('../../mcp/client/call-tool.ts');
    const isBlocking = await blocksUnreviewed(ports, integration);
    const now = ports.clock.monotonic();
    if (isBlocking || (check && !fitsCachedTool(connection.lastListing, { name, check, now }))) {
      const tools = await listToolsOf(client, signal);
      if (isBlocking) await refuseUnreviewed(ports, integration, tools, name);
      for (const tool of tools) if (tool.name === name) check?.(tool);
      connection.saveListing?.({ tools, at: now });
    }
    const callTimeout = new CallTimeout(timeouts, { host, tool: name });
    try {
      const userHandler = options.user?.questionHandler?.({ integration, tool: name });
      const handler = userHandler && boundedQuestionHandler(userHandler, integration, callTimeout);
      if (handler) await questionsReady;
      const called = { name, arguments: { ...input } };
      const ending = AbortSignal.any([signal, callTimeout.signal]);
      const wantsLog = options.onLog !== undefined;
      return await questions.runWithPrompter(
        handler,
        ending,
        () => callToolOf(client, called, { ...options, signal, callTimeout, questions, wantsLog, startedTask }),
        options.onLog,
      );
    } catch (error) {
      isInterrupted = signal.aborted;
      if (isInterrupted) throw error;
      // The library reports it only as its own timeout.
      callTimeout.signal.throwIfAborted();
      const { toFailedCall, mayBeUnknownName } = await import('../../mcp/http/mcp-failure.ts');
      // Servers use the code of an invalid argument for an unknown tool (JSON-RPC 2.0 section 5.1): list the tools to
      // be sure.
      if (!mayBeUnknownName(error) || !client.getServerCapabilities()?.tools) throw error;
      const listed = await listToolsOf(client, signal).catch(() => undefined);
      const names = listed?.map((tool) => tool.name);
      if (!names || names.includes(name)) throw error;
      const suggestion = closestWord(name, names);
      const failed = toFailedCall(error, host, 'TOOL_NOT_FOUND');
      throw suggestion === undefined ? failed : failed.with({ detail: { meant: displayText(suggestion, 120) } });
    } finally {
      callTimeout.stop();
    }
  });
  const result = await call.catch((error: unknown) => {
    if (isInterrupted)
      throw new PosternError('CALL_INTERRUPTED', { stage: 'connection', detail: { host, tool: name } });
    if (!(error instanceof PosternError) || !hasTrait(error, 'large-result')) throw error;
    throw error.with({ detail: { tool: name }, remedy: requestLess });
  });
  const { withOriginalContent, unusableIn } = await import('../../mcp/messages/repair-result.ts');
  const parts = unusableIn(result);
  if (parts.length > 0) options.onUnusable?.(parts);
  return withOriginalContent(result);
}

export async function readTools(
  server: OpenServer,
  protocol: ServerProtocol | undefined,
  signal: AbortSignal,
): Promise<{ tools: readonly Tool[]; protocol: ServerProtocol; ownName: string | undefined }> {
  try {
    return await inSession(server, protocol, signal, async (connection) => ({
      tools: await (await import('../../mcp/client/call-tool.ts')).listToolsOf(connection.client, signal),
      protocol: connection.protocol,
      ownName: ownName(connection),
    }));
  } catch (error) {
    throw await server.failure(error);
  }
}

/** What a server calls itself; `undefined` if that is no usable name. */
export function ownName({ client }: Pick<McpConnection, 'client'>): string | undefined {
  const { title, name = '' } = client.getServerVersion() ?? {};
  return serverName(title ?? '') || serverName(name) || undefined;
}

/**
 * Runs `work` on a connection. On a demand to sign in, signs in and runs it again, with at most three authorizations
 * per operation, including the first sign-in (MCP step-up, retry limits).
 */
export async function useServer<Result>(
  ports: EnginePorts,
  integration: Integration,
  options: UseOptions,
  work: (connection: McpConnection, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  let current = integration;
  for (let authorizations = integration.signedInAt === undefined ? 0 : 1; ; authorizations += 1) {
    const server = openFor(ports, current, options);
    try {
      const result = await inSession(server, current.protocol, options.signal, async (connection) => {
        const outcome = await work(connection, options.signal);
        if (connection.protocol !== current.protocol) {
          await ports.store.update(current.id, (entry) => ({ ...entry, protocol: connection.protocol }));
        }
        return outcome;
      });
      if (!options.isListening) await recordUse(ports, current, undefined);
      return result;
    } catch (thrown) {
      // If the work was aborted because the sign-in ended, report that, not the abort.
      const hasEnded = isExpectedError(thrown) && requiresSignIn(thrown);
      if (options.signal.aborted && !hasEnded) throw new PosternError('USER_CANCELLED', { stage: 'connection' });
      const error = await server.failure(thrown);
      const signIn = options.user?.signIn;
      if (!signIn || !offersSignIn(error) || authorizations >= authorizationsPerOperation) {
        if (!options.isListening) await recordUse(ports, current, error);
        throw withMissingScopes(error, current);
      }
      const { reauthenticate } = await import('../sign-in/reauthenticate.ts');
      const demand = { reason: error, refusal: refusalFrom(error) };
      current = await reauthenticate(ports, current, demand, signIn, options.signal);
    }
  }
}

/** The same for one call: an MCP error response becomes a `FailedCall`, which says nothing about the server. */
export async function callServer<Result>(
  ports: EnginePorts,
  integration: Integration,
  options: UseOptions,
  work: (connection: McpConnection, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return await useServer(ports, integration, options, async (connection, signal) => {
    const { runCall } = await import('../../mcp/http/mcp-failure.ts');
    return await runCall(serverLabel(integration), () => work(connection, signal));
  });
}

/** Name of a server in a call's errors: the host, or a local server's name, since its command may belong to many. */
export function serverLabel({ command, name, url }: Integration): string {
  return command ? name : new URL(url).host;
}

function openFor(
  ports: EnginePorts,
  integration: Integration,
  { signal, user, verbatim, serverPool }: UseOptions,
): OpenServer {
  const options = { canAskUser: user?.questionHandler !== undefined, verbatim };
  if (serverPool) return serverPool.open(ports, integration, options);
  return openServer(ports, serverAddress(integration), credentialSource(ports, integration, signal), options);
}

/** True if unreviewed tools are blocked, for this server or for all. Errors: CFG_*. */
async function blocksUnreviewed(
  { store }: Pick<EnginePorts, 'store'>,
  { permissions }: Pick<Integration, 'permissions'>,
): Promise<boolean> {
  return holdsChanges(withChangedToolRule(permissions, (await store.settings()).changedTools));
}

/**
 * Refuses a tool that is new or has changed since the user reviewed it. `listed`: the server's current tools. Errors:
 * TOOL_CHANGED.
 */
async function refuseUnreviewed(
  ports: PinPorts,
  integration: Integration,
  listed: readonly Tool[],
  name: string,
): Promise<void> {
  const pins = await recordListedTools(ports, integration, listed);
  if (listed.some((tool) => tool.name === name && isUnreviewed(pins, fingerprintTool(tool))))
    throw new PosternError('TOOL_CHANGED', { stage: 'connection', detail: { tool: displayText(name) } });
}

/**
 * Adds to SCOPE_REQUIRED the scopes that the server's challenge names and the integration lacks (RFC 6750 section 3.1),
 * safe for display: detail `scopes`, a list. Detail `scopeAnswer` is set if all of them were already requested:
 * `refused` by the sign-in service, or `granted` according to it. Other errors stay.
 */
export function withMissingScopes(
  error: PosternError,
  { scope, scopeRequested = '' }: Pick<Integration, 'scope' | 'scopeRequested'>,
): PosternError {
  const refusal = refusalFrom(error);
  const required = missingScope(refusal?.challenge?.scope, '');
  if (refusal?.kind !== 'insufficient-scope' || required.length === 0) return error;
  // Without a `scope` in the response, what was requested was granted (RFC 6749 section 5.1).
  const missing = missingScope(required.join(' '), scope ?? scopeRequested);
  const wasRequested = missingScope(missing.join(' '), scopeRequested).length === 0;
  const scopeAnswer = missing.length === 0 ? 'granted' : wasRequested ? 'refused' : undefined;
  const scopes = (missing.length === 0 ? required : missing)
    .slice(0, errorScopes.count)
    .map((name) => displayText(name, errorScopes.length));
  return error.with({
    detail: { scopes, ...(scopeAnswer && { scopeAnswer }) },
    remedy: { kind: 'grant-scopes', answered: scopeAnswer !== undefined },
  });
}

/**
 * Wraps a user's question handler: time for answering does not count against the call's limit, and pages must pass the
 * address rule.
 */
export function boundedQuestionHandler(
  handler: Omit<UserPrompter, 'checkPage'>,
  { url, options }: Pick<Integration, 'url' | 'options'>,
  callTimeout: CallTimeout,
): UserPrompter {
  const policy = integrationPolicy(url, options);
  return {
    ask: (question, signal) => callTimeout.pauseDuring(() => handler.ask(question, signal)),
    onRefused: (why) => handler.onRefused(why),
    checkPage(text) {
      const address = browserAddress(text);
      checkAddress(new URL(address), policy, 'connection');
      return address;
    },
  };
}
