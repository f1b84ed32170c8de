import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** What becomes of a sign-out or a removal within its seconds of undo. */
export function undoHandlers({
  deletions,
  collectionRemovals,
  board,
  changed,
}: DesktopContext): Pick<IpcHandlers, 'deletion:undo' | 'deletion:finish' | 'deletion:dismiss'> {
  return {
    'deletion:undo': async ({ id }) => {
      const undone = (await collectionRemovals.undo(id)) ?? (await deletions.undo(id));
      board.awake();
      changed('programs');
      return undone;
    },
    'deletion:finish': async ({ id }) => {
      await collectionRemovals.finish(id);
      await deletions.finish(id);
      return null;
    },
    'deletion:dismiss': async ({ id }) => {
      deletions.dismiss(id);
      return null;
    },
  };
}
