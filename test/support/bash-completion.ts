import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

const ofThisComputer = '/usr/share/bash-completion/bash_completion';

/**
 * The script by which bash finds completions of commands: this computer's, else that of Debian's package, unpacked once
 * into a cache and not installed. `undefined` where it can be had in neither way.
 */
export function findBashCompletion(): string | undefined {
  if (existsSync(ofThisComputer)) return ofThisComputer;
  const cache = path.join(userInfo().homedir, '.cache', 'postern-bash-completion');
  const folder = path.join(cache, 'package');
  const script = path.join(folder, ofThisComputer);
  if (existsSync(script)) return script;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(path.join(cache, 'fresh-'));
  try {
    const run = (command: string, ...words: string[]): Buffer =>
      execFileSync(command, words, { cwd: fresh, stdio: ['ignore', 'pipe', 'ignore'], timeout: 30_000 });
    run('apt-get', 'download', 'bash-completion');
    const [deb = ''] = readdirSync(fresh);
    run('dpkg-deb', '--extract', deb, 'unpacked');
    renameSync(path.join(fresh, 'unpacked'), folder);
    return script;
  } catch {
    return undefined;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
