import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports below the ephemeral range (from 32,768 on Linux, 49,152 elsewhere), so that listening on "any port" never takes
 * one; and above 10,080, the last port that browsers and fetch block. Each process has its own few.
 */
const [lowest, blocks, blockSize] = [10_112, 1_375, 16];
let used = 0;

/** A free port that no other test process uses. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < blockSize; tries += 1) {
    const port = lowest + (process.pid % blocks) * blockSize + (used++ % blockSize);
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
