import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { app } from 'electron';
import type { Installation } from '../engine/installation.ts';
import { thisInstallation } from './this-installation.ts';

/**
 * The program as the command `postern`, which `run` is: no window, no icon, and nothing that Chromium would keep in the
 * profile folder, which may belong to a window that is open beside it.
 */
export function runCommand(run: (installation: Installation) => Promise<void>): void {
  const scratch = mkdtempSync(path.join(tmpdir(), 'postern-command-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  app.setPath('userData', scratch);
  app.disableHardwareAcceleration();
  app.dock?.hide();
  // A utility process, such as the keychain's, starts only after `ready`.
  app.whenReady().then(
    () => run(thisInstallation()),
    () => app.exit(1),
  );
}
