import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PosternError } from '../postern-error.ts';

/** Bytes: systems take 104 or 108 of a socket's path, its end included. */
const longestPath = 100;

/**
 * Where the socket of a profile is: in its own folder, else in one of this person that has a shorter name. Pipes look in
 * the same places.
 */
export function socketPath(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  const own = path.join(folder, 'run', 'gateway.sock');
  if (Buffer.byteLength(own) <= longestPath) return own;
  const name = `postern-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  return path.join(env['XDG_RUNTIME_DIR'] || tmpdir(), name, 'gateway.sock');
}

/** Makes the socket's folder, for this person alone. Errors: CFG_SHARED where another one has it, or a link is there. */
export function makeSocketFolder(socket: string): void {
  const folder = path.dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = lstatSync(folder);
  const isOurs = stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
  if (!isOurs) throw new PosternError('CFG_SHARED', { stage: 'gateway', detail: { path: folder } });
  if ((stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
