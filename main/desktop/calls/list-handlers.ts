import { randomUUID } from 'node:crypto';
import { pasteList } from '../../../shared/error-catalogue/app-errors.ts';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { withFreeName } from '../../integration/connect/with-free-name.ts';
import { readMcpJson } from '../../programs/import/read-mcp-json.ts';
import { PosternError } from '../../postern-error.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../desktop-context.ts';
import type { ExportedIntegration } from '../lists/exported-list.ts';
import { exportedAddress, readExport, renderExport } from '../lists/exported-list.ts';

/** Export and import of the integration list. Errors: LIST_UNREADABLE for a file that is not ours. */
export function listHandlers({
  ports,
  shell,
  board,
}: DesktopContext): Pick<IpcHandlers, 'list:export' | 'list:import'> {
  /** `undefined`: there already. */
  async function add({ name, url, method, options }: ExportedIntegration): Promise<string | undefined> {
    const known = await ports.store.list();
    if (known.some((there) => there.name === name && [there.url, exportedAddress(there.url)].includes(url)))
      return undefined;
    const id = randomUUID();
    await withFreeName(ports, { name, url }, (freeName) =>
      ports.store.write({
        id,
        name: freeName,
        url,
        method,
        // Without its secrets there is nothing to go on with, except where none are needed.
        state: method === 'NoAuth' && options.headerName === undefined ? 'integrated' : 'signedOut',
        createdAt: ports.clock.now(),
        notes: [],
        options,
      }),
    );
    return id;
  }

  return {
    'list:export': async () => ({
      saved: await shell.saveFile(windowWords.exportedList, renderExport(await ports.store.list())),
    }),
    'list:import': async ({ text }) => {
      const content = text ?? (await shell.readText());
      if (content === undefined) return { added: [], skipped: 0, refused: 0, leftOut: 0, cancelled: true };
      const file = readExport(content);
      if (!file) throw unreadable(content);
      const result = { added: [] as string[], skipped: 0, refused: file.refused, leftOut: 0, cancelled: false };
      for (const entry of file.entries) {
        const id = await add(entry);
        if (id === undefined) result.skipped += 1;
        else {
          result.added.push(id);
          result.leftOut += entry.leftOut;
        }
      }
      board.awake();
      return result;
    },
  };
}

function unreadable(content: string): PosternError {
  const stage = 'settings';
  if (readMcpJson(content) === undefined) return new PosternError('LIST_UNREADABLE', { stage });
  return new PosternError('LIST_UNREADABLE', { stage, detail: { ofPrograms: 1 }, remedy: pasteList });
}
