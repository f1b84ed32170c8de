import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { dirname } from 'node:path';
import { storageRemedies } from '../../../shared/error-catalogue/storage-errors.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Endpoint, OpenSession } from '../../gateway-ports.ts';
import type { LocalAsk } from '../../local-ports.ts';
import { asksToYield, PipeConnection, readControl } from './pipe-connection.ts';

export interface PipeServerOptions {
  readonly open: OpenSession;
  /** Who shows the secret may ask this one to make room. */
  readonly handOver?: { readonly secret: string; readonly onAsked: () => void } | undefined;
  /** Who shows the secret may ask of servers on this computer, and is answered with JSON. */
  readonly control?: { readonly secret: string; readonly onAsked: (ask: LocalAsk) => Promise<object> } | undefined;
  /** Whether somebody who has connected is a pipe of this person. Left out where nobody else can connect. */
  readonly admit?: (socket: Socket) => Promise<boolean>;
}

export interface SocketEndpointOptions extends Omit<PipeServerOptions, 'admit'> {
  readonly path: string;
}

/** The way in for pipes of the same person. `listen` errors with CFG_*. */
export function createSocketEndpoint({ path, ...options }: SocketEndpointOptions): Endpoint {
  return createPipeServer(options, (server) => listenAtPath(server, path));
}

/** Has a server listen at a socket for this user alone, or a pipe of Windows. Errors: CFG_*. */
export async function listenAtPath(server: Server, path: string): Promise<void> {
  if (process.platform !== 'win32') {
    makeSocketFolder(path);
    // Whoever holds the lock of the gateway is the only one who listens here.
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

/** Serves pipes, wherever `listen` has its server listen. */
export function createPipeServer(
  { open, handOver, control, admit }: PipeServerOptions,
  listen: (server: Server) => Promise<void>,
): Endpoint {
  const strangers = new Set<Socket>();
  const connections = new Set<PipeConnection>();
  let hasStopped = false;

  function serve(socket: Socket): void {
    const connection = new PipeConnection(socket, {
      open,
      async onOther({ bytes }) {
        if (handOver && asksToYield(bytes, handOver.secret)) handOver.onAsked();
        const ask = control && readControl(bytes, control.secret);
        return ask && JSON.stringify(await control.onAsked(ask));
      },
    });
    connections.add(connection);
    if (hasStopped) connection.rest();
    connection
      .serve()
      .catch(() => {})
      .finally(() => connections.delete(connection));
  }

  const server = createServer({ allowHalfOpen: false, noDelay: true }, (socket) => {
    if (!admit) return serve(socket);
    strangers.add(socket);
    void admit(socket).then((isAdmitted) => {
      strangers.delete(socket);
      if (isAdmitted) serve(socket);
      else socket.destroy();
    });
  });

  // A connection that could not be taken (no descriptor left) concerns no other.
  server.on('error', () => {});
  return {
    listen: () => listen(server),
    get isIdle() {
      return [...connections].every(({ isAtRest }) => isAtRest);
    },
    stopAccepting() {
      hasStopped = true;
      server.close();
      for (const connection of connections) connection.rest();
    },
    async close() {
      server.close();
      for (const socket of strangers) socket.destroy();
      await Promise.allSettled([...connections].map((connection) => connection.end()));
    },
  };
}

/** Removes what an earlier one left. Errors: CFG_READONLY where something else stands there. */
function removeSocket(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw new PosternError('CFG_READONLY', { stage: 'gateway', cause, detail: { file: path } });
  }
}

/**
 * Makes the socket's folder, for this person alone. Errors: CFG_SHARED where another one has it, CFG_LINK,
 * CFG_READONLY.
 */
function makeSocketFolder(socket: string): void {
  const folder = dirname(socket);
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
