import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import type { ContentView, UnusablePart } from '../../../shared/mcp-view.ts';
import { displayText } from '../../address/display-text.ts';
import { completion } from '../../limits.ts';
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
import { trackOutcome } from '../desktop-context.ts';
import type { DesktopContext } from '../desktop-context.ts';
import type { Busy } from '../views/describe-integration.ts';
import {
  describePrompts,
  describeResources,
  describeTools,
  contentPieces,
  structurePiece,
  newBudget,
} from '../views/describe-mcp.ts';
import type { AnyContent, ContentPiece } from '../views/describe-mcp.ts';
import { isPlainName } from '../views/display-json.ts';

type McpHandlers = Pick<
  IpcHandlers,
  | 'integration:tools'
  | 'integration:resources'
  | 'integration:prompts'
  | 'integration:callTool'
  | 'integration:readResource'
  | 'integration:getPrompt'
  | 'integration:stopCall'
>;

/** Uses a server. If a sign-in is required, the call fails and the status shows it; nothing opens on its own. */
export function mcpHandlers(context: DesktopContext): McpHandlers {
  const { ports, board, calls, callResults, serverPool, history } = context;

  async function use<Result>(
    id: string,
    work: (scope: UseScope) => Promise<Result>,
    { busy, signal = new AbortController().signal }: { busy: Busy | undefined; signal?: AbortSignal },
  ): Promise<Result> {
    const integration = await readServer(ports, id);
    const operation = () =>
      trackOutcome(context, integration, () => work({ ports, integration, access: { signal, serverPool }, history }));
    return await (busy === undefined ? operation() : board.during(id, busy, operation));
  }

  /** Like `use`, for calls that the user waits for and may stop. */
  function ask<Result>(
    id: string,
    call: string,
    work: (scope: UseScope) => Promise<Result>,
    quietly = false,
  ): Promise<Result> {
    return calls.run(call, (signal) => use(id, work, { signal, busy: quietly ? undefined : 'calling' }));
  }

  function keep(call: string, pieces: readonly ContentPiece[]): ContentView[] {
    callResults.store(call, pieces);
    return pieces.map(({ view }) => view);
  }

  /** Like `use`, for a listing. */
  async function list<Value>(
    { id, quietly = false }: { readonly id: string; readonly quietly?: boolean | undefined },
    work: (scope: UseScope) => Promise<UseResult<Value>>,
  ) {
    const { found, isPartial, unusable } = await use(id, work, { busy: quietly ? undefined : 'connecting' });
    return { found, cut: { ...(isPartial && { isPartial }), ...describeUnusable(unusable) } };
  }

  return {
    'integration:tools': async (reading) => {
      const { found, cut } = await list(reading, listTools);
      return { tools: describeTools(found), ...cut };
    },
    'integration:resources': async (reading) => {
      const { found, cut } = await list(reading, listResources);
      const { readTemplate } = await import('../../mcp/client/uri-template.ts');
      return { resources: describeResources(found.resources, found.templates, readTemplate), ...cut };
    },
    'integration:prompts': async (reading) => {
      const { found, cut } = await list(reading, listPrompts);
      return { prompts: describePrompts(found), ...cut };
    },
    'integration:callTool': async ({ id, call, name, arguments: input, anyField }) => {
      const onProgress = calls.progressOf(call);
      const user = context.user.duringCall(calls.refusedIn(call));
      const onLog = calls.logOf(call);
      const { found, unusable, meant } = await ask(id, call, ({ integration, access }) => {
        const heard = { ...access, onProgress, onLog, user };
        const called = { name, arguments: input, anyField, isWatched: true };
        return callTool({ ports, integration, access: heard, history }, called);
      });
      const { structuredContent, isError } = found;
      const room = newBudget();
      const pieces = contentPieces(found.content, room);
      const structured = structuredContent === undefined ? [] : [structurePiece(structuredContent, room)];
      const content = keep(call, [...pieces, ...structured]);
      const named = meant !== undefined && { meant };
      return { content, isError: isError === true, ...named, ...describeUnusable(unusable) };
    },
    'integration:readResource': async ({ id, call, uri: address, values, quietly }) => {
      const choice = { uri: address, values };
      const { found, unusable, uri } = await ask(id, call, (scope) => readResource(scope, choice), quietly);
      return { uri, content: keep(call, contentPieces(found)), ...describeUnusable(unusable) };
    },
    'integration:getPrompt': async ({ id, call, name, arguments: input }) => {
      const { found: messages, unusable } = await ask(id, call, (scope) =>
        getPrompt(scope, { name, arguments: input }),
      );
      const room = newBudget();
      const pieces = messages.map(({ content }) => contentPieces([content as AnyContent], room));
      keep(call, pieces.flat());
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
  const shown = ({ name, member, ...part }: UnusablePart): UnusablePart => ({
    ...part,
    ...(name !== undefined && { name: displayText(name) }),
    ...(member !== undefined && { member: displayText(member) }),
  });
  return { unusable: parts.map(shown) };
}

/** Argument completion (MCP 2025-11-25). A newer request cancels the previous one. */
export function completeHandler({
  ports,
  serverPool,
}: Pick<DesktopContext, 'ports' | 'serverPool'>): Pick<IpcHandlers, 'integration:complete'> {
  let latest = new AbortController();
  return {
    'integration:complete': async ({ id, ...asked }) => {
      latest.abort();
      latest = new AbortController();
      const access = { signal: latest.signal, serverPool };
      const values = await completeArgument({ ports, integration: await readServer(ports, id), access }, asked);
      // The library limits values to 100. A value that cannot be displayed exactly could be confused with another.
      return { values: values.filter((value) => isPlainName(value, completion.length)) };
    },
  };
}

/** Follows changes of what the user is viewing. Reading it reports connection errors. */
export function followHandler(context: DesktopContext): Pick<IpcHandlers, 'integration:follow'> {
  const { ports, calls, serverPool } = context;
  /** By kind: the window shows one list and one resource at a time, so the next replaces the previous. */
  const followed = new Map<string, { readonly call: string; readonly over: Promise<unknown> }>();
  return {
    'integration:follow': async ({ id, call, of }) => {
      const [place = ''] = Object.keys(of);
      const before = followed.get(place);
      if (before) calls.stop(before.call);
      const over = calls.run(call, async (signal) => {
        // Wait, so that unsubscribing the previous one does not end this one.
        await before?.over.catch(() => {});
        const tell = calls.changedIn(call);
        const scope = { ports, integration: await readServer(ports, id), access: { signal, serverPool } };
        await follow(scope, of, { read: async (_connection, occasion) => tell(occasion), onDisconnect: () => {} });
      });
      followed.set(place, { call, over });
      await over;
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
