import { tmpdir } from 'node:os';
import { app } from 'electron';
import type { Installation } from '../../host/installation.ts';
import { makeScratchFolder, removeStaleScratchFolders } from './system/scratch-folder.ts';
import { thisInstallation } from './system/this-installation.ts';

/**
 * Runs the `postern` command (`run`) without a window or icon. Chromium's files go to a scratch folder, because the
 * profile folder may be in use by a running window.
 */
export function runCommand(run: (installation: Installation) => Promise<void>): void {
  const scratch = makeScratchFolder(tmpdir());
  process.on('exit', () => scratch.remove());
  app.setPath('userData', scratch.folder);
  app.disableHardwareAcceleration();
  app.dock?.hide();
  // A utility process, such as the keychain's, starts only after `ready`.
  app.whenReady().then(
    () => {
      void run(thisInstallation());
      removeStaleScratchFolders(tmpdir());
    },
    () => app.exit(1),
  );
}
