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
import type { Found, UseScope } from '../../operations/use.ts';
import { observing } from '../desktop-context.ts';
import type { DesktopContext } from '../desktop-context.ts';
import type { Busy } from '../views/describe-integration.ts';
import {
  describePrompts,
  describeResources,
  describeTools,
  keepContent,
  keepStructure,
  newRoom,
} from '../views/describe-mcp.ts';
import type { AnyContent, KeptPiece } from '../views/describe-mcp.ts';
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

/** Use of a server. A demand to sign in ends the call and shows in the integration's state; nothing opens by itself. */
export function mcpHandlers(context: DesktopContext): McpHandlers {
  const { ports, board, calls, results, keptServers, history } = context;

  async function use<Result>(
    id: string,
    work: (scope: UseScope) => Promise<Result>,
    { busy, signal = new AbortController().signal }: { busy: Busy | undefined; signal?: AbortSignal },
  ): Promise<Result> {
    const integration = await readServer(ports, id);
    const operation = () =>
      observing(context, integration, () => work({ ports, integration, access: { signal, keptServers }, history }));
    return await (busy === undefined ? operation() : board.during(id, busy, operation));
  }

  /** The same for what the person waits for, and may stop. */
  function ask<Result>(
    id: string,
    call: string,
    work: (scope: UseScope) => Promise<Result>,
    quietly = false,
  ): Promise<Result> {
    return calls.run(call, (signal) => use(id, work, { signal, busy: quietly ? undefined : 'calling' }));
  }

  function keep(call: string, pieces: readonly KeptPiece[]): ContentView[] {
    results.keep(call, pieces);
    return pieces.map(({ view }) => view);
  }

  /** The same for a listing. */
  async function list<Value>(
    { id, quietly = false }: { readonly id: string; readonly quietly?: boolean | undefined },
    work: (scope: UseScope) => Promise<Found<Value>>,
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
      const user = context.user.during(calls.refusedIn(call));
      const onLog = calls.logOf(call);
      const { found, unusable, meant } = await ask(id, call, ({ integration, access }) => {
        const heard = { ...access, onProgress, onLog, user };
        const called = { name, arguments: input, anyField, isWatched: true };
        return callTool({ ports, integration, access: heard, history }, called);
      });
      const { structuredContent, isError } = found;
      const room = newRoom();
      const pieces = keepContent(found.content, room);
      const structured = structuredContent === undefined ? [] : [keepStructure(structuredContent, room)];
      const content = keep(call, [...pieces, ...structured]);
      const named = meant !== undefined && { meant };
      return { content, isError: isError === true, ...named, ...describeUnusable(unusable) };
    },
    'integration:readResource': async ({ id, call, uri: address, values, quietly }) => {
      const choice = { uri: address, values };
      const { found, unusable, uri } = await ask(id, call, (scope) => readResource(scope, choice), quietly);
      return { uri, content: keep(call, keepContent(found)), ...describeUnusable(unusable) };
    },
    'integration:getPrompt': async ({ id, call, name, arguments: input }) => {
      const { found: messages, unusable } = await ask(id, call, (scope) =>
        getPrompt(scope, { name, arguments: input }),
      );
      const room = newRoom();
      const pieces = messages.map(({ content }) => keepContent([content as AnyContent], room));
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

/** What a server offers while somebody types (MCP 2025-11-25, completion). Whoever types on wants no earlier answer. */
export function completeHandler({
  ports,
  keptServers,
}: Pick<DesktopContext, 'ports' | 'keptServers'>): Pick<IpcHandlers, 'integration:complete'> {
  let latest = new AbortController();
  return {
    'integration:complete': async ({ id, ...asked }) => {
      latest.abort();
      latest = new AbortController();
      const access = { signal: latest.signal, keptServers };
      const values = await completeArgument({ ports, integration: await readServer(ports, id), access }, asked);
      // At most a hundred, as the library sees to. One that cannot be shown as it is could not be told from another.
      return { values: values.filter((value) => isPlainName(value, completion.length)) };
    },
  };
}

/** What a server says has changed while the person looks at it. Whether it can be reached, its reading tells. */
export function followHandler(context: DesktopContext): Pick<IpcHandlers, 'integration:follow'> {
  const { ports, calls, keptServers } = context;
  /** A person looks at one list and one resource: the next takes the place of one whose page is gone. */
  const followed = new Map<string, { readonly call: string; readonly over: Promise<unknown> }>();
  return {
    'integration:follow': async ({ id, call, of }) => {
      const [place = ''] = Object.keys(of);
      const before = followed.get(place);
      if (before) calls.stop(before.call);
      const over = calls.run(call, async (signal) => {
        // Or its last word would end what begins here.
        await before?.over.catch(() => {});
        const tell = calls.changedIn(call);
        const scope = { ports, integration: await readServer(ports, id), access: { signal, keptServers } };
        await follow(scope, of, { read: async (_connection, occasion) => tell(occasion), broke: () => {} });
      });
      followed.set(place, { call, over });
      await over;
      return null;
    },
  };
}

/** What a person does with a result. A page names it and never says what is written, copied or opened. */
export function resultHandlers({
  results,
  shell,
}: Pick<DesktopContext, 'results' | 'shell'>): Pick<IpcHandlers, 'result:copy' | 'result:save' | 'result:open'> {
  return {
    'result:copy': async ({ call }) => {
      shell.copyText(results.text(call));
      return null;
    },
    'result:save': async ({ call, piece }) => {
      const { name, bytes } = results.file(call, piece);
      return { saved: await shell.saveFile(name, bytes) };
    },
    'result:open': async ({ call, url }) => {
      await shell.openBrowser(results.link(call, url));
      return null;
    },
  };
}
