import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { app } from 'electron';
import { runAs } from '../cli/installation.ts';
import { runProcess } from '../cli/run-process.ts';
import { thisInstallation } from './this-installation.ts';

/**
 * The program as the command `postern`: no window, no icon, and nothing that Chromium would keep in the profile folder,
 * which may belong to a window that is open beside it.
 */
export function runCommand(words: readonly string[]): void {
  const scratch = mkdtempSync(path.join(tmpdir(), 'postern-command-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  app.setPath('userData', scratch);
  app.disableHardwareAcceleration();
  app.dock?.hide();
  runAs(thisInstallation());
  // A utility process, such as the keychain's, starts only after `ready`.
  app.whenReady().then(
    () => runProcess(words, (code) => app.exit(code)),
    () => app.exit(1),
  );
}
