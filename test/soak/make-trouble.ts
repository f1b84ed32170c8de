import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from './seeded-random.ts';
import type { SoakServer } from './soak-server.ts';
import type { WorkerProcess } from './worker-process.ts';

export interface Troubles {
  kills: number;
  stops: number;
  offline: number;
}

/**
 * Kills one process again and again, stops both for a while (a sleeping computer), and takes the server off the
 * network, until `signal` aborts. The other process is never killed, so that its memory can be watched.
 */
export async function makeTrouble(
  { server, mortal, workers }: { server: SoakServer; mortal: WorkerProcess; workers: readonly WorkerProcess[] },
  random: SeededRandom,
  signal: AbortSignal,
): Promise<Troubles> {
  const made: Troubles = { kills: 0, stops: 0, offline: 0 };
  const repeat = async (least: number, most: number, trouble: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) {
      await sleep(random.between(least, most), undefined, { signal }).catch(() => {});
      if (!signal.aborted) await trouble();
    }
  };
  await Promise.all([
    repeat(3_000, 8_000, async () => {
      await mortal.kill();
      made.kills += 1;
      mortal.start();
    }),
    repeat(6_000, 12_000, async () => {
      const worker = random.pick(workers);
      worker.signal('SIGSTOP');
      await sleep(random.between(500, 5_000));
      worker.signal('SIGCONT');
      made.stops += 1;
    }),
    repeat(12_000, 20_000, async () => {
      server.goOffline();
      await sleep(random.between(500, 3_000));
      await server.goOnline();
      made.offline += 1;
    }),
  ]);
  return made;
}
