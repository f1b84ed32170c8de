import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { RecordedRequest } from './recorded-request.ts';
import { spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

export interface CommandTimes {
  readonly list: Spread;
  /** With a valid access token. */
  readonly token: Spread;
  readonly bare: Spread;
  /** For a list of 10 entries, and one of 1,000. */
  readonly imports: { readonly few: Spread; readonly many: Spread };
}

/** Commands that a running `postern serve` executes. */
export interface ServedTimes {
  readonly list: Spread;
  /** With a valid access token and no latency. */
  readonly call: Spread;
  readonly bare: Spread;
  /** Maximum requests to the server in one call. */
  readonly requests: number;
}

const app = path.join(import.meta.dirname, '../../bin/postern.js');

/**
 * `postern list`, `postern token` for `name`, `postern import` of lists into a separate profile, and a bare
 * `node -e 0`, in turn; milliseconds of the whole process.
 */
export function measureCommands(home: string, name: string, rounds: number): CommandTimes {
  const list: number[] = [];
  const token: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(time(['-e', '0'], home));
    list.push(time([app, 'list'], home));
    token.push(time([app, 'token', name], home));
  }
  const [few, many] = [10, 1_000].map((entries) => spreadOf(timeImports(`${home}-import`, entries, 3)));
  if (!few || !many) throw new Error('no import was measured');
  return { list: spreadOf(list), token: spreadOf(token), bare: spreadOf(bare), imports: { few, many } };
}

/**
 * `postern list` and `postern call` for `name` while `postern serve` runs for that profile, and a bare `node -e 0`, in
 * turn. `takeRequests`: the server's requests since the last call.
 */
export async function measureServed(
  home: string,
  { name, tool, rounds }: { readonly name: string; readonly tool: string; readonly rounds: number },
  takeRequests: () => Promise<readonly RecordedRequest[]>,
): Promise<ServedTimes> {
  const env = { ...process.env, POSTERN_HOME: home };
  const run = async (words: readonly string[]): Promise<number> => {
    const start = performance.now();
    await promisify(execFile)(process.execPath, words, { env });
    return performance.now() - start;
  };
  const serving = spawn(process.execPath, [app, 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(serving, 'exit');
  const [list, call, bare, requests]: [number[], number[], number[], number[]] = [[], [], [], []];
  try {
    await Promise.race([once(serving.stdout, 'data'), exit]);
    // The first call opens the session.
    await run([app, 'call', name, tool]);
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await run(['-e', '0']));
      list.push(await run([app, 'list']));
      await takeRequests();
      call.push(await run([app, 'call', name, tool]));
      requests.push((await takeRequests()).filter(({ isStream }) => !isStream).length);
    }
  } finally {
    serving.kill('SIGTERM');
    await exit;
  }
  return { list: spreadOf(list), call: spreadOf(call), bare: spreadOf(bare), requests: Math.max(...requests) };
}

function timeImports(home: string, entries: number, rounds: number): readonly number[] {
  const file = `${home}.json`;
  const listed = Array.from({ length: entries }, (_, index) => {
    return [`s${index}`, { command: process.execPath, args: [`${index}`], env: { TOKEN: `secret-${index}` } }];
  });
  writeFileSync(file, JSON.stringify({ mcpServers: Object.fromEntries(listed) }));
  return Array.from({ length: rounds }, () => {
    rmSync(home, { recursive: true, force: true });
    return time([app, 'import', file], home);
  });
}

function time(words: readonly string[], home: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { env: { ...process.env, POSTERN_HOME: home } });
  if (status !== 0) throw new Error(stderr.toString());
  return performance.now() - start;
}
