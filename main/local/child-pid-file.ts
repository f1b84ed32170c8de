import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { windowsExecutables } from '../find-executable.ts';
import { localServerLimits } from '../local-ports.ts';
import { endGroup } from './child-process.ts';

const trackedProcessSchema = z.strictObject({
  pid: z.int().check(z.positive()),
  mark: z.string().check(z.maxLength(100)),
});
const pidFileSchema = z.strictObject({
  owner: trackedProcessSchema,
  children: z.array(trackedProcessSchema).check(z.maxLength(1_000)),
});

type TrackedProcess = z.infer<typeof trackedProcessSchema>;

const fileName = /^children-\d{1,10}\.json$/;

/**
 * A file with the child processes of this process, so that its successor can end them after a crash or kill. Each has a
 * mark that tells it from a later process with the same PID.
 */
export class ChildPidFile {
  readonly #folder: string;
  #children: readonly TrackedProcess[] = [];

  constructor(profileFolder: string) {
    this.#folder = path.join(profileFolder, 'run');
  }

  /** Writes at once, since a kill may come at any time. Never throws: at worst an orphan is left behind. */
  add(pid: number): void {
    const mark = processMark(pid);
    if (mark === undefined) return;
    this.#children = [...this.#children, { pid, mark }];
    this.#write();
  }

  remove(pid: number): void {
    this.#children = this.#children.filter((child) => child.pid !== pid);
    this.#write();
  }

  #write(): void {
    const file = path.join(this.#folder, `children-${process.pid}.json`);
    try {
      if (this.#children.length === 0) return rmSync(file, { force: true });
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      const contents = { owner: { pid: process.pid, mark: processMark(process.pid) ?? '' }, children: this.#children };
      writeFileSync(file, JSON.stringify(contents), { mode: 0o600 });
    } catch {
      // Best effort.
    }
  }
}

/**
 * Ends child processes whose parent is gone, if PID and mark still match. Never rejects. If the system does not report
 * what runs, the file stays for the next time.
 */
export async function endOrphans(profileFolder: string): Promise<void> {
  const folder = path.join(profileFolder, 'run');
  for (const name of listNames(folder)) {
    if (!fileName.test(name)) continue;
    const file = path.join(folder, name);
    const contents = readPidFile(file);
    const running = contents && (await findRunning([contents.owner, ...contents.children]));
    if (contents && (!running || running.includes(contents.owner))) continue;
    for (const child of contents?.children ?? []) if (running?.includes(child)) endGroup(child.pid, 'SIGKILL');
    try {
      rmSync(file, { force: true });
    } catch {
      // Retried the next time.
    }
  }
}

/**
 * On Linux the start time in ticks (proc(5)); `undefined` if the process does not run. Elsewhere only a subprocess
 * could find that out, so the mark is the current time, in milliseconds since 1970: a process with this PID that
 * started before it is the same one.
 */
export function processMark(pid: number): string | undefined {
  return process.platform === 'linux' ? startTick(pid) : String(Date.now());
}

/** Those still running; `undefined` if the system does not report it. */
export async function findRunning(
  tracked: readonly TrackedProcess[],
  platform = process.platform,
): Promise<readonly TrackedProcess[] | undefined> {
  if (platform === 'linux') return tracked.filter(({ pid, mark }) => startTick(pid) === mark);
  const starts = await startTimes(
    tracked.map(({ pid }) => pid),
    platform,
  );
  return starts && tracked.filter(({ pid, mark }) => (starts.get(pid) ?? Infinity) <= Number(mark));
}

/** proc(5): the name in parentheses may contain anything; field 22 is the start time since boot. A zombie has ended. */
function startTick(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Start times of the running ones, in milliseconds since 1970; one system query for all. */
async function startTimes(
  pids: readonly number[],
  platform: NodeJS.Platform,
): Promise<ReadonlyMap<number, number> | undefined> {
  const options = { timeout: localServerLimits.systemQuery, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC0' } };
  const pidList = pids.join(',');
  const isWindows = platform === 'win32';
  const [file, words]: [string, readonly string[]] = isWindows
    ? [
        path.win32.join(windowsExecutables(process.env), String.raw`WindowsPowerShell\v1.0\powershell.exe`),
        ['-NoProfile', '-NonInteractive', '-Command', powerShellQuery(pidList)],
      ]
    : ['/bin/ps', ['-o', 'pid=,lstart=', '-p', pidList]];
  const result = await promisify(execFile)(file, words, { ...options, windowsHide: true }).catch((error: unknown) =>
    // ps exits with 1 if none of them runs.
    !isWindows && (error as { code?: unknown }).code === 1 ? { stdout: '' } : undefined,
  );
  if (!result) return undefined;
  const lines = [...result.stdout.matchAll(/^\s*(\d+)\s+(\S.*?)\s*$/gmu)];
  const time = (text: string): number => (isWindows ? Number(text) : Date.parse(`${text} UTC`));
  return new Map(lines.map(([, pid, started = '']) => [Number(pid), time(started)]));
}

function powerShellQuery(pidList: string): string {
  const line = '"$($_.Id) $(([DateTimeOffset]$_.StartTime).ToUnixTimeMilliseconds())"';
  return `Get-Process -Id ${pidList} -ErrorAction SilentlyContinue | Where-Object StartTime | ForEach-Object { ${line} }`;
}

function readPidFile(file: string): z.infer<typeof pidFileSchema> | undefined {
  try {
    return pidFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
