// `npx node scripts/build-native-pipe.ts`: builds this machine's native pipe in the folder that packages take it from.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const extension = process.platform === 'win32' ? '.exe' : '';

/** One per system and processor, next to the keychain module built on the same machine. */
export const nativePipe = path.join(root, 'native', `${process.platform}-${process.arch}`, `postern-pipe${extension}`);

/** Connects over a loopback port, as the pipe for Windows does. Only for tests, never packaged. */
export const loopbackPipe = path.join(path.dirname(nativePipe), `postern-pipe-loopback${extension}`);

/** Builds both pipes. Returns the reason if this machine cannot build them; the Node pipe then takes their place. */
export function buildNativePipe(): string | undefined {
  const source = path.join(root, 'pipe');
  // On Windows both would be the same: it only has the port.
  const files = process.platform === 'win32' ? [nativePipe] : [nativePipe, loopbackPipe];
  return files.map((file) => buildPipe(source, file)).find((missing) => missing !== undefined);
}

/** Builds one pipe from `source` to `file`. Returns the reason if that is not possible. */
export function buildPipe(source: string, file: string): string | undefined {
  if (!hasCargo()) return 'cargo is not installed or has no toolchain';
  const isLoopback = path.basename(file) === path.basename(loopbackPipe);
  const target = isLoopback ? 'target/loopback' : 'target';
  const words = ['build', '--release', '--offline', '--locked', '--quiet', '--target-dir', target];
  const { status } = spawnSync('cargo', isLoopback ? [...words, '--features', 'loopback'] : words, {
    cwd: source,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`cargo ended with ${status}`);
  mkdirSync(path.dirname(file), { recursive: true });
  // Replaced atomically: the existing pipe may be running.
  const fresh = `${file}-${process.pid}`;
  copyFileSync(path.join(source, target, 'release', `postern-pipe${extension}`), fresh);
  renameSync(fresh, file);
  return undefined;
}

/** Toolchains are in the user's real home, even if a test sets another HOME. */
const env = { ...process.env, HOME: userInfo().homedir };

/** Runs it: rustup's cargo exists even without a toolchain, and then fails. */
function hasCargo(): boolean {
  return spawnSync('cargo', ['--version'], { cwd: path.join(root, 'pipe'), env, stdio: 'ignore' }).status === 0;
}

if (import.meta.main) {
  const missing = buildNativePipe();
  console.error(missing === undefined ? `Built ${path.relative(root, nativePipe)}.` : `No native pipe: ${missing}.`);
}
