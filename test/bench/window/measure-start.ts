import { rmSync } from 'node:fs';
import path from 'node:path';
import { runMeasured } from '../measured-process.ts';
import { measured } from '../report.ts';
import { spreadOf } from '../statistics.ts';
import type { Spread } from '../statistics.ts';
import type { BenchRuntime } from './bench-runtime.ts';

export const emptyApp = path.join(import.meta.dirname, 'empty-app');

/** Milliseconds from process start to a usable window, compared with an empty page, in turn. */
export async function measureStart(
  runtime: BenchRuntime,
  built: string,
  folder: string,
  rounds: number,
): Promise<{ ours: Spread; empty: Spread }> {
  const times = { ours: [] as number[], empty: [] as number[] };
  // The first run of each only warms up caches.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, app] of [['empty', emptyApp] as const, ['ours', built] as const]) {
      const profile = path.join(folder, `start-${name}`);
      if (round === 0) rmSync(profile, { recursive: true, force: true });
      const milliseconds = await measured(`A start (${name})`, () => timeStart(runtime, app, profile), NaN);
      if (round > 0 && !Number.isNaN(milliseconds)) times[name].push(milliseconds);
    }
  }
  return { ours: spreadOf(times.ours), empty: spreadOf(times.empty) };
}

/** Milliseconds from an app's process start to its window, once. */
export async function timeStart(runtime: BenchRuntime, app: string, profile: string): Promise<number> {
  const { milliseconds } = await runMeasured({
    command: [...runtime.command, ...runtime.args, app, `--user-data-dir=${profile}`, '--smoke'],
    env: { ...runtime.env, POSTERN_HOME: profile },
    onLine: (line) => line === 'interactive',
  });
  return milliseconds;
}
