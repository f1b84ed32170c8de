import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { PosternError } from '../../postern-error.ts';
import { readMcpJson } from '../../programs/import/read-mcp-json.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { keepEntry } from '../lists/imported-entry.ts';

/** Reading a pasted `mcp.json`. Values of headers stay here, under the id of their entry. Errors: LIST_UNREADABLE. */
export function importHandlers({ imports }: DesktopContext): Pick<IpcHandlers, 'import:read'> {
  return {
    'import:read': async ({ text }) => {
      const servers = readMcpJson(text);
      if (!servers) throw new PosternError('LIST_UNREADABLE', { stage: 'address' });
      imports.clear();
      return {
        entries: servers.map((server) => {
          const { name, kind, url } = server;
          return { ...keepEntry(imports, server), name, kind, ...(url !== undefined && { url }) };
        }),
      };
    },
  };
}
