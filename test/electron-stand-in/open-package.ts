import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extractAll } from '@electron/asar';

/** Paths of a packaged app. */
export interface PackagedProgram {
  /** `…/resources/app.asar` as an unpacked folder, because only Electron's Node reads archives. */
  readonly appPath: string;
  /** The package's resources folder. */
  readonly resourcesPath: string;
}

/**
 * Opens a package from electron-builder (the folder that contains `resources/app.asar`) by unpacking the archive into a
 * temporary folder, which is deleted with this process. `undefined` if it is not a package.
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
