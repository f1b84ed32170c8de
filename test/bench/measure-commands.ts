import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

export interface CommandTimes {
  readonly list: Spread;
  /** With access that is still valid. */
  readonly token: Spread;
  readonly bare: Spread;
  /** Of a list of ten entries, and of one of a thousand. */
  readonly imports: { readonly few: Spread; readonly many: Spread };
}

const program = path.join(import.meta.dirname, '../../bin/postern.js');

/**
 * `postern list`, `postern token` of `name`, `postern import` of lists into a profile of its own, and a bare `node -e 0`,
 * in turn; milliseconds of the whole process.
 */
export function measureCommands(home: string, name: string, rounds: number): CommandTimes {
  const list: number[] = [];
  const token: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(time(['-e', '0'], home));
    list.push(time([program, 'list'], home));
    token.push(time([program, 'token', name], home));
  }
  const [few, many] = [10, 1_000].map((entries) => spreadOf(timeImports(`${home}-import`, entries, 3)));
  if (!few || !many) throw new Error('no import was measured');
  return { list: spreadOf(list), token: spreadOf(token), bare: spreadOf(bare), imports: { few, many } };
}

function timeImports(home: string, entries: number, rounds: number): readonly number[] {
  const file = `${home}.json`;
  const listed = Array.from({ length: entries }, (_, index) => {
    return [`s${index}`, { command: process.execPath, args: [`${index}`], env: { TOKEN: `secret-${index}` } }];
  });
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(listed) }));
  return Array.from({ length: rounds }, () => {
    rmSync(home, { recursive: true, force: true });
    return time([program, 'import', file], home);
  });
}

function time(words: readonly string[], home: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { env: { ...process.env, POSTERN_HOME: home } });
  if (status !== 0) throw new Error(stderr.toString());
  return performance.now() - start;
}
