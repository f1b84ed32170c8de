import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder of the sources that this command was started from; `undefined` where it was installed: no package of npm
 * holds a lockfile.
 */
export function findCheckout(folder = import.meta.dirname): string | undefined {
  if (existsSync(path.join(folder, 'bin', 'postern.js')))
    return existsSync(path.join(folder, 'package-lock.json')) ? folder : undefined;
  const above = path.dirname(folder);
  return above === folder ? undefined : findCheckout(above);
}

/**
 * How a person types this command where they are. `npx` finds it in the checkout's own folder alone: in any other it
 * would ask the registry for a package of that name.
 */
export function commandName(checkout: string | undefined, currentFolder: string | undefined, searchPath = ''): string {
  if (checkout === undefined) return 'postern';
  const launcher = path.join(checkout, 'bin', 'postern.js');
  if (isOnPath(launcher, searchPath)) return 'postern';
  if (currentFolder === checkout) return 'npx postern';
  return `node ${/^[\w./-]+$/u.test(launcher) ? launcher : `"${launcher}"`}`;
}

/**
 * As after `npm link`. The first `postern` there is the one that would start. The folders that npm and npx put in front
 * while they run something are no longer there when a person types.
 */
function isOnPath(launcher: string, searchPath: string): boolean {
  const first = searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !folder.endsWith(path.join('node_modules', '.bin')))
    .map((folder) => path.join(folder, 'postern'))
    .find((file) => existsSync(file));
  return first !== undefined && realpathSync(first) === realpathSync(launcher);
}
