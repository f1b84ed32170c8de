import { randomUUID } from 'node:crypto';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { isKeyHeaderName, isKeyHeaderValue } from '../../../shared/header-name.ts';
import { PosternError } from '../../postern-error.ts';
import { Secret } from '../../secret.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readMcpJson } from '../../programs/read-mcp-json.ts';

/** Reading a pasted `mcp.json`. Values of headers stay here, under the id of their entry. Errors: JSON_INVALID. */
export function importHandlers({ imports }: DesktopContext): Pick<IpcHandlers, 'import:read'> {
  return {
    'import:read': async ({ text }) => {
      const servers = readMcpJson(text);
      if (!servers) throw new PosternError('JSON_INVALID', { stage: 'address' });
      imports.clear();
      return {
        entries: servers.map(({ name, kind, url, header, notes }) => {
          const id = randomUUID();
          const usable = header && isKeyHeaderName(header.name) && isKeyHeaderValue(header.value) ? header : undefined;
          const key = usable && url !== undefined && { name: usable.name, value: new Secret(usable.value), url };
          imports.set(id, { name, ...(key && { header: key }) });
          return {
            id,
            name,
            kind,
            ...(url !== undefined && { url }),
            ...(usable && { headerName: usable.name }),
            notes: [...notes, ...(header && !usable ? (['header-unusable'] as const) : [])],
          };
        }),
      };
    },
  };
}
