import { officialRegistry } from '../../../shared/choices.ts';
import { pasteList } from '../../../shared/error-catalogue/app-errors.ts';
import type { IpcHandlers, IpcInput, IpcOutput } from '../../../shared/ipc-contract.ts';
import { isLoopbackHost } from '../../../shared/web-address.ts';
import { displayText } from '../../address/display-text.ts';
import type { Importable } from '../../apps/import/importable.ts';
import { remoteOf } from '../../apps/import/list-server.ts';
import { readMcpJson, readMcpList } from '../../apps/import/read-mcp-json.ts';
import { defaultOptions } from '../../engine/kept/integration-policy.ts';
import { openRegistry } from '../../engine/registry-search.ts';
import { Flow } from '../../engine/sign-in/flow.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { bringsKeys, importAll, isImportable, ListedServers, sameServers } from '../../operations/import.ts';
import type { ImportEngine } from '../../operations/import.ts';
import { importList } from '../../operations/lists.ts';
import type { Surface } from '../../operations/operation.ts';
import { shownProgram, splitAddress } from '../../secret.ts';
import { followEntry } from '../connecting/start-connection.ts';
import { createConnection, keepEntry, keyFor } from '../connections/connections.ts';
import type { Connection, Wanted } from '../connections/connections.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** Import of the integration list. Errors: LIST_UNREADABLE for a file that is not ours. */
export function listHandlers(
  { ports, shell, collections }: DesktopContext,
  { changed }: Pick<Surface, 'changed'>,
): Pick<IpcHandlers, 'list:import'> {
  return {
    'list:import': async ({ text }) => {
      const content = text ?? (await shell.readText());
      if (content === undefined) return { added: [], skipped: 0, refused: 0, leftOut: 0, cancelled: true };
      const imported = await importList({ ...ports, collections, changed }, content);
      if (!imported) throw unreadable(content);
      const { added, skipped, unread, leftOut } = imported;
      return { added: [...added], skipped, refused: unread.length, leftOut, cancelled: false };
    },
  };
}

function unreadable(content: string): PosternError {
  const stage = 'settings';
  if (readMcpJson(content) === undefined) return new PosternError('LIST_UNREADABLE', { stage });
  return new PosternError('LIST_UNREADABLE', { stage, detail: { ofPrograms: true }, remedy: pasteList });
}

/**
 * Reading a pasted `mcp.json`, and connecting all of it. Values of headers and variables stay here, under the id of
 * their entry. Errors: LIST_UNREADABLE, KC_*, CFG_*.
 */
export function importHandlers(
  context: DesktopContext,
): Pick<IpcHandlers, 'import:read' | 'import:connectAll' | 'import:stop'> {
  const { ports, imports, calls } = context;
  return {
    'import:connectAll': async ({ call, ...wanted }, { surface }) => ({
      entries: await calls.run(call, (signal) =>
        connectAll(context, { ...wanted, surface, signal, onProgress: calls.progressOf(call) }),
      ),
    }),
    'import:stop': async ({ call }) => {
      calls.stop(call);
      return null;
    },
    'import:read': async ({ text }) => {
      const list = readMcpList(text);
      if (!list) throw new PosternError('LIST_UNREADABLE', { stage: 'address' });
      const { servers, more, unread } = list;
      imports.clear();
      const here = new ListedServers(ports, await ports.store.list());
      const listed = servers.map((server) => ({ server, kept: keepEntry(imports, server) }));
      const same = sameServers(listed);
      const entries = listed.map(async (one) => {
        const { server, kept } = one;
        const { name, kind, url, command } = server;
        const hasKeys = bringsKeys(server);
        const before = hasKeys ? same.get(one) : undefined;
        const found = command || hasKeys ? await here.find(server) : undefined;
        const remote = command && remoteOf(command.words);
        return {
          ...kept,
          name,
          kind,
          ...(hasKeys && { hasKeys: true as const }),
          ...(before?.hasSameHeaders && { sameAs: before.first.kept.id }),
          ...(url !== undefined && { url: URL.canParse(url) ? splitAddress(url).href : url }),
          ...(command && { command: displayText(shownProgram(command.words[0] ?? '')) }),
          ...(remote && { remote }),
          ...(found?.kind === 'here' && { connectedAs: found.integration.id }),
        };
      });
      return {
        entries: await Promise.all(entries),
        ...(more > 0 && { more }),
        ...(unread.length > 0 && { unread: [...unread] }),
      };
    },
  };
}

interface WantedList extends Omit<IpcInput<'import:connectAll'>, 'call'>, Pick<ImportEngine, 'surface' | 'signal'> {
  readonly onProgress: ReturnType<DesktopContext['calls']['progressOf']>;
}

/** Each entry is a connection that the window shows. Errors: CFG_*, KC_*. */
async function connectAll(
  context: DesktopContext,
  { entries, local, surface, signal, onProgress }: WantedList,
): Promise<IpcOutput<'import:connectAll'>['entries']> {
  const { ports, imports, connections } = context;
  const chosen = new Map<Importable, Wanted>();
  for (const importEntry of entries) {
    const { server, header } = imports.get(importEntry) ?? {};
    const { name = '', url = '' } = server ?? {};
    const options = defaultOptions(local && isLoopbackHost(URL.parse(url)?.host ?? '') ? { local } : {});
    if (server) chosen.set({ name, server }, { name, url, options, importEntry, header: keyFor(header, url) });
  }
  connections.dropFailedChecks();
  const follow: ImportEngine['follow'] = async (entry, shared, work) => {
    const wanted = chosen.get(entry);
    const isOfEntry = (one: Connection): boolean => one.wanted.importEntry === wanted?.importEntry;
    // The user has begun with it alone.
    if (!wanted || signal.aborted || connections.find(isOfEntry)) return undefined;
    const start = { purpose: { kind: 'connect' }, surface, flow: new Flow(ports.log), wanted } as const;
    const connection = connections.add(createConnection(start));
    return await followEntry(context, connection, { ports: shared, signal }, work);
  };
  const total = chosen.size;
  const imported = await importAll(
    { ports, follow, surface, signal, from: 'mcp.json', onProgress: (progress) => onProgress({ progress, total }) },
    Array.from(chosen).flatMap(([entry, wanted]) => (isImportable(entry) ? [{ ...wanted, entry }] : [])),
  );
  return imported.map(({ entry, imported: fate }) => ({
    id: chosen.get(entry)?.importEntry ?? '',
    ...('integration' in fate && { connectedAs: fate.integration.id }),
    ...('error' in fate && { error: toPlainError(fate.error) }),
  }));
}

type RegistryHandlers = Pick<IpcHandlers, 'registry:search' | 'registry:stop'>;

/** Asks the registry of the settings, and none where the person has not turned that on. Errors: REGISTRY_*, URL_*. */
export function registryHandlers({
  ports,
  registry,
  calls,
}: Pick<DesktopContext, 'ports' | 'registry' | 'calls'>): RegistryHandlers {
  return {
    'registry:search': async ({ call, words }) => {
      const { searchesRegistry = false, registry: address = officialRegistry } = await ports.store.settings();
      if (!searchesRegistry) throw new PosternError('REGISTRY_OFF', { stage: 'app' });
      return await calls.run(call, (signal) => registry.search(openRegistry(address), words, signal));
    },
    'registry:stop': async ({ call }) => {
      calls.stop(call);
      return null;
    },
  };
}
