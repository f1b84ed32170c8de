import { chmod, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace-file.ts';
import { toFileSystemError } from '../files/file-system-error.ts';

const folderOf = (profileFolder: string): string => path.join(profileFolder, 'bin');

/** Where entries of programs find the pipe of a package that itself may lie elsewhere tomorrow. */
export function keptPipe(profileFolder: string): string {
  return path.join(folderOf(profileFolder), 'postern-pipe');
}

/**
 * Puts a copy of the pipe there, and beside it where `program` lies, which it starts; what is the same stays.
 * One that runs goes on with the file that it was started from. Errors: CFG_DISK_FULL, CFG_READONLY.
 */
export async function keepPipe(profileFolder: string, source: string, program: string): Promise<void> {
  try {
    makeFolder(folderOf(profileFolder), 'storage');
    const file = keptPipe(profileFolder);
    await replaceChanged(`${file}.start`, Buffer.from(program));
    await replaceChanged(file, await readFile(source));
    await chmod(file, 0o700);
  } catch (error) {
    throw toFileSystemError(error, 'storage');
  }
}

export async function forgetPipe(profileFolder: string): Promise<void> {
  await rm(folderOf(profileFolder), { recursive: true, force: true });
}

async function replaceChanged(file: string, bytes: Buffer): Promise<void> {
  const kept = await readFile(file).catch(() => undefined);
  if (kept?.equals(bytes) !== true) await replaceFile(file, bytes);
}
