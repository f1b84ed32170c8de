import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { storageRemedies } from '../../../shared/error-catalogue/storage-remedies.ts';
import { PosternError } from '../../errors/postern-error.ts';

/** Bytes: systems take 104 or 108 of a socket's path, its end included. */
const longestPath = 100;

/**
 * Where the socket of a profile is: in its own folder, else in one of this person that has a shorter name. Pipes look
 * in the same places.
 */
export function socketPath(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  const own = path.join(folder, 'run', 'gateway.sock');
  if (Buffer.byteLength(own) <= longestPath) return own;
  // By device and inode, whichever name the folder was given by.
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  if (!stats) return own;
  return path.join(env['XDG_RUNTIME_DIR'] || tmpdir(), `postern-${stats.dev}-${stats.ino}`, 'gateway.sock');
}

/** What a pipe of Windows for programs is called: a name that nobody can guess, and so nobody can have taken before. */
export const pipeName = /^\\\\\.\\pipe\\postern-[0-9a-f]{32}$/;

/** Windows has no sockets in folders; its pipes are all in one place, so each gateway takes a new name. */
export function newPipeName(platform: NodeJS.Platform): string | undefined {
  return platform === 'win32' ? `\\\\.\\pipe\\postern-${randomBytes(16).toString('hex')}` : undefined;
}

/**
 * Makes the socket's folder, for this person alone. Errors: CFG_SHARED where another one has it, CFG_LINK,
 * CFG_READONLY.
 */
export function makeSocketFolder(socket: string): void {
  const folder = path.dirname(socket);
  const fail = (code: 'CFG_LINK' | 'CFG_READONLY'): PosternError =>
    new PosternError(code, { stage: 'gateway', detail: { file: folder } });
  // Looked at before anything is made: what a link names is not ours to make.
  const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink) throw fail('CFG_LINK');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    throw fail('CFG_READONLY');
  }
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw fail('CFG_LINK');
  const isOurs = process.getuid === undefined || stats.uid === process.getuid();
  if (!isOurs) {
    throw new PosternError('CFG_SHARED', {
      stage: 'gateway',
      detail: { reason: 'owner', folder },
      remedy: storageRemedies.foreignFolder,
    });
  }
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
