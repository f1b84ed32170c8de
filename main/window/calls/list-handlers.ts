import { officialRegistry } from '../../../shared/choices.ts';
import { pasteList } from '../../../shared/error-catalogue/app-errors.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { displayText } from '../../address/display-text.ts';
import { remoteOf } from '../../apps/import/list-server.ts';
import { readMcpJson, readMcpList } from '../../apps/import/read-mcp-json.ts';
import { openRegistry } from '../../engine/registry/registry-search.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { bringsKeys, ListedServers, sameServers } from '../../operations/import.ts';
import { importList } from '../../operations/lists.ts';
import { shownProgram, splitAddress } from '../../secret.ts';
import { keepEntry } from '../connections/imported-entry.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** Import of the integration list. Errors: LIST_UNREADABLE for a file that is not ours. */
export function listHandlers({ ports, shell, board, collections }: DesktopContext): Pick<IpcHandlers, 'list:import'> {
  return {
    'list:import': async ({ text }) => {
      const content = text ?? (await shell.readText());
      if (content === undefined) return { added: [], skipped: 0, refused: 0, leftOut: 0, cancelled: true };
      const imported = await importList({ ...ports, collections }, content);
      if (!imported) throw unreadable(content);
      board.awake();
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
 * Reading a pasted `mcp.json`. Values of headers and variables stay here, under the id of their entry. Errors:
 * LIST_UNREADABLE, KC_*, CFG_*.
 */
export function importHandlers({ ports, imports }: DesktopContext): Pick<IpcHandlers, 'import:read'> {
  return {
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
