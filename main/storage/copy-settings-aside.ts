import { chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';
import { unusedCopyName } from './unused-copy-name.ts';

/** Keeps a copy of a settings file that cannot be used for the person who wrote it; answers its name. */
export async function copySettingsAside(folder: string, file: string): Promise<string> {
  const name = await unusedCopyName(folder, 'config', '.json');
  await copyFile(file, path.join(folder, name));
  await chmod(path.join(folder, name), 0o600);
  return name;
}
