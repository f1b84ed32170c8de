import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below those that systems give out by themselves (from 32,768 on Linux, 49,152 elsewhere): whoever listens at
 * "any port", in this test or beside it, never gets one; and above 10,080, the last one that browsers and fetch refuse.
 * Each process has a few of its own.
 */
const [lowest, blocks, blockSize] = [10_112, 1_375, 16];
let taken = 0;

/** A port that nobody holds, and that stays free until somebody is told of it. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < blockSize; tries += 1) {
    const port = lowest + (process.pid % blocks) * blockSize + (taken++ % blockSize);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
