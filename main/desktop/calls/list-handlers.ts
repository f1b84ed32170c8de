import { pasteList } from '../../../shared/error-catalogue/app-errors.ts';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { readMcpJson } from '../../programs/import/read-mcp-json.ts';
import { PosternError } from '../../postern-error.ts';
import { windowWords } from '../../window-words.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { renderExport } from '../lists/exported-list.ts';
import { importList } from '../lists/import-list.ts';

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
  return new PosternError('LIST_UNREADABLE', { stage, detail: { ofPrograms: 1 }, remedy: pasteList });
}
