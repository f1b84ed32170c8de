import { tmpdir } from 'node:os';
import { app } from 'electron';
import type { Installation } from '../../host/installation.ts';
import { makeScratchFolder, removeLeftScratchFolders } from './system/scratch-folder.ts';
import { thisInstallation } from './system/this-installation.ts';

/**
 * The program as the command `postern`, which `run` is: no window, no icon, and nothing that Chromium would keep in the
 * profile folder, which may belong to a window that is open beside it.
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
      removeLeftScratchFolders(tmpdir());
    },
    () => app.exit(1),
  );
}
