import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { exampleFor } from '../../../shared/mcp-view.ts';
import type { ContentView, UnusablePart } from '../../../shared/mcp-view.ts';
import { displayText } from '../../address/display-text.ts';
import { readKnownTools } from '../../engine/records/tool-pins.ts';
import { completion } from '../../limits.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { readServer } from '../../operations/operation.ts';
import {
  callTool,
  completeArgument,
  follow,
  getPrompt,
  listPrompts,
  listResources,
  listTools,
  readResource,
} from '../../operations/use.ts';
import type { UseResult, UseScope } from '../../operations/use.ts';
import { windowWords } from '../../window-words.ts';
import { trackOutcome } from '../desktop-context.ts';
import type { DesktopContext } from '../desktop-context.ts';
import type { Busy } from '../views/describe-integration.ts';
import {
  describePrompts,
  describeResources,
  describeTools,
  contentPieces,
  newBudget,
  resultPieces,
} from '../views/describe-mcp.ts';
import type { AnyContent, ContentPiece } from '../views/describe-mcp.ts';
import { isPlainName } from '../views/display-json.ts';

type McpHandlers = Pick<
  IpcHandlers,
  | 'integration:tools'
  | 'integration:copyExample'
  | 'integration:knownTools'
  | 'integration:resources'
  | 'integration:prompts'
  | 'integration:callTool'
  | 'integration:readResource'
  | 'integration:getPrompt'
  | 'integration:stopCall'
>;

/** Uses a server. If a sign-in is required, the call fails and the status shows it; nothing opens on its own. */
export function mcpHandlers(context: DesktopContext): McpHandlers {
  const { ports, statuses, calls, callResults, serverPool, history, shell } = context;

  async function use<Result>(
    id: string,
    work: (scope: UseScope) => Promise<Result>,
    { busy, signal = new AbortController().signal }: { busy: Busy | undefined; signal?: AbortSignal },
  ): Promise<Result> {
    const integration = await readServer(ports, id);
    const operation = () =>
      trackOutcome(context, integration, () => work({ ports, integration, access: { signal, serverPool }, history }));
    return await (busy === undefined ? operation() : statuses.whileBusy(id, busy, operation));
  }

  /** Like `use`, for calls that the user waits for and may stop. */
  function runCall<Result>(
    id: string,
    call: string,
    work: (scope: UseScope) => Promise<Result>,
    quietly = false,
  ): Promise<Result> {
    return calls.run(call, (signal) => use(id, work, { signal, busy: quietly ? undefined : 'calling' }));
  }

  function storeResult(call: string, pieces: readonly ContentPiece[]): ContentView[] {
    callResults.store(call, pieces);
    return pieces.map(({ view }) => view);
  }

  /** Like `use`, for a listing. */
  async function list<Value>(
    { id, quietly = false }: { readonly id: string; readonly quietly?: boolean | undefined },
    work: (scope: UseScope) => Promise<UseResult<Value>>,
  ) {
    const { value, isPartial, unusable } = await use(id, work, { busy: quietly ? undefined : 'connecting' });
    return { items: value, cut: { ...(isPartial && { isPartial }), ...describeUnusable(unusable) } };
  }

  return {
    'integration:tools': async (input) => {
      const { items, cut } = await list(input, listTools);
      return { tools: describeTools(items), ...cut };
    },
    'integration:knownTools': async ({ id }) => {
      const { tools, listedAt } = await readKnownTools(ports, await readServer(ports, id));
      return { tools: describeTools(tools), listedAt };
    },
    'integration:copyExample': async ({ id, tool: name }) => {
      const server = await readServer(ports, id);
      const { tools } = await readKnownTools(ports, server);
      const tool = describeTools(tools).find((each) => each.name === name);
      const example = tool && exampleFor(tool, server.name);
      if (!example) throw new PosternError('TOOL_NOT_FOUND', { stage: 'settings', detail: { name } });
      shell.copyText(windowWords.example(example.title, example.server));
      return null;
    },
    'integration:resources': async (input) => {
      const { items, cut } = await list(input, listResources);
      const { parseUriTemplate } = await import('../../mcp/client/uri-template.ts');
      return { resources: describeResources(items.resources, items.templates, parseUriTemplate), ...cut };
    },
    'integration:prompts': async (input) => {
      const { items, cut } = await list(input, listPrompts);
      return { prompts: describePrompts(items), ...cut };
    },
    'integration:callTool': async ({ id, call, name, arguments: input, anyField }) => {
      const onProgress = calls.progressSender(call);
      const user = context.user.duringCall(calls.refusalSender(call));
      const onLog = calls.logSender(call);
      const { value, unusable, meant } = await runCall(id, call, ({ integration, access }) => {
        const callAccess = { ...access, onProgress, onLog, user };
        const request = { name, arguments: input, anyField, isWatched: true };
        return callTool({ ports, integration, access: callAccess, history }, request);
      });
      const { structuredContent, isError } = value;
      const content = storeResult(call, resultPieces(value.content, structuredContent));
      const correction = meant !== undefined && { meant };
      return { content, isError: isError === true, ...correction, ...describeUnusable(unusable) };
    },
    'integration:readResource': async ({ id, call, uri: address, values, quietly }) => {
      const choice = { uri: address, values };
      const { value, unusable, uri } = await runCall(id, call, (scope) => readResource(scope, choice), quietly);
      return { uri, content: storeResult(call, contentPieces(value)), ...describeUnusable(unusable) };
    },
    'integration:getPrompt': async ({ id, call, name, arguments: input }) => {
      const { value: messages, unusable } = await runCall(id, call, (scope) =>
        getPrompt(scope, { name, arguments: input }),
      );
      const budget = newBudget();
      const pieces = messages.map(({ content }) => contentPieces([content as AnyContent], budget));
      storeResult(call, pieces.flat());
      return {
        messages: messages.map(({ role }, index) => ({ role, content: (pieces[index] ?? []).map(({ view }) => view) })),
        ...describeUnusable(unusable),
      };
    },
    'integration:stopCall': async ({ call }) => {
      calls.stop(call);
      return null;
    },
  };
}

function describeUnusable(parts: readonly UnusablePart[]): { readonly unusable?: UnusablePart[] } {
  if (parts.length === 0) return {};
  const describePart = ({ name, member, ...part }: UnusablePart): UnusablePart => ({
    ...part,
    ...(name !== undefined && { name: displayText(name) }),
    ...(member !== undefined && { member: displayText(member) }),
  });
  return { unusable: parts.map(describePart) };
}

/** Argument completion (MCP 2025-11-25). A newer request cancels the previous one. */
export function completeHandler({
  ports,
  serverPool,
}: Pick<DesktopContext, 'ports' | 'serverPool'>): Pick<IpcHandlers, 'integration:complete'> {
  let latest = new AbortController();
  return {
    'integration:complete': async ({ id, ...argument }) => {
      latest.abort();
      latest = new AbortController();
      const access = { signal: latest.signal, serverPool };
      const values = await completeArgument({ ports, integration: await readServer(ports, id), access }, argument);
      // The library limits values to 100. A value that cannot be displayed exactly could be confused with another.
      return { values: values.filter((value) => isPlainName(value, completion.length)) };
    },
  };
}

/** Follows changes of what the user is viewing. Connection errors are reported by reading it. */
export function followHandler(context: DesktopContext): Pick<IpcHandlers, 'integration:follow'> {
  const { ports, calls, serverPool } = context;
  /** By kind: the window shows one list and one resource at a time, so the next replaces the previous. */
  const followed = new Map<string, { readonly call: string; readonly ended: Promise<unknown> }>();
  return {
    'integration:follow': async ({ id, call, of }) => {
      const [kind = ''] = Object.keys(of);
      const previous = followed.get(kind);
      if (previous) calls.stop(previous.call);
      const ended = calls.run(call, async (signal) => {
        // Wait, so that unsubscribing the previous one does not end this one.
        await previous?.ended.catch(() => {});
        const notify = calls.changeSender(call);
        const scope = { ports, integration: await readServer(ports, id), access: { signal, serverPool } };
        await follow(scope, of, { read: async (_connection, occasion) => notify(occasion), onDisconnect: () => {} });
      });
      followed.set(kind, { call, ended });
      await ended;
      return null;
    },
  };
}

/** Copies, saves or opens a result. The page only names it, and never supplies the content. */
export function resultHandlers({
  callResults,
  shell,
}: Pick<DesktopContext, 'callResults' | 'shell'>): Pick<IpcHandlers, 'result:copy' | 'result:save' | 'result:open'> {
  return {
    'result:copy': async ({ call }) => {
      shell.copyText(callResults.text(call));
      return null;
    },
    'result:save': async ({ call, piece }) => {
      const { name, bytes } = callResults.file(call, piece);
      return { saved: await shell.saveFile(name, bytes) };
    },
    'result:open': async ({ call, url }) => {
      await shell.openBrowser(callResults.link(call, url));
      return null;
    },
  };
}
