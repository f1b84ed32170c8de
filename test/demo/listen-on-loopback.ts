import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoopbackAddress {
  readonly origin: string;
  readonly host: string;
  readonly port: number;
}

/** Binds only 127.0.0.1. Port 0 or absent: any free port. Rejects with EADDRINUSE if the port is taken. */
export async function listenOnLoopback(server: Server, port = 0): Promise<LoopbackAddress> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  const host = `127.0.0.1:${bound}`;
  return { origin: `http://${host}`, host, port: bound };
}
