import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder of this command's launcher, of its sources or as npm installs it; `undefined` in a package. */
export function findLauncherFolder(folder = import.meta.dirname): string | undefined {
  if (existsSync(path.join(folder, 'bin', 'postern.js'))) return folder;
  const above = path.dirname(folder);
  return above === folder ? undefined : findLauncherFolder(above);
}

/**
 * The folder of the sources that this command was started from; `undefined` where it was installed: no package of npm
 * holds a lockfile.
 */
export function findCheckout(folder?: string): string | undefined {
  const found = findLauncherFolder(folder);
  return found !== undefined && existsSync(path.join(found, 'package-lock.json')) ? found : undefined;
}
