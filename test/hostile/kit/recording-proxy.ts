import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { pem } from '../../support/loopback-server.ts';

export interface RecordingProxy {
  readonly port: number;
  /** Each CONNECT: its target and proxy credentials. */
  readonly requests: readonly { readonly authority: string; readonly authorization: string | undefined }[];
}

/** What the proxy responds instead of opening the tunnel. */
export type Obstacle = (socket: Socket) => void;

/** A proxy that resolves every name to this machine. Gone after the test. */
export async function startProxy(
  options: { readonly tls?: boolean; readonly obstacle?: Obstacle } = {},
): Promise<RecordingProxy> {
  const requests: RecordingProxy['requests'][number][] = [];
  const sockets = new Set<Socket>();
  const server: Server = options.tls
    ? createHttpsServer({ key: pem('server-key'), cert: pem('server') })
    : createServer();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('connect', (request, socket: Socket) => {
    requests.push({ authority: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    if (options.obstacle) return options.obstacle(socket);
    const target = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\nvia: 1.1 proxy\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    sockets.add(target);
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, requests };
}
