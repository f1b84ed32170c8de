import { readdir, chmod, copyFile } from 'node:fs/promises';
import path from 'node:path';

/** The next free `<base>.corrupt-<n><extension>` in `folder`: nothing that was kept is overwritten. */
export async function unusedCopyName(folder: string, base: string, extension: string): Promise<string> {
  const taken = new Set(await readdir(folder));
  for (let count = 1; ; count += 1) {
    const name = `${base}.corrupt-${count}${extension}`;
    if (!taken.has(name)) return name;
  }
}

/** Keeps a copy of a settings file that cannot be used for the person who wrote it; answers its name. */
export async function copySettingsAside(folder: string, file: string): Promise<string> {
  const name = await unusedCopyName(folder, 'config', '.json');
  await copyFile(file, path.join(folder, name));
  await chmod(path.join(folder, name), 0o600);
  return name;
}
