import { readdir } from 'node:fs/promises';

/** The next free `<base>.corrupt-<n><extension>` in `folder`: nothing that was kept is overwritten. */
export async function unusedCopyName(folder: string, base: string, extension: string): Promise<string> {
  const taken = new Set(await readdir(folder));
  for (let count = 1; ; count += 1) {
    const name = `${base}.corrupt-${count}${extension}`;
    if (!taken.has(name)) return name;
  }
}
