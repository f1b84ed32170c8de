// IPC calls that add servers from elsewhere: exported lists, pasted entries, and the registry.

import { officialRegistry } from '../../../shared/choices.ts';
import { pasteList } from '../../../shared/error-catalog/postern-errors.ts';
import type { IpcHandlers, IpcInput, IpcOutput } from '../../../shared/ipc-contract.ts';
import { isLoopbackHost } from '../../../shared/web-address.ts';
import { displayText } from '../../address/display-text.ts';
import type { Importable } from '../../apps/import/importable.ts';
import { remoteOf } from '../../apps/import/listed-server.ts';
import { readMcpList } from '../../apps/import/read-mcp-json.ts';
import { withDefaultOptions } from '../../engine/records/integration-policy.ts';
import { openRegistry } from '../../engine/registry-search.ts';
import { Flow } from '../../engine/sign-in/flow.ts';
import { PosternError, toPlainError } from '../../errors/postern-error.ts';
import { includesKeys, importAll, isImportable, ListedServers, sameServers } from '../../operations/import.ts';
import type { ImportEngine } from '../../operations/import.ts';
import { importList } from '../../operations/lists.ts';
import type { Surface } from '../../operations/operation.ts';
import { displayProgram, splitAddress } from '../../secret.ts';
import { followEntry } from '../sign-in/start-attempt.ts';
import { createAttempt, storeImportedEntry, keyFor } from '../attempts/sign-in-attempts.ts';
import type { SignInAttempt, SignInChoices } from '../attempts/sign-in-attempts.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** Imports an exported integration list. Errors: LIST_UNREADABLE for any other file. */
export function listHandlers(
  { ports, shell, collections }: DesktopContext,
  { changed }: Pick<Surface, 'changed'>,
): Pick<IpcHandlers, 'list:import'> {
  return {
    'list:import': async ({ text }) => {
      const content = text ?? (await shell.readText());
      if (content === undefined) return { added: [], skipped: 0, refused: 0, leftOut: 0, cancelled: true };
      const imported = await importList({ ...ports, collections, changed }, content);
      if (!imported) throw unreadableError(content);
      const { added, skipped, unreadable, leftOut } = imported;
      return { added: [...added], skipped, refused: unreadable.length, leftOut, cancelled: false };
    },
  };
}

function unreadableError(content: string): PosternError {
  const stage = 'settings';
  if (readMcpList(content) === undefined) return new PosternError('LIST_UNREADABLE', { stage });
  return new PosternError('LIST_UNREADABLE', { stage, detail: { ofApps: true }, remedy: pasteList });
}

/**
 * Reads a pasted `mcp.json` and connects its entries. Values of headers and variables stay in main, by entry id.
 * Errors: LIST_UNREADABLE, KC_*, CFG_*.
 */
export function importHandlers(
  context: DesktopContext,
): Pick<IpcHandlers, 'import:read' | 'import:connectAll' | 'import:stop'> {
  const { ports, imports, calls } = context;
  return {
    'import:connectAll': async ({ call, ...options }, { surface }) => ({
      entries: await calls.run(call, (signal) =>
        connectAll(context, { ...options, surface, signal, onProgress: calls.progressSender(call) }),
      ),
    }),
    'import:stop': async ({ call }) => {
      calls.stop(call);
      return null;
    },
    'import:read': async ({ text }) => {
      const list = readMcpList(text);
      if (!list) throw new PosternError('LIST_UNREADABLE', { stage: 'address' });
      const { servers, more, unreadable } = list;
      imports.clear();
      const listedServers = new ListedServers(ports, await ports.store.list());
      const listed = servers.map((server) => ({ server, stored: storeImportedEntry(imports, server) }));
      const duplicates = sameServers(listed);
      const entries = listed.map(async (item) => {
        const { server, stored } = item;
        const { name, kind, url, command } = server;
        const hasKeys = includesKeys(server);
        const duplicate = hasKeys ? duplicates.get(item) : undefined;
        const found = command || hasKeys ? await listedServers.find(server) : undefined;
        const remote = command && remoteOf(command.words);
        return {
          ...stored,
          name,
          kind,
          ...(hasKeys && { hasKeys: true as const }),
          ...(duplicate?.hasSameHeaders && { sameAs: duplicate.first.stored.id }),
          ...(url !== undefined && { url: URL.canParse(url) ? splitAddress(url).href : url }),
          ...(command && { command: displayText(displayProgram(command.words[0] ?? '')) }),
          ...(remote && { remote }),
          ...(found?.kind === 'listed' && { connectedAs: found.integration.id }),
        };
      });
      return {
        entries: await Promise.all(entries),
        ...(more > 0 && { more }),
        ...(unreadable.length > 0 && { unreadable: [...unreadable] }),
      };
    },
  };
}

interface ConnectAllOptions
  extends Omit<IpcInput<'import:connectAll'>, 'call'>, Pick<ImportEngine, 'surface' | 'signal'> {
  readonly onProgress: ReturnType<DesktopContext['calls']['progressSender']>;
}

/** The window shows a sign-in attempt for each entry. Errors: CFG_*, KC_*. */
async function connectAll(
  context: DesktopContext,
  { entries, local, surface, signal, onProgress }: ConnectAllOptions,
): Promise<IpcOutput<'import:connectAll'>['entries']> {
  const { ports, imports, attempts } = context;
  const chosen = new Map<Importable, SignInChoices>();
  for (const importEntry of entries) {
    const { server, header } = imports.get(importEntry) ?? {};
    const { name = '', url = '' } = server ?? {};
    const options = withDefaultOptions(local && isLoopbackHost(URL.parse(url)?.host ?? '') ? { local } : {});
    if (server) chosen.set({ name, server }, { name, url, options, importEntry, header: keyFor(header, url) });
  }
  attempts.dropEndedChecks();
  const follow: ImportEngine['follow'] = async (entry, shared, work) => {
    const choices = chosen.get(entry);
    const isForEntry = (item: SignInAttempt): boolean => item.choices.importEntry === choices?.importEntry;
    // The user has already started this entry separately.
    if (!choices || signal.aborted || attempts.find(isForEntry)) return undefined;
    const start = { purpose: { kind: 'connect' }, surface, flow: new Flow(ports.log), choices } as const;
    const attempt = attempts.add(createAttempt(start));
    return await followEntry(context, attempt, { ports: shared, signal }, work);
  };
  const total = chosen.size;
  const imported = await importAll(
    { ports, follow, surface, signal, from: 'mcp.json', onProgress: (progress) => onProgress({ progress, total }) },
    Array.from(chosen).flatMap(([entry, choices]) => (isImportable(entry) ? [{ ...choices, entry }] : [])),
  );
  return imported.map(({ entry, imported: result }) => ({
    id: chosen.get(entry)?.importEntry ?? '',
    ...('integration' in result && { connectedAs: result.integration.id }),
    ...('error' in result && { error: toPlainError(result.error) }),
  }));
}

type RegistryHandlers = Pick<IpcHandlers, 'registry:search' | 'registry:stop'>;

/** Searches the registry named in the settings, if the user has turned that on. Errors: REGISTRY_*, URL_*. */
export function registryHandlers({
  ports,
  registry,
  calls,
}: Pick<DesktopContext, 'ports' | 'registry' | 'calls'>): RegistryHandlers {
  return {
    'registry:search': async ({ call, words }) => {
      const { searchesRegistry = false, registry: address = officialRegistry } = await ports.store.settings();
      if (!searchesRegistry) throw new PosternError('REGISTRY_OFF', { stage: 'postern' });
      return await calls.run(call, (signal) => registry.search(openRegistry(address), words, signal));
    },
    'registry:stop': async ({ call }) => {
      calls.stop(call);
      return null;
    },
  };
}
