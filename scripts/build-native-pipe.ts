// `node scripts/build-native-pipe.ts`: the native pipe of this machine, to where packages take it from.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const ending = process.platform === 'win32' ? '.exe' : '';

/** One for each system and processor; beside it lies the keychain module that was built on the same machine. */
export const nativePipe = path.join(root, 'native', `${process.platform}-${process.arch}`, `postern-pipe${ending}`);

/** The same, by the port that the one for Windows comes in by: for tests, and in no package. */
export const loopbackPipe = path.join(path.dirname(nativePipe), `postern-pipe-loopback${ending}`);

/** Builds both from their own source alone. Answers why not, where that cannot be done here: the pipe for Node is there. */
export function buildNativePipe(): string | undefined {
  const missing = buildInto(nativePipe, 'target');
  // Windows has no other way: there it would be the same.
  if (missing === undefined && process.platform !== 'win32') buildInto(loopbackPipe, 'target/loopback', 'loopback');
  return missing;
}

/** The one of rustup is there also where no toolchain is, and then says nothing but that. */
function hasCargo(): boolean {
  return spawnSync('cargo', ['--version'], { cwd: path.join(root, 'pipe'), stdio: 'ignore' }).status === 0;
}

function buildInto(file: string, target: string, feature?: string): string | undefined {
  const words = ['build', '--release', '--offline', '--locked', '--quiet', '--target-dir', target];
  if (!hasCargo()) return 'cargo is not here, or has no toolchain';
  const { status } = spawnSync('cargo', feature === undefined ? words : [...words, '--features', feature], {
    cwd: path.join(root, 'pipe'),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`cargo ended with ${status}`);
  mkdirSync(path.dirname(file), { recursive: true });
  // In one step: the one that is there may be running.
  const fresh = `${file}-${process.pid}`;
  copyFileSync(path.join(root, 'pipe', target, 'release', `postern-pipe${ending}`), fresh);
  renameSync(fresh, file);
  return undefined;
}

if (import.meta.main) {
  const missing = buildNativePipe();
  console.error(missing === undefined ? `Built ${path.relative(root, nativePipe)}.` : `No native pipe: ${missing}.`);
}
