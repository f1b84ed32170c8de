import { rmSync } from 'node:fs';
import path from 'node:path';
import { runMeasured } from '../measured-process.ts';
import { measured } from '../report.ts';
import { spreadOf } from '../statistics.ts';
import type { Spread } from '../statistics.ts';
import type { BenchRuntime } from './bench-runtime.ts';

export const emptyProgram = path.join(import.meta.dirname, 'empty-program');

/** From the start of the process to a window that can be used; beside an empty page, in turn. Milliseconds. */
export async function measureStart(
  runtime: BenchRuntime,
  folder: string,
  rounds: number,
): Promise<{ ours: Spread; empty: Spread }> {
  const times = { ours: [] as number[], empty: [] as number[] };
  const built = path.join(folder, 'window');
  await runtime.build(built);
  // The first of each only fills the caches of the machine.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, program] of [['empty', emptyProgram] as const, ['ours', built] as const]) {
      const profile = path.join(folder, `start-${name}`);
      if (round === 0) rmSync(profile, { recursive: true, force: true });
      const milliseconds = await measured(`A start (${name})`, () => timeStart(runtime, program, profile), NaN);
      if (round > 0 && !Number.isNaN(milliseconds)) times[name].push(milliseconds);
    }
  }
  return { ours: spreadOf(times.ours), empty: spreadOf(times.empty) };
}

/** From the start of a program's process to its window, once; milliseconds. */
export async function timeStart(runtime: BenchRuntime, program: string, profile: string): Promise<number> {
  const { milliseconds } = await runMeasured({
    command: [...runtime.command, ...runtime.args, program, `--user-data-dir=${profile}`, '--smoke'],
    env: { ...runtime.env, POSTERN_HOME: profile },
    onLine: (line) => line === 'interactive',
  });
  return milliseconds;
}
