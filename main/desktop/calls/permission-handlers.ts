import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { changePermissions } from '../../../shared/tool-permissions.ts';
import { PosternError } from '../../postern-error.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** What programs may call, as the person says in the window. */
export function permissionHandlers({
  ports,
  gateway,
  heldCalls,
  changed,
}: DesktopContext): Pick<IpcHandlers, 'permission:answer' | 'permission:set'> {
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
  };
}
