import { officialRegistry } from '../../../shared/choices.ts';
import { pasteList } from '../../../shared/error-catalogue/app-errors.ts';
import type { IpcHandlers } from '../../../shared/ipc-contract.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { remoteOf } from '../../apps/import/list-server.ts';
import { readMcpJson, readMcpList } from '../../apps/import/read-mcp-json.ts';
import { openRegistry } from '../../engine/registry/registry-search.ts';
import { shownProgram, splitAddress } from '../../secret.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { renderExport } from '../../engine/kept/exported-list.ts';
import { importList } from '../../operations/lists.ts';
import { keepEntry, listedFinder } from '../../desktop/lists/imported-entry.ts';

/** Export and import of the integration list. Errors: LIST_UNREADABLE for a file that is not ours. */
export function listHandlers({
  ports,
  shell,
  board,
  collections,
}: DesktopContext): Pick<IpcHandlers, 'list:export' | 'list:import'> {
  return {
    'list:export': async () => ({
      saved: await shell.saveFile(
        windowWords.exportedList,
        renderExport(await ports.store.list(), await collections.list()),
      ),
    }),
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
      const findListed = await listedFinder(ports);
      const entries = servers.map(async (server) => {
        const { name, kind, url, command } = server;
        const known = command && (await findListed(server));
        const remote = command && remoteOf(command.words);
        return {
          ...keepEntry(imports, server),
          name,
          kind,
          ...(url !== undefined && { url: URL.canParse(url) ? splitAddress(url).href : url }),
          ...(command && { command: displayText(shownProgram(command.words[0] ?? '')) }),
          ...(remote && { remote }),
          ...(known && { connectedAs: known.id }),
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
