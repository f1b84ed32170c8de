import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { dirname } from 'node:path';
import { storageRemedies } from '../../../shared/error-catalog/storage-errors.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Endpoint, OpenSession } from '../../gateway-ports.ts';
import { PipeConnection } from './pipe-connection.ts';

interface PipeServerOptions {
  readonly open: OpenSession;
  /** Authenticates a connection as a pipe of this user. Absent if nobody else can connect. */
  readonly admit?: (socket: Socket) => Promise<boolean>;
}

interface SocketEndpointOptions extends Omit<PipeServerOptions, 'admit'> {
  readonly path: string;
}

/** The endpoint for pipes of the same user. Errors of `listen`: CFG_*. */
export function createSocketEndpoint({ path, ...options }: SocketEndpointOptions): Endpoint {
  return createPipeServer(options, (server) => listenAtPath(server, path));
}

/** Listens at a socket that only this user can access, or at a Windows named pipe. Errors: CFG_*. */
export async function listenAtPath(server: Server, path: string): Promise<void> {
  if (process.platform !== 'win32') {
    makeSocketFolder(path);
    // Safe: only the holder of the gateway lock listens here.
    removeSocket(path);
  }
  const umask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        reject(new PosternError('CFG_READONLY', { stage: 'gateway', cause, detail: { file: path } }));
      });
      server.listen(path, resolve);
    });
  } finally {
    process.umask(umask);
  }
}

/** Serves pipes at the address that `listen` chooses. */
export function createPipeServer(
  { open, admit }: PipeServerOptions,
  listen: (server: Server) => Promise<void>,
): Endpoint {
  const unauthenticated = new Set<Socket>();
  const connections = new Set<PipeConnection>();
  let hasStopped = false;

  function serve(socket: Socket): void {
    const connection = new PipeConnection(socket, open);
    connections.add(connection);
    if (hasStopped) connection.pause();
    connection
      .serve()
      .catch(() => {})
      .finally(() => connections.delete(connection));
  }

  const server = createServer({ allowHalfOpen: false, noDelay: true }, (socket) => {
    if (!admit) return serve(socket);
    unauthenticated.add(socket);
    void admit(socket).then((isAdmitted) => {
      unauthenticated.delete(socket);
      if (isAdmitted) serve(socket);
      else socket.destroy();
    });
  });

  // A failed accept (out of file descriptors) does not affect other connections.
  server.on('error', () => {});
  return {
    listen: () => listen(server),
    get isIdle() {
      return [...connections].every(({ isPaused }) => isPaused);
    },
    stopAccepting() {
      hasStopped = true;
      server.close();
      for (const connection of connections) connection.pause();
    },
    async close() {
      server.close();
      for (const socket of unauthenticated) socket.destroy();
      await Promise.allSettled([...connections].map((connection) => connection.end()));
    },
  };
}

/** Removes a stale socket. Errors: CFG_READONLY if it cannot be removed. */
function removeSocket(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw new PosternError('CFG_READONLY', { stage: 'gateway', cause, detail: { file: path } });
  }
}

/**
 * Creates the socket's folder for this user only. Errors: CFG_SHARED if another user owns it, CFG_LINK, CFG_READONLY.
 */
function makeSocketFolder(socket: string): void {
  const folder = dirname(socket);
  const fail = (code: 'CFG_LINK' | 'CFG_READONLY'): PosternError =>
    new PosternError(code, { stage: 'gateway', detail: { file: folder } });
  // Checked before creating anything: we must not create the target of a symlink.
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
