import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import { errnoOf } from './real-place.ts';

export interface Replacement {
  /** The file itself, no link. */
  readonly file: string;
  readonly text: string;
  /** Of the file that is there; `undefined`: there is none. */
  readonly stats: { readonly mode: number; readonly uid: number; readonly gid: number } | undefined;
  /** Looked at last, before it is in place. */
  readonly isAsBefore: () => Promise<boolean>;
}

/**
 * Puts a text in the place of a file, whole or not at all: written beside it, synced, read back, renamed. `false`: it
 * was not as before. A file that appears meanwhile is not overwritten. Errors: those of the file system.
 */
export async function replaceText({ file, text, stats, isAsBefore }: Replacement): Promise<boolean> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = path.join(folder, `.${path.basename(file)}.postern-${randomBytes(6).toString('hex')}`);
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      if (stats) await keepOwner(handle, stats);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if ((await readFile(temporary, 'utf8')) !== text) throw Object.assign(new Error('cut short'), { code: 'ENOSPC' });
    if (!(await isAsBefore())) return false;
    return stats ? await renameOver(temporary, file) : await putThere(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
}

type Handle = Awaited<ReturnType<typeof open>>;

/** The owner first: giving a file away takes bits of its mode. */
async function keepOwner(handle: Handle, { mode, uid, gid }: NonNullable<Replacement['stats']>): Promise<void> {
  const own = await handle.stat();
  if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
  await handle.chmod(mode & 0o7777);
}

async function renameOver(temporary: string, file: string): Promise<true> {
  await rename(temporary, file);
  await syncFolder(path.dirname(file));
  return true;
}

/** A second name is refused where there is a first one, which a renaming would not notice. */
async function putThere(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // A file system without second names.
    if ((await stat(file).catch(() => undefined)) !== undefined) return false;
    await rename(temporary, file);
  }
  await syncFolder(path.dirname(file));
  return true;
}
