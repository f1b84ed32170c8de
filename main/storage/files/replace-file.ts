import { chmod, copyFile, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';
import { syncFolder } from '../../plain-file.ts';
import { toFileSystemError } from './file-system-error.ts';

/** Every moment at which a crash leaves something else on the disk. */
export const replaceSteps = ['sweep', 'create', 'write', 'sync', 'compare', 'rename', 'sync-folder', 'done'] as const;

export type ReplaceStep = (typeof replaceSteps)[number];

/**
 * Puts `bytes` in place of `file`, whole or not at all (mode 0600). To be called under the lock that guards `file`:
 * temporary files that a crash left behind are removed first. `beforeStep` lets a test stop in between.
 * Errors: CFG_DISK_FULL, CFG_READONLY (stage `storage`), the old file then being as it was.
 */
export async function replaceFile(
  file: string,
  bytes: Uint8Array,
  beforeStep: (step: ReplaceStep) => void = () => {},
): Promise<void> {
  const folder = path.dirname(file);
  const temporary = `${file}.tmp-${crypto.randomUUID()}`;
  try {
    beforeStep('sweep');
    await removeTemporaryFiles(file);
    beforeStep('create');
    const handle = await open(temporary, 'wx', 0o600);
    try {
      beforeStep('write');
      await handle.writeFile(bytes);
      beforeStep('sync');
      await handle.sync();
    } finally {
      await handle.close();
    }
    beforeStep('compare');
    // A write that was cut short is not always an error (a nearly full disk), so what is there is what counts.
    if (!(await readFile(temporary)).equals(bytes)) throw new PosternError('CFG_DISK_FULL', { stage: 'storage' });
    beforeStep('rename');
    await rename(temporary, file);
    beforeStep('sync-folder');
    await syncFolder(folder);
    beforeStep('done');
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw toFileSystemError(error, 'storage');
  }
}

/** Puts `from` in the place of `to` in the same folder, so that it lasts. Errors: CFG_DISK_FULL, CFG_READONLY. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
    await syncFolder(path.dirname(to));
  } catch (error) {
    throw toFileSystemError(error, 'storage');
  }
}

/** Removes what an interrupted replacement of `file` left beside it. */
export async function removeTemporaryFiles(file: string): Promise<void> {
  const prefix = `${path.basename(file)}.tmp-`;
  const folder = path.dirname(file);
  const stale = (await readdir(folder)).filter((name) => name.startsWith(prefix));
  await Promise.all(stale.map((name) => rm(path.join(folder, name), { force: true })));
}

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

/**
 * Parses a text again only when it has changed: files are read before every use, since another process may have
 * written them, and a list of a thousand entries takes far longer to check than to compare. Results are not to be
 * changed. A text that cannot be parsed throws each time.
 */
export function rememberParsed<Result>(parse: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: parse(text) };
    return last.result;
  };
}
