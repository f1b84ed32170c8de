// `node scripts/build-native-pipe.ts`: the native pipe of this machine, to where packages take it from.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/** One for each system and processor; beside it lies the keychain module that was built on the same machine. */
export const nativePipe = path.join(root, 'native', `${process.platform}-${process.arch}`, 'postern-pipe');

/** Builds it from its own source alone. Answers why not, where that cannot be done here. */
export function buildNativePipe(): string | undefined {
  if (process.platform === 'win32') return 'it speaks no named pipes';
  const { error, status } = spawnSync('cargo', ['build', '--release', '--offline', '--locked', '--quiet'], {
    cwd: path.join(root, 'pipe'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) return 'cargo is not here';
  if (status !== 0) throw new Error(`cargo ended with ${status}`);
  mkdirSync(path.dirname(nativePipe), { recursive: true });
  // In one step: the one that is there may be running.
  const fresh = `${nativePipe}-${process.pid}`;
  copyFileSync(path.join(root, 'pipe/target/release/postern-pipe'), fresh);
  renameSync(fresh, nativePipe);
  return undefined;
}

if (import.meta.main) {
  const missing = buildNativePipe();
  console.error(missing === undefined ? `Built ${path.relative(root, nativePipe)}.` : `No native pipe: ${missing}.`);
}
