import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

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

/** Where commands come in: beside it. */
export function commandSocketPath(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  return path.join(path.dirname(socketPath(folder, env)), 'control.sock');
}

/** What a pipe of Windows for programs is called: a name that nobody can guess, and so nobody can have taken before. */
export const pipeName = /^\\\\\.\\pipe\\postern-[0-9a-f]{32}$/;

/** Windows has no sockets in folders; its pipes are all in one place, so each gateway takes a new name. */
export function newPipeName(platform: NodeJS.Platform): string | undefined {
  return platform === 'win32'
    ? `\\\\.\\pipe\\postern-${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}`
    : undefined;
}
