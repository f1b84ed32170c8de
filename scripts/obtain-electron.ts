import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { electronFolder, findElectron } from '../test/support/window-runtime.ts';

/** Records the version that could not be downloaded, so that later starts do not wait for it again. */
const stamp = new URL('../.postern-electron', electronFolder);
const connectTimeout = 3_000;
const downloadTimeout = 300_000;

/** Downloads Electron if the network allows it. A failure is not an error. `POSTERN_ELECTRON_DOWNLOAD=off` turns it off. */
export async function obtainElectron(): Promise<void> {
  if (findElectron() !== undefined || process.env['POSTERN_ELECTRON_DOWNLOAD'] === 'off') return;
  const { version } = JSON.parse(readFileSync(new URL('package.json', electronFolder), 'utf8')) as { version: string };
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return;
  if (!(await isReachable('github.com'))) return;
  process.stdout.write('Downloading Electron (once, about 110 MB)…\n');
  if (!(await downloadElectron())) writeFileSync(stamp, version);
}

/** Opens a connection: a locked-down network may resolve the name and still block everything. */
function isReachable(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port: 443, timeout: connectTimeout });
    const finish = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => finish(true));
    socket.once('timeout', () => finish(false));
    socket.once('error', () => finish(false));
  });
}

/** Runs the package's own installer. `false` if it left nothing that can be started. */
export function downloadElectron(folder = electronFolder): Promise<boolean> {
  const installer = fileURLToPath(new URL('install.js', folder));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [installer], { stdio: 'ignore', timeout: downloadTimeout });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0 && findElectron(folder) !== undefined));
  });
}
