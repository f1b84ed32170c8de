import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

/** How to start a shell with a home folder for its startup file. */
export interface Shell {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes this shell's startup file into a home folder. */
  readonly prepare: (home: string) => void;
}

const ofThisComputer = '/usr/share/bash-completion/bash_completion';

/**
 * The script with which bash finds command completions: this computer's, otherwise from Debian's package; `undefined`
 * if neither is available.
 */
export function findBashCompletion(): string | undefined {
  if (existsSync(ofThisComputer)) return ofThisComputer;
  const folder = unpack('bash-completion');
  return folder && path.join(folder, ofThisComputer);
}

/** This computer's shell, otherwise from Debian's packages; `undefined` if neither is available. */
export function findShell(name: 'bash' | 'zsh' | 'fish'): Shell | undefined {
  if (spawnSync(name, ['-c', 'exit 0']).status === 0) return { command: name, env: {}, prepare: () => {} };
  if (name === 'bash') return undefined;
  const folder = name === 'zsh' ? unpack('zsh', 'zsh-common') : unpack('fish', 'fish-common', 'libpcre2-32-0');
  if (folder === undefined) return undefined;
  const libraries = path.join(folder, 'usr/lib', `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`);
  if (name === 'fish') {
    // It looks for its files beside itself if both of its folders exist.
    const configFolder = path.join(folder, 'usr/etc');
    if (!existsSync(configFolder)) symlinkSync('../etc', configFolder);
    return { command: path.join(folder, 'usr/bin/fish'), env: { LD_LIBRARY_PATH: libraries }, prepare: () => {} };
  }
  const [version = ''] = readdirSync(path.join(libraries, 'zsh'));
  const functions = path.join(folder, 'usr/share/zsh/functions');
  return {
    command: path.join(folder, 'bin/zsh'),
    env: {},
    prepare(home) {
      const places = `module_path=('${path.join(libraries, 'zsh', version)}')\nfpath=('${functions}'/**/*(/N))\n`;
      writeFileSync(path.join(home, '.zshenv'), places);
    },
  };
}

/** Debian packages, unpacked once into a cache but not installed. */
function unpack(...packages: readonly string[]): string | undefined {
  const cache = path.join(userInfo().homedir, '.cache', 'postern-shells');
  const folder = path.join(cache, packages.join('+'));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(path.join(cache, 'fresh-'));
  try {
    const run = (command: string, ...words: string[]): Buffer =>
      execFileSync(command, words, { cwd: fresh, stdio: ['ignore', 'pipe', 'ignore'], timeout: 60_000 });
    run('apt-get', 'download', ...packages);
    for (const file of readdirSync(fresh)) run('dpkg-deb', '--extract', file, 'unpacked');
    renameSync(path.join(fresh, 'unpacked'), folder);
    return folder;
  } catch {
    return undefined;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
