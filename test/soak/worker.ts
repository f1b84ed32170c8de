/**
 * worker.ts FOLDER ORIGIN RUN SEED: one process of the app on a profile that another one uses too. It uses integrations
 * at random, refreshes their tokens in the background, and signs in again when asked. It reports to its parent what it
 * stored and which errors it met.
 */
import { usableTokens } from '../../main/engine/refresh/access-token.ts';
import { RefreshScheduler } from '../../main/engine/refresh/refresh-scheduler.ts';
import { listTools } from '../../main/engine/use/use-server.ts';
import { PosternError } from '../../main/errors/postern-error.ts';
import type { Vault, VaultKey } from '../../main/ports.ts';
import { openProfileEngine } from '../support/profile-engine.ts';
import { createSeededRandom } from './seeded-random.ts';
import { signInDirectly } from './sign-in-directly.ts';
import { runHeader } from './soak-server.ts';
import type { WorkerMessage } from './worker-message.ts';

const users = 8;
/** Milliseconds before a token of this soak is due: by then the other process may have refreshed it. */
const shortestLife = 0.75 * 5_000;
const [folder = '', origin = '', run = '', seed = '0'] = process.argv.slice(2);
const random = createSeededRandom(Number(seed));
const engine = openProfileEngine(folder);
const report = (message: WorkerMessage): void => void process.send?.(message);
const { signal } = new AbortController();

const { http } = engine.ports;
const headers = { [runHeader]: run };
const vault = watchStoring(await engine.ports.vault());
const ports = {
  ...engine.ports,
  vault: async () => vault,
  http: {
    ...http,
    exchange: (request: Parameters<typeof http.exchange>[0]) =>
      http.exchange({ ...request, headers: { ...request.headers, ...headers } }),
  },
};

/** Reports each pair that was stored and read back. */
function watchStoring(real: Vault): Vault {
  return {
    ...real,
    async write(key: VaultKey, value: unknown) {
      await real.write(key, value);
      const { refreshToken = '', lostAt } = value as { refreshToken?: string; lostAt?: number };
      if (key.kind === 'tokens' && lostAt === undefined) report({ kind: 'stored', refreshToken });
    },
  };
}

const ids = (await ports.store.list()).map(({ id }) => id);
const busy = new Set<string>();

async function useOne(): Promise<void> {
  const id = random.pick(ids);
  if (busy.has(id)) return;
  const integration = await ports.store.read(id);
  if (!integration) throw new Error('an integration has vanished');
  const start = performance.now();
  try {
    if (random.next() < 0.2) await listTools(ports, integration, { signal });
    else await usableTokens(ports, integration, signal);
    report({ kind: 'used' });
  } catch (error) {
    const code = error instanceof PosternError ? error.code : String(error);
    // On a slow machine a token may have expired, or been refreshed by the other process, before it has arrived.
    const isLate = code === 'TOKEN_REJECTED' && performance.now() - start > shortestLife;
    report({ kind: 'failed', id, code: isLate ? 'TOKEN_REJECTED late' : code });
    if (code !== 'REFRESH_REVOKED' && code !== 'SIGN_IN_REQUIRED') return;
    // Only one of the processes signs in again.
    busy.add(id);
    try {
      const entry = await ports.store.read(id);
      if (entry?.state !== 'reauthenticationRequired') return;
      await signInDirectly(ports, origin, id);
      report({ kind: 'signed-in', id });
    } catch {
      // Offline; the next caller gets the error again.
    } finally {
      busy.delete(id);
    }
  }
}

async function keepUsing(): Promise<void> {
  for (;;) {
    await useOne();
    await new Promise((resolve) => setTimeout(resolve, random.between(5, 60)));
  }
}

const scheduler = new RefreshScheduler(ports, () => {});
await scheduler.review();
setInterval(() => scheduler.wake(), 10_000);
setInterval(() => {
  globalThis.gc?.();
  report({ kind: 'memory', bytes: process.memoryUsage().heapUsed });
}, 2_000);
process.on('disconnect', () => process.exit());
await Promise.all(Array.from({ length: users }, keepUsing));
