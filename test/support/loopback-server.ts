import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';

/** A server on 127.0.0.1 that records its clients; `await using` closes it with every connection. */
export interface LoopbackServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:PORT` or `https://…`. */
  readonly origin: string;
  /** Every accepted connection, with or without TLS. */
  readonly sockets: readonly Socket[];
  /** Every request so far as text; for an HTTP server: method, target, header fields and body. */
  received(): string;
}

export const pem = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'certificates', `${name}.pem`), 'utf8');

/** Bytes in, bytes out: for responses that no HTTP server would send. `answer` runs for each received chunk. */
export function serveBytes(respond: (socket: Socket, received: string) => void): Promise<LoopbackServer> {
  const chunks: string[] = [];
  const server = createTcpServer((socket) => {
    let received = '';
    socket.on('data', (chunk) => {
      chunks.push(chunk.toString('latin1'));
      received += chunk.toString('latin1');
      respond(socket, received);
    });
  });
  return listen(server, 'http', chunks);
}

export function serveHttp(listener: RequestListener): Promise<LoopbackServer> {
  const chunks: string[] = [];
  return listen(createServer(recordInto(chunks, listener)), 'http', chunks);
}

/** The same with a certificate signed by `pem('authority')`, or with another one. */
export function serveHttps(listener: RequestListener, tls: TlsOptions = {}): Promise<LoopbackServer> {
  const chunks: string[] = [];
  const options = { key: pem('server-key'), cert: pem('server'), ...tls };
  return listen(createHttpsServer(options, recordInto(chunks, listener)), 'https', chunks);
}

/** Resolves when either side has ended the connection. */
export async function connectionClosed(socket: Socket | undefined): Promise<void> {
  if (socket?.destroyed === false) await new Promise((resolve) => socket.once('close', resolve));
}

function recordInto(chunks: string[], listener: RequestListener): RequestListener {
  return (request, response) => {
    chunks.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n`);
    request.on('data', (chunk: Buffer) => chunks.push(chunk.toString('latin1')));
    listener(request, response);
  };
}

async function listen(server: Server, scheme: string, chunks: readonly string[]): Promise<LoopbackServer> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    // A test may reset or abandon a connection; that is not a server failure.
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${scheme}://127.0.0.1:${port}`,
    sockets,
    received: () => chunks.join(''),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
