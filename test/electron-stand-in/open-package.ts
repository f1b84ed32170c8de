import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractAll } from '@electron/asar';

/** Where a packaged program lies. */
export interface PackagedProgram {
  /** `…/resources/app.asar`, as a folder with what the archive holds: only Electron's Node reads archives. */
  readonly appPath: string;
  /** The package's own folder of resources. */
  readonly resourcesPath: string;
}

/**
 * Opens what electron-builder has packed (the folder that holds `resources/app.asar`): the archive is unpacked to a
 * temporary folder that ends with this process. `undefined`: it is no package.
 */
export function openPackage(folder: string): PackagedProgram | undefined {
  const resourcesPath = path.join(folder, 'resources');
  const archive = path.join(resourcesPath, 'app.asar');
  if (!existsSync(archive)) return undefined;
  const unpacked = mkdtempSync(path.join(tmpdir(), 'postern-package-'));
  process.on('exit', () => rmSync(unpacked, { recursive: true, force: true }));
  const appPath = path.join(unpacked, 'resources/app.asar');
  extractAll(archive, appPath);
  return { appPath, resourcesPath };
}
