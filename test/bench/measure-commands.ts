import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

export interface CommandTimes {
  readonly list: Spread;
  /** With access that is still valid. */
  readonly token: Spread;
  readonly bare: Spread;
}

/** `postern list`, `postern token` of `name` and a bare `node -e 0`, in turn; milliseconds of the whole process. */
export function measureCommands(home: string, name: string, rounds: number): CommandTimes {
  const program = path.join(import.meta.dirname, '../../bin/postern.js');
  const list: number[] = [];
  const token: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(time(['-e', '0'], home));
    list.push(time([program, 'list'], home));
    token.push(time([program, 'token', name], home));
  }
  return { list: spreadOf(list), token: spreadOf(token), bare: spreadOf(bare) };
}

function time(words: readonly string[], home: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { env: { ...process.env, POSTERN_HOME: home } });
  if (status !== 0) throw new Error(stderr.toString());
  return performance.now() - start;
}
