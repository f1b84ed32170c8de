import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Bytes: systems limit a socket path to 104 or 108, including the terminating null. */
const maxPathLength = 100;

/** The socket of a profile: in its folder, or in a shorter user folder if that path is too long. Pipes do the same. */
export function socketPath(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  const preferred = path.join(folder, 'run', 'gateway.sock');
  if (Buffer.byteLength(preferred) <= maxPathLength) return preferred;
  // By device and inode, so that it does not depend on how the folder was spelled.
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  if (!stats) return preferred;
  return path.join(env['XDG_RUNTIME_DIR'] || tmpdir(), `postern-${stats.dev}-${stats.ino}`, 'gateway.sock');
}

/** The socket for commands and other Postern processes, next to it. */
export function controlSocketPath(folder: string, env: Readonly<Record<string, string | undefined>>): string {
  return path.join(path.dirname(socketPath(folder, env)), 'control.sock');
}

/** A Windows named pipe. The name is unguessable, so that nobody can have created it before us. */
export const pipeName = /^\\\\\.\\pipe\\postern-[0-9a-f]{32}$/;

/** All Windows named pipes share one namespace, so each gateway uses a new name. */
export function newPipeName(platform: NodeJS.Platform): string | undefined {
  return platform === 'win32'
    ? `\\\\.\\pipe\\postern-${Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('hex')}`
    : undefined;
}
