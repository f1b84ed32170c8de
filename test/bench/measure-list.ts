import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

/** `postern list` and a bare `node -e 0`, in turn; milliseconds of the whole process. */
export function measureList(home: string, rounds: number): { list: Spread; bare: Spread } {
  const program = path.join(import.meta.dirname, '../../bin/postern.js');
  const list: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(time(['-e', '0'], home));
    list.push(time([program, 'list'], home));
  }
  return { list: spreadOf(list), bare: spreadOf(bare) };
}

function time(words: readonly string[], home: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { env: { ...process.env, POSTERN_HOME: home } });
  if (status !== 0) throw new Error(stderr.toString());
  return performance.now() - start;
}
