// `npx node scripts/build-native-pipe.ts`: the native pipe of this machine, to where packages take it from.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const ending = process.platform === 'win32' ? '.exe' : '';

/** One for each system and processor; beside it lies the keychain module that was built on the same machine. */
export const nativePipe = path.join(root, 'native', `${process.platform}-${process.arch}`, `postern-pipe${ending}`);

/** The same, by the port that the one for Windows comes in by: for tests, and in no package. */
export const loopbackPipe = path.join(path.dirname(nativePipe), `postern-pipe-loopback${ending}`);

/** Builds both from their own source alone. Answers why not, where that cannot be done here: the pipe for Node is there. */
export function buildNativePipe(): string | undefined {
  const source = path.join(root, 'pipe');
  // Windows has no other way than by the port: there both would be the same.
  const files = process.platform === 'win32' ? [nativePipe] : [nativePipe, loopbackPipe];
  return files.map((file) => buildPipe(source, file)).find((missing) => missing !== undefined);
}

/** The one of this name, from any source. Answers why not. */
export function buildPipe(source: string, file: string): string | undefined {
  if (!hasCargo()) return 'cargo is not here, or has no toolchain';
  const isByPort = path.basename(file) === path.basename(loopbackPipe);
  const target = isByPort ? 'target/loopback' : 'target';
  const words = ['build', '--release', '--offline', '--locked', '--quiet', '--target-dir', target];
  const { status } = spawnSync('cargo', isByPort ? [...words, '--features', 'loopback'] : words, {
    cwd: source,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`cargo ended with ${status}`);
  mkdirSync(path.dirname(file), { recursive: true });
  // In one step: the one that is there may be running.
  const fresh = `${file}-${process.pid}`;
  copyFileSync(path.join(source, target, 'release', `postern-pipe${ending}`), fresh);
  renameSync(fresh, file);
  return undefined;
}

/** Toolchains are the person's, also where a test has a home of its own. */
const env = { ...process.env, HOME: userInfo().homedir };

/** The one of rustup is there also where no toolchain is, and then says nothing but that. */
function hasCargo(): boolean {
  return spawnSync('cargo', ['--version'], { cwd: path.join(root, 'pipe'), env, stdio: 'ignore' }).status === 0;
}

if (import.meta.main) {
  const missing = buildNativePipe();
  console.error(missing === undefined ? `Built ${path.relative(root, nativePipe)}.` : `No native pipe: ${missing}.`);
}
