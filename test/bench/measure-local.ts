import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { LocalProcessListener, LocalServers } from '../../main/local-ports.ts';
import { endOrphans } from '../../main/local/child-pid-file.ts';
import { createLocalServers } from '../../main/local/local-servers.ts';

/**
 * The cost of local servers on Linux: `npx node test/bench/measure-local.ts [--only idle|output|crashes|orphans]…
 * [--gigabytes 10] [--starts 200]`. Each line ends with the expected value.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: ['idle', 'output', 'crashes', 'orphans'] },
    gigabytes: { type: 'string', default: '10' },
    starts: { type: 'string', default: '200' },
    /** Internal: starts one server in this folder and waits to be killed. */
    run: { type: 'string' },
  },
});

const mebibyte = 1_048_576;
const silent: LocalProcessListener = { onLine: async () => 'message', onTooLong: () => {}, onEnd: () => {} };
const never = new AbortController().signal;

async function start(local: LocalServers, id: string, words: readonly string[], hearing = silent) {
  const [path = '', ...rest] = words;
  const command = { command: path, path, arguments: rest, variables: [] };
  return await local.start({ id, read: async () => ({ id, command, values: {} }) }, hearing, never);
}

/** Proportional set size of a process in kibibytes. */
function memoryOf(pid: number): number {
  return Number(/^Pss:\s+(\d+)/mu.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
}

async function idle(folder: string): Promise<void> {
  const local = createLocalServers(folder);
  const words = [process.execPath, '-e', 'process.stdin.resume()'];
  // The first one loads modules, which is not a cost of the others.
  await start(local, 'first', words);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const ids = Array.from({ length: 49 }, (_, index) => `server ${index}`);
  for (const id of ids) await start(local, id, words);
  await pause(2_000);
  globalThis.gc?.();
  const ours = process.memoryUsage.rss() - before;
  const pids = ids.flatMap((id) => local.status(id).processes.map(({ pid }) => pid));
  const theirs = pids.reduce((sum, pid) => sum + memoryOf(pid), 0) / 1_024;
  const used = process.cpuUsage();
  const seconds = 20;
  await pause(seconds * 1_000);
  const { user, system } = process.cpuUsage(used);
  const share = ((user + system) / (seconds * 1e6)) * 100;
  console.log(
    `idle: 50 servers, ${theirs.toFixed(0)} MB in their processes, ${(ours / mebibyte).toFixed(1)} MB more in ours, ${share.toFixed(2)} % of a core in ours (0)`,
  );
  await local.close();
}

async function output(folder: string, gigabytes: number): Promise<void> {
  const local = createLocalServers(folder);
  const script = `const chunk = Buffer.alloc(1048576, 'x');
    const write = (to, left, then) => left === 0 ? then() : to.write(chunk, () => write(to, left - 1, then));
    const half = ${Math.round(gigabytes * 512)};
    write(process.stderr, half, () => write(process.stdout, half, () => process.stdout.write('\\n{"jsonrpc":"2.0","method":"end"}\\n')));
    process.stdin.resume();`;
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const hearing: LocalProcessListener = {
    ...silent,
    async onLine(bytes) {
      if (bytes.includes('"end"')) resolve();
      return 'message';
    },
  };
  let most = 0;
  const before = process.memoryUsage.rss();
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50);
  const began = performance.now();
  await start(local, 'flood', [process.execPath, '-e', script], hearing);
  await end;
  clearInterval(looking);
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  console.log(
    `output: ${gigabytes} GB, half to standard error and half in one line, in ${seconds} s; at most ${((most - before) / mebibyte).toFixed(0)} MB more in ours, ${(local.output('flood').text.length / mebibyte).toFixed(1)} MB retained (bounded)`,
  );
  await local.close();
}

async function crashes(folder: string): Promise<void> {
  const local = createLocalServers(folder);
  const began = performance.now();
  let starts = 0;
  for (;;) {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    try {
      await start(local, 'crash', ['/bin/false'], { ...silent, onEnd: () => resolve() });
    } catch (error) {
      const { code } = error as { code?: unknown };
      console.log(
        `crashes: ${starts} starts in ${((performance.now() - began) / 1_000).toFixed(0)} s, then ${String(code)} and "${local.status('crash').state}" (5, failed)`,
      );
      return await local.close();
    }
    starts += 1;
    await ended;
  }
}

/** Kills a Postern after each start; the next one cleans up its orphans. */
async function orphans(folder: string, starts: number): Promise<void> {
  const groups: number[] = [];
  for (let count = 0; count < starts; count += 1) {
    const words = [fileURLToPath(import.meta.url), '--run', folder];
    const postern = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const firstOutput = await once(postern.stdout, 'data');
    groups.push(Number(String(firstOutput[0])));
    postern.kill('SIGKILL');
    await once(postern, 'exit');
  }
  const left = (): number => livingIn(new Set(groups));
  const before = left();
  await endOrphans(folder);
  for (let tries = 0; tries < 100 && left() > 0; tries += 1) await pause(100);
  console.log(
    `orphans: ${starts} starts, ${before} processes left by the last kill, ${left()} after the next start (0)`,
  );
}

/** Live processes in these groups: a server and its children. A zombie has ended (proc(5), stat). */
function livingIn(groups: ReadonlySet<number>): number {
  const stats = readdirSync('/proc').flatMap((name) => {
    try {
      return /^\d+$/u.test(name) ? [readFileSync(`/proc/${name}/stat`, 'latin1')] : [];
    } catch {
      return [];
    }
  });
  const fields = stats.map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '));
  return fields.filter(([state, , group]) => state !== 'Z' && groups.has(Number(group))).length;
}

async function runOnce(folder: string): Promise<void> {
  await endOrphans(folder);
  const local = createLocalServers(folder);
  await start(local, 'one', ['/bin/sh', '-c', 'sleep 1000 & exec sleep 1000']);
  const [running] = local.status('one').processes;
  process.stdout.write(`${running?.pid ?? 0}\n`);
  await pause(600_000);
}

if (values.run !== undefined) await runOnce(values.run);
else {
  const folder = mkdtempSync(join(tmpdir(), 'postern-local-'));
  try {
    for (const part of values.only) {
      if (part === 'idle') await idle(folder);
      if (part === 'output') await output(folder, Number(values.gigabytes));
      if (part === 'crashes') await crashes(folder);
      if (part === 'orphans') await orphans(folder, Number(values.starts));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
