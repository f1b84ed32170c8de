import { spawn } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findElectron } from '../test/support/window-runtime.ts';

const folder = new URL('../node_modules', import.meta.url);
/** Names the version that could not be downloaded, so that no start waits for it again. */
const stamp = new URL('.postern-electron', folder);
const lookupTime = 2_000;
const downloadTime = 300_000;

/**
 * Downloads Electron where the network gives it (`POSTERN_ELECTRON_DOWNLOAD=off` forbids it). A failure is no error.
 */
export async function obtainElectron(): Promise<void> {
  if (findElectron() !== undefined || process.env['POSTERN_ELECTRON_DOWNLOAD'] === 'off') return;
  const installer = new URL('electron/install.js', folder);
  if (!existsSync(installer)) return;
  const { version } = JSON.parse(readFileSync(new URL('electron/package.json', folder), 'utf8')) as { version: string };
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return;
  if (!(await isReachable('github.com'))) return;
  process.stdout.write('Downloading Electron (once, about 110 MB)…\n');
  if (!(await download(fileURLToPath(installer)))) writeFileSync(stamp, version);
}

/** A network that is locked down answers at once, or never. */
async function isReachable(host: string): Promise<boolean> {
  const patience = new Promise<false>((resolve) => setTimeout(resolve, lookupTime, false).unref());
  return await Promise.race([
    lookup(host).then(
      () => true,
      () => false,
    ),
    patience,
  ]);
}

function download(installer: string): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [installer], { stdio: 'ignore', timeout: downloadTime });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
