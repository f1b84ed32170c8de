import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * The starter of an AppImage names its file and its folder to whatever it starts. What was typed in the terminal of
 * another AppImage must not take that one's file for its own, which it would start at login and name in commands.
 */
export function removeForeignAppImage(env: NodeJS.ProcessEnv, resources: string): void {
  const { APPDIR: folder } = env;
  if (!folder || !isInside(real(folder), real(resources))) delete env['APPIMAGE'];
}

function isInside(folder: string, file: string): boolean {
  const rest = path.relative(folder, file);
  return rest !== '' && !rest.startsWith('..') && !path.isAbsolute(rest);
}

function real(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}
