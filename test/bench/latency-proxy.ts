import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/**
 * A loopback port that forwards every byte to `target` with a delay of `milliseconds / 2` in each direction, so a
 * request and its response take one round trip of `milliseconds`. Opening a connection has no delay.
 */
export async function startLatencyProxy(
  target: number,
  milliseconds: number,
): Promise<{ port: number; server: Server }> {
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true });
    passOn(client, upstream, milliseconds / 2);
    passOn(upstream, client, milliseconds / 2);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, server };
}

function passOn(from: Socket, to: Socket, delay: number): void {
  from.on('data', (chunk) => setTimeout(() => to.writable && to.write(chunk), delay));
  from.on('end', () => setTimeout(() => to.end(), delay));
  from.on('error', () => to.destroy());
  from.on('close', () => setTimeout(() => to.destroy(), delay));
}
