import type { LogLevel } from '../../../shared/choices.ts';
import { askForLess } from '../../../shared/error-catalogue/call-errors.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { Integration, WireEra } from '../../../shared/integration.ts';
import type { UnusablePart } from '../../../shared/mcp-view.ts';
import { holdsChanges, withChangedToolRule } from '../../../shared/tool-permissions.ts';
import { browserAddress, checkAddress } from '../../address/check-address.ts';
import { displayText } from '../../address/display-text.ts';
import { closestWord } from '../../closest-word.ts';
import { isOutcome, offersSignIn, PosternError, wantsSignIn } from '../../errors/postern-error.ts';
import { authorizationsPerOperation, shownScopes, toolCall } from '../../limits.ts';
import type { McpConnection } from '../../mcp/client/connect-mcp.ts';
import { seeTool } from '../../mcp/client/seen-tool.ts';
import type { LogEntry, QuestionedPerson } from '../../mcp/client/server-questions.ts';
import type { CallPatience, Progress, Tool, ToolCall } from '../../mcp/client/use-tools.ts';
import { refusalIn } from '../../mcp/http/credential-gate.ts';
import type { AsWritten } from '../../mcp/messages/exact-json.ts';
import { missingScope } from '../../oauth/authorization/scope.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy, serverAddress } from '../kept/integration-policy.ts';
import { noteUse } from '../kept/kept-failure.ts';
import { isUnseen, noteListed } from '../kept/tool-pins.ts';
import type { PinPorts } from '../kept/tool-pins.ts';
import type { SignInInteraction } from '../sign-in/sign-in-interaction.ts';
import { credentialSource } from './credential-source.ts';
import { inSession, openServer } from './open-server.ts';
import type { OpenServer } from './open-server.ts';
import type { KeptServers } from './server-cache.ts';

/** The user, as a server needs them. What is absent nobody does: the work ends with its error, a question without answer. */
export interface ServerUser {
  /** Their side of a sign-in. */
  readonly signIn?: SignInInteraction;
  /** Who answers what the server asks during one call, with forms and pages. */
  readonly questioned?: (call: AskedCall) => Omit<QuestionedPerson, 'checkPage'>;
}

interface AskedCall {
  readonly integration: Integration;
  readonly tool: string;
}

/** How a server is used. */
export interface Access {
  /** Left out: nobody. */
  readonly user?: ServerUser | undefined;
  readonly signal: AbortSignal;
  /** Connections that outlast the operation; without them it has one of its own. */
  readonly keptServers?: KeptServers | undefined;
  /** It only listens: whether the server is of use, calls tell. */
  readonly isListening?: boolean | undefined;
  /** Told that a listing is not all that the server named: see `mcpListing`. */
  readonly onPartial?: (() => void) | undefined;
  /** Told what of a listing or result cannot be used, or only as JSON; not where there is nothing of the kind. */
  readonly onUnusable?: ((parts: readonly UnusablePart[]) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Told what the server writes down during a call. */
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  /** How much of it; as the server does it by itself without. */
  readonly logLevel?: LogLevel | undefined;
  /** For whoever hands on what a tool answers. Long texts then have words in their places. */
  readonly asWritten?: AsWritten | undefined;
}

export type ToolResult = Awaited<ReturnType<McpConnection['client']['callTool']>>;

/**
 * Every tool of a server, within `mcpListing`. Errors: SIGN_IN_REQUIRED, SCOPE_REQUIRED, REFRESH_*, MCP_FAILED and
 * those of HTTP.
 */
export async function listTools(
  ports: EnginePorts,
  integration: Integration,
  access: Access,
): Promise<readonly Tool[]> {
  return await useServer(ports, integration, access, async ({ client, isPartial, unusable }, signal) => {
    const { listToolsOf } = await import('../../mcp/client/use-tools.ts');
    const tools = await listToolsOf(client, signal);
    const left = unusable('tools/list');
    if (isPartial('tools/list')) access.onPartial?.();
    if (left.length > 0) access.onUnusable?.(left);
    await noteListed(ports, integration, tools, !isPartial('tools/list') && left.length === 0);
    return tools;
  });
}

/** Milliseconds for which a list is good enough for a call that fits it; one that does not is compared with a new one. */
const goodEnough = 60_000;

function fits(
  list: McpConnection['listed'],
  { name, check, now }: { readonly name: string; readonly check: (tool: Tool) => void; readonly now: number },
): boolean {
  const tool = list && now - list.at < goodEnough ? list.tools.find((each) => each.name === name) : undefined;
  // What changes something is compared with what it takes now.
  if (tool?.annotations?.readOnlyHint !== true) return false;
  try {
    check(tool);
    return true;
  } catch {
    return false;
  }
}

/** Calls one tool. One that fails answers `isError`; that is a result. Errors: as `listTools`, those of calls. */
export async function callTool(
  ports: EnginePorts,
  integration: Integration,
  { name, arguments: input, check, patience: wanted = toolCall }: ToolCall,
  access: Access,
): Promise<ToolResult> {
  const host = shownServer(integration);
  let isInterrupted = false;
  const begun = { host };
  const call = callServer(ports, integration, access, async (connection, signal) => {
    const { client, questions, heard } = connection;
    const { callToolOf, listToolsOf } = await import('../../mcp/client/use-tools.ts');
    const { CallPatience } = await import('../../mcp/client/use-tools.ts');
    const isHeld = await holdsUnseen(ports, integration);
    const now = ports.clock.monotonic();
    if (isHeld || (check && !fits(connection.listed, { name, check, now }))) {
      const tools = await listToolsOf(client, signal);
      if (isHeld) await refuseUnseen(ports, integration, tools, name);
      for (const tool of tools) if (tool.name === name) check?.(tool);
      connection.noteListed?.({ tools, at: now });
    }
    const patience = new CallPatience(wanted, { host, tool: name });
    try {
      const asked = access.user?.questioned?.({ integration, tool: name });
      const person = asked && questionedPerson(asked, integration, patience);
      if (person) await heard;
      const called = { name, arguments: { ...input } };
      const ending = AbortSignal.any([signal, patience.signal]);
      const wantsLog = access.onLog !== undefined;
      return await questions.during(
        person,
        ending,
        () => callToolOf(client, called, { ...access, signal, patience, questions, wantsLog, begun }),
        access.onLog,
      );
    } catch (error) {
      isInterrupted = signal.aborted;
      if (isInterrupted) throw error;
      // The library knows it as a time of its own that has run out.
      patience.signal.throwIfAborted();
      const { failedCall, mayBeUnknownName } = await import('../../mcp/http/mcp-failure.ts');
      // Servers answer an unknown tool with the code of a wrong argument (JSON-RPC 2.0 section 5.1): ask to be sure.
      if (!mayBeUnknownName(error) || !client.getServerCapabilities()?.tools) throw error;
      const listed = await listToolsOf(client, signal).catch(() => undefined);
      const names = listed?.map((tool) => tool.name);
      if (!names || names.includes(name)) throw error;
      const meant = closestWord(name, names);
      const failed = failedCall(error, host, 'TOOL_NOT_FOUND');
      throw meant === undefined ? failed : failed.with({ detail: { meant: displayText(meant, 120) } });
    } finally {
      patience.stop();
    }
  });
  const result = await call.catch((error: unknown) => {
    if (isInterrupted)
      throw new PosternError('CALL_INTERRUPTED', { stage: 'connection', detail: { host, tool: name } });
    if (!(error instanceof PosternError) || !isAbout(error, 'large-result')) throw error;
    throw error.with({ detail: { tool: name }, remedy: askForLess });
  });
  const { asSaid, unusableIn } = await import('../../mcp/messages/repair-result.ts');
  const parts = unusableIn(result);
  if (parts.length > 0) access.onUnusable?.(parts);
  return asSaid(result);
}

export async function readTools(
  server: OpenServer,
  era: WireEra | undefined,
  signal: AbortSignal,
): Promise<{ tools: readonly Tool[]; era: WireEra }> {
  try {
    return await inSession(server, era, signal, async (connection) => ({
      tools: await (await import('../../mcp/client/use-tools.ts')).listToolsOf(connection.client, signal),
      era: connection.era,
    }));
  } catch (error) {
    throw await server.failure(error);
  }
}

/**
 * Runs `work` on a connection; on a demand to sign in, signs in and runs it again, with at most three authorizations
 * for one operation, the first sign-in included (MCP step-up, retry limits).
 */
export async function useServer<Result>(
  ports: EnginePorts,
  integration: Integration,
  access: Access,
  work: (connection: McpConnection, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  let current = integration;
  for (let authorizations = integration.signedInAt === undefined ? 0 : 1; ; authorizations += 1) {
    const server = openFor(ports, current, access);
    try {
      const result = await inSession(server, current.era, access.signal, async (connection) => {
        const answer = await work(connection, access.signal);
        if (connection.era !== current.era) {
          await ports.store.update(current.id, (kept) => ({ ...kept, era: connection.era }));
        }
        return answer;
      });
      if (!access.isListening) await noteUse(ports, current, undefined);
      return result;
    } catch (thrown) {
      // Whoever left because the sign-in has ended is told that, and not that they left.
      const hasEnded = isOutcome(thrown) && wantsSignIn(thrown);
      if (access.signal.aborted && !hasEnded) throw new PosternError('USER_CANCELLED', { stage: 'connection' });
      const error = await server.failure(thrown);
      const signIn = access.user?.signIn;
      if (!signIn || !offersSignIn(error) || authorizations >= authorizationsPerOperation) {
        if (!access.isListening) await noteUse(ports, current, error);
        throw nameScopes(error, current);
      }
      const { reauthenticate } = await import('../sign-in/reauthenticate.ts');
      const demand = { reason: error, refusal: refusalIn(error) };
      current = await reauthenticate(ports, current, demand, signIn, access.signal);
    }
  }
}

/** The same for one call, which says nothing of the server where it answers with an error of MCP: a `FailedCall`. */
export async function callServer<Result>(
  ports: EnginePorts,
  integration: Integration,
  access: Access,
  work: (connection: McpConnection, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return await useServer(ports, integration, access, async (connection, signal) => {
    const { oneCall } = await import('../../mcp/http/mcp-failure.ts');
    return await oneCall(shownServer(integration), () => work(connection, signal));
  });
}

/** What errors of a call name: a server on this computer has no host, and its command may be that of many. */
export function shownServer({ command, name, url }: Integration): string {
  return command ? name : new URL(url).host;
}

function openFor(
  ports: EnginePorts,
  integration: Integration,
  { signal, user, asWritten, keptServers }: Access,
): OpenServer {
  const options = { asks: user?.questioned !== undefined, asWritten };
  if (keptServers) return keptServers.open(ports, integration, options);
  return openServer(ports, serverAddress(integration), credentialSource(ports, integration, signal), options);
}

/** Whether such tools are held, for this server or for all. Errors: CFG_*. */
async function holdsUnseen(
  { store }: Pick<EnginePorts, 'store'>,
  { permissions }: Pick<Integration, 'permissions'>,
): Promise<boolean> {
  return holdsChanges(withChangedToolRule(permissions, (await store.settings()).changedTools));
}

/**
 * Refuses a tool that is new, or says something else of itself than what the person has looked at. `listed`: all that the
 * server lists now. Errors: TOOL_CHANGED.
 */
async function refuseUnseen(
  ports: PinPorts,
  integration: Integration,
  listed: readonly Tool[],
  name: string,
): Promise<void> {
  const pins = await noteListed(ports, integration, listed);
  if (listed.some((tool) => tool.name === name && isUnseen(pins, seeTool(tool))))
    throw new PosternError('TOOL_CHANGED', { stage: 'connection', detail: { tool: displayText(name) } });
}

/**
 * SCOPE_REQUIRED with the scopes that the server's challenge names and the integration lacks (RFC 6750 section 3.1),
 * made fit to be shown: detail `scopes`, space-separated. Detail `scopeAnswer` says what became of them where all of
 * them were asked for already: `refused` by the sign-in service, or `granted` by its own word. Other errors stay.
 */
export function nameScopes(
  error: PosternError,
  { scope, scopeRequested = '' }: Pick<Integration, 'scope' | 'scopeRequested'>,
): PosternError {
  const refusal = refusalIn(error);
  const wanted = missingScope(refusal?.challenge?.scope, '');
  if (refusal?.kind !== 'insufficient-scope' || wanted.length === 0) return error;
  // Without a word on it, what was requested was granted (RFC 6749 section 5.1).
  const missing = missingScope(wanted.join(' '), scope ?? scopeRequested);
  const wasAsked = missingScope(missing.join(' '), scopeRequested).length === 0;
  const scopeAnswer = missing.length === 0 ? 'granted' : wasAsked ? 'refused' : undefined;
  const scopes = (missing.length === 0 ? wanted : missing)
    .slice(0, shownScopes.count)
    .map((name) => displayText(name, shownScopes.length));
  return error.with({
    detail: { scopes, ...(scopeAnswer && { scopeAnswer }) },
    remedy: { kind: 'grant-scopes', answered: scopeAnswer !== undefined },
  });
}

/** Somebody who waits for a call, for whose answers there is time, and whom a server sends to no page of its choice. */
export function questionedPerson(
  person: Omit<QuestionedPerson, 'checkPage'>,
  { url, options }: Pick<Integration, 'url' | 'options'>,
  patience: CallPatience,
): QuestionedPerson {
  const policy = integrationPolicy(url, options);
  return {
    ask: (question, signal) => patience.without(() => person.ask(question, signal)),
    refused: (why) => person.refused(why),
    checkPage(text) {
      const address = browserAddress(text);
      checkAddress(new URL(address), policy, 'connection');
      return address;
    },
  };
}
