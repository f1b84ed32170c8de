import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { PosternError } from '../../errors/postern-error.ts';

/** A port for programs over HTTP that nobody has now; entries hold it from then on. Errors: GATEWAY_PORT. */
export async function freePort(): Promise<number> {
  for (const port of portsToTry(Math.random())) if ((await tryPort(port)) !== undefined) return port;
  throw new PosternError('GATEWAY_PORT', { stage: 'gateway' });
}

async function tryPort(port: number): Promise<number | undefined> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const { port: had } = server.address() as AddressInfo;
      server.close(() => resolve(had));
    });
  });
}

/** Ports that the way in over HTTP is looked for at, the first time. */
const first = 47_600;
const last = 47_699;

/** Them all, beginning anywhere: two people of one computer then seldom want the same. */
export function* portsToTry(random: number): Generator<number> {
  const count = last - first + 1;
  const start = Math.floor(random * count);
  for (let step = 0; step < count; step += 1) yield first + ((start + step) % count);
}
