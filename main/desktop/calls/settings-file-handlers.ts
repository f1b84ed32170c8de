import path from 'node:path';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { PosternError } from '../../postern-error.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** What a person does about a settings file that cannot be used. */
export function settingsFileHandlers({
  shell,
  settingsFile,
  board,
  changed,
}: DesktopContext): Pick<IpcHandlers, 'settings:openFile' | 'settings:restore'> {
  return {
    'settings:openFile': async () => {
      const trouble = await settingsFile.trouble();
      const folder = path.dirname(settingsFile.path);
      // What a link names is not opened for anybody.
      if (trouble && trouble.error.code !== 'CFG_CORRUPT') await shell.openFolder(folder);
      else
        await shell.openFolder(settingsFile.path).catch(async (error: unknown) => {
          if (!(error instanceof PosternError)) throw error;
          await shell.openFolder(folder);
        });
      return null;
    },
    'settings:restore': async () => {
      await settingsFile.restore();
      changed('app');
      board.awake();
      return null;
    },
  };
}
