import { promises } from 'node:fs';
import path from 'node:path';
import { PosternError } from '../../errors/postern-error.ts';
import { syncFolder } from '../../plain-file.ts';
import { toFileSystemError } from './file-system-error.ts';

/** Steps between which a crash leaves a different state on disk. */
export const replaceSteps = ['sweep', 'create', 'write', 'sync', 'compare', 'rename', 'sync-folder', 'done'] as const;

export type ReplaceStep = (typeof replaceSteps)[number];

/**
 * Replaces `file` with `bytes` atomically (mode 0600). Call it under the lock that guards `file`: it first removes
 * temporary files left by a crash. `beforeStep` lets tests interrupt between steps.
 * Errors: CFG_DISK_FULL, CFG_READONLY (stage `storage`); the old file is then unchanged.
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
    const handle = await promises.open(temporary, 'wx', 0o600);
    try {
      beforeStep('write');
      await handle.writeFile(bytes);
      beforeStep('sync');
      await handle.sync();
    } finally {
      await handle.close();
    }
    beforeStep('compare');
    // A short write is not always reported (a nearly full disk), so the content is compared.
    if (!(await promises.readFile(temporary)).equals(bytes))
      throw new PosternError('CFG_DISK_FULL', { stage: 'storage' });
    beforeStep('rename');
    await promises.rename(temporary, file);
    beforeStep('sync-folder');
    await syncFolder(folder);
    beforeStep('done');
  } catch (error) {
    await promises.rm(temporary, { force: true }).catch(() => {});
    throw toFileSystemError(error, 'storage');
  }
}

/** Durably renames `from` to `to` in the same folder. Errors: CFG_DISK_FULL, CFG_READONLY. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await promises.rename(from, to);
    await syncFolder(path.dirname(to));
  } catch (error) {
    throw toFileSystemError(error, 'storage');
  }
}

/** Removes temporary files left by an interrupted `replaceFile`. */
export async function removeTemporaryFiles(file: string): Promise<void> {
  const prefix = `${path.basename(file)}.tmp-`;
  const folder = path.dirname(file);
  const stale = (await promises.readdir(folder)).filter((name) => name.startsWith(prefix));
  await Promise.all(stale.map((name) => promises.rm(path.join(folder, name), { force: true })));
}

/** The next free `<base>.corrupt-<n><extension>` in `folder`, so that no earlier copy is overwritten. */
export async function unusedCopyName(folder: string, base: string, extension: string): Promise<string> {
  const existing = new Set(await promises.readdir(folder));
  for (let count = 1; ; count += 1) {
    const name = `${base}.corrupt-${count}${extension}`;
    if (!existing.has(name)) return name;
  }
}

/** Backs up an unusable settings file, in case the user edited it. Returns the name of the copy. */
export async function backUpSettings(folder: string, file: string): Promise<string> {
  const name = await unusedCopyName(folder, 'config', '.json');
  await promises.copyFile(file, path.join(folder, name));
  await promises.chmod(path.join(folder, name), 0o600);
  return name;
}

/**
 * Caches the last parse. Files are re-read before every use because another process may have written them, and
 * validating a list of a thousand entries takes far longer than comparing the text. Do not mutate results. Errors of
 * `parse` are not cached.
 */
export function memoizeParse<Result>(parse: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: parse(text) };
    return last.result;
  };
}
