import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellScripts } from '../main/cli/options/complete-words.ts';
import { manPage } from './man-page.ts';

/** Writes a package's shell completions, manual page and systemd unit, under the names that each looks for. */
export function writeShellFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'postern.1'), manPage());
  writeFileSync(join(folder, 'postern'), `${shellScripts.bash}\n`);
  writeFileSync(join(folder, '_postern'), `${shellScripts.zsh}\n`);
  copyFileSync(
    new URL('../packaging/linux/postern-watch.service', import.meta.url),
    join(folder, 'postern-watch.service'),
  );
  writeFileSync(join(folder, 'postern.fish'), `${shellScripts.fish}\n`);
}
