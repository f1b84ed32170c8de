import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { displayText } from '../../address/display-text.ts';
import { PosternError } from '../../postern-error.ts';
import { readMcpList } from '../../programs/import/read-mcp-json.ts';
import { remoteOf } from '../../programs/import/remote-of.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { findListed } from '../lists/find-listed.ts';
import { shownProgram } from '../../secret-words.ts';
import { keepEntry } from '../lists/imported-entry.ts';

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
      const entries = servers.map(async (server) => {
        const { name, kind, url, command } = server;
        const known = command && (await findListed(ports, server));
        const remote = command && remoteOf(command.words);
        return {
          ...keepEntry(imports, server),
          name,
          kind,
          ...(url !== undefined && { url }),
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
