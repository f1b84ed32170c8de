import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { serveBytes } from './loopback-server.ts';

/** Two loopback listeners that record everything they receive, even bare connections, and never respond. */
export interface Arrivals extends AsyncDisposable {
  readonly tcp: number;
  readonly udp: number;
  /** One line per connection, chunk and datagram. */
  log(): string[];
}

export async function recordArrivals(): Promise<Arrivals> {
  const tcp = await serveBytes((socket) => socket.end());
  const udp = createSocket('udp4');
  const datagrams: string[] = [];
  udp.on('message', (message) => datagrams.push(`datagram of ${message.length} bytes`));
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  return {
    tcp: tcp.port,
    udp: udp.address().port,
    log: () => [
      ...tcp.sockets.map(() => 'connection'),
      ...(tcp.received() === '' ? [] : [`bytes: ${tcp.received()}`]),
      ...datagrams,
    ],
    async [Symbol.asyncDispose]() {
      udp.close();
      await tcp[Symbol.asyncDispose]();
    },
  };
}
