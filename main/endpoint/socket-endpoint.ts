import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import * as z from 'zod';
import { gatewayMessage, gatewaySession } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { Endpoint, Hello, OpenSession, ProgramSession, Send } from '../gateway-ports.ts';
import { type Line, MessageLines } from './message-lines.ts';
import { makeSocketFolder } from './socket-path.ts';

const short = z.string().max(256);

/** The first line of a pipe. What it says of itself beside names is for showing alone. */
const helloSchema = z.object({
  postern: z.literal(1),
  open: z.object({
    server: short.min(1),
    program: short.optional(),
    pipe: short.optional(),
    pid: z.number().int().optional(),
    parent: short.optional(),
    cwd: z.string().max(4_096).optional(),
  }),
});

/** Instead: another Postern of the same person asks this one to make room. */
const yieldSchema = z.object({ postern: z.literal(1), control: z.literal('yield'), secret: short });

export interface SocketEndpointOptions {
  readonly path: string;
  readonly open: OpenSession;
  /** Who shows the secret may ask this one to make room. */
  readonly handOver?: { readonly secret: string; readonly onAsked: () => void } | undefined;
}

/** The way in for pipes of the same person. `listen` errors with CFG_*. */
export function createSocketEndpoint({ path, open, handOver }: SocketEndpointOptions): Endpoint {
  const connections = new Set<{ socket: Socket; session: Promise<ProgramSession> | undefined }>();
  const server = createServer({ allowHalfOpen: false, noDelay: true }, (socket) => {
    const connection: { socket: Socket; session: Promise<ProgramSession> | undefined } = { socket, session: undefined };
    connections.add(connection);
    const openHere: OpenSession = async (hello, line) => await (connection.session = open(hello, line));
    serve(socket, openHere, (line) => handOver && asksToYield(line, handOver.secret) && handOver.onAsked())
      .catch(() => {})
      .finally(() => {
        socket.destroy();
        connections.delete(connection);
      });
  });

  // A connection that could not be taken (no descriptor left) is nobody's but its own.
  server.on('error', () => {});
  return {
    async listen() {
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
    },
    // Sessions know what is under way in them.
    isIdle: true,
    stopAccepting() {
      server.close();
    },
    async close() {
      server.close();
      for (const { socket } of connections) socket.destroy();
      await Promise.allSettled([...connections].map(async ({ session }) => await (await session)?.close()));
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

/** Reads one connection to its end. `onOther`: its first line is no hello. */
async function serve(socket: Socket, open: OpenSession, onOther: (line: Line) => void): Promise<void> {
  const lines = new MessageLines(gatewayMessage.size);
  let session: ProgramSession | undefined;
  // Whatever goes wrong with it ends the reading below.
  socket.on('error', () => {});
  const tooSlow = setTimeout(() => socket.destroy(), gatewaySession.helloTime);
  try {
    for await (const chunk of socket) {
      for (const line of lines.take(chunk as Buffer)) {
        if (session) {
          await (line.isTooLong ? session.refuseLong(line.bytes) : session.receive(line.bytes));
          continue;
        }
        const hello = readHello(line);
        if (!hello) return onOther(line);
        clearTimeout(tooSlow);
        const hangUp = (): void => void socket.destroy();
        session = await open(hello, { send: writeTo(socket), hangUp });
        // Also while a message waits for its turn.
        socket.once('close', () => void session?.close());
      }
      if (!session && lines.length > gatewaySession.helloSize) return;
    }
  } finally {
    clearTimeout(tooSlow);
    await session?.close();
  }
}

function readHello({ bytes }: Line): Hello | undefined {
  if (bytes.byteLength > gatewaySession.helloSize) return undefined;
  try {
    return helloSchema.parse(JSON.parse(bytes.toString('utf8'))).open;
  } catch {
    return undefined;
  }
}

function asksToYield({ bytes }: Line, secret: string): boolean {
  try {
    const shown = yieldSchema.parse(JSON.parse(bytes.toString('utf8'))).secret;
    const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
    return timingSafeEqual(hash(shown), hash(secret));
  } catch {
    return false;
  }
}

/** Writes messages one after the other, each when there is room: what a program does not read stays where it comes from. */
function writeTo(socket: Socket): Send {
  let last = Promise.resolve();
  return (message) => (last = last.then(() => write(socket, message)));
}

async function write(socket: Socket, message: Buffer | string): Promise<void> {
  if (socket.destroyed) return;
  socket.cork();
  socket.write(message);
  const hasRoom = socket.write('\n');
  socket.uncork();
  if (hasRoom) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(socket, 'drain', { signal }), once(socket, 'close', { signal })]).catch(() => {});
  // A socket lives as long as its program, and keeps no listener of each time.
  over.abort();
}
