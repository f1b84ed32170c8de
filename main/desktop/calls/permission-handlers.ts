import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { changePermissions } from '../../../shared/tool-permissions.ts';
import { acceptTools, readPins } from '../../integration/kept/note-tools.ts';
import { toolChanges } from '../../mcp/client/tool-difference.ts';
import { PosternError } from '../../postern-error.ts';
import type { DesktopContext } from '../desktop-context.ts';
import { readServer } from '../state/read-server.ts';

/** What programs may call, as the person says in the window. */
export function permissionHandlers({
  ports,
  gateway,
  heldCalls,
  changed,
}: DesktopContext): Pick<
  IpcHandlers,
  'permission:answer' | 'permission:set' | 'permission:changes' | 'permission:accept'
> {
  return {
    'permission:answer': async ({ id, answer }) => {
      heldCalls.answer(id, answer);
      return null;
    },
    'permission:set': async ({ id, ...change }) => {
      const updated = await ports.store.update(id, ({ permissions, ...kept }) => {
        const set = changePermissions(permissions, change);
        return { ...kept, ...(set && { permissions: set }) };
      });
      if (!updated) throw new PosternError('NOT_FOUND', { stage: 'settings', detail: { count: 0 } });
      // It holds once the window shows it.
      await gateway?.changed();
      changed('integrations');
      return null;
    },
    'permission:changes': async ({ id }) => {
      const pins = await readPins(ports, await readServer(ports, id));
      const all = pins ? toolChanges(pins) : [];
      return { changed: [...all], more: (pins?.changed.length ?? 0) - all.length };
    },
    'permission:accept': async ({ id, forms }) => {
      const integration = await readServer(ports, id);
      const { changed: waiting = [] } = (await readPins(ports, integration)) ?? {};
      const seen = new Set(forms);
      await acceptTools(
        ports,
        integration,
        waiting.filter(({ form }) => seen.has(form)),
      );
      await gateway?.changed();
      changed('integrations');
      return null;
    },
  };
}
