import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { windowsPrograms } from '../find-program.ts';
import { localServers } from '../local-ports.ts';
import { endGroup } from './child-process.ts';

const process_ = z.strictObject({ pid: z.int().check(z.positive()), mark: z.string().check(z.maxLength(100)) });
const notesSchema = z.strictObject({ owner: process_, children: z.array(process_).check(z.maxLength(1_000)) });

type Noted = z.infer<typeof process_>;

const fileName = /^children-\d{1,10}\.json$/;

/**
 * The processes that this process has started, for the next one to end: a kill leaves no time for it. Each is noted with
 * a mark that a later process with its number does not have.
 */
export class ChildNotes {
  readonly #folder: string;
  #children: readonly Noted[] = [];

  constructor(profileFolder: string) {
    this.#folder = path.join(profileFolder, 'run');
  }

  /** At once, since a kill may come at any time. Never throws: at worst one that is killed leaves something behind. */
  add(pid: number): void {
    const mark = markOf(pid);
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
      const notes = { owner: { pid: process.pid, mark: markOf(process.pid) ?? '' }, children: this.#children };
      writeFileSync(file, JSON.stringify(notes), { mode: 0o600 });
    } catch {
      // See above.
    }
  }
}

/**
 * Ends what processes of ours that are gone have left: what still has its number and its mark. Never rejects; where the
 * system does not say what runs, the notes stay for the next time.
 */
export async function endOrphans(profileFolder: string): Promise<void> {
  const folder = path.join(profileFolder, 'run');
  for (const name of namesIn(folder)) {
    if (!fileName.test(name)) continue;
    const file = path.join(folder, name);
    const notes = read(file);
    const running = notes && (await findRunning([notes.owner, ...notes.children]));
    if (notes && (!running || running.includes(notes.owner))) continue;
    for (const child of notes?.children ?? []) if (running?.includes(child)) endGroup(child.pid, 'SIGKILL');
    try {
      rmSync(file, { force: true });
    } catch {
      // It is looked at again the next time.
    }
  }
}

/**
 * On Linux the tick at which the process started (proc(5)); `undefined` where none runs. Elsewhere only another process
 * could ask for that, so it is the moment of the note, in milliseconds since 1970: whatever has the number and started
 * before is that process.
 */
export function markOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startTick(pid) : String(Date.now());
}

/** Those that run. `undefined`: the system does not say. */
export async function findRunning(
  noted: readonly Noted[],
  platform = process.platform,
): Promise<readonly Noted[] | undefined> {
  if (platform === 'linux') return noted.filter(({ pid, mark }) => startTick(pid) === mark);
  const starts = await startTimes(
    noted.map(({ pid }) => pid),
    platform,
  );
  return starts && noted.filter(({ pid, mark }) => (starts.get(pid) ?? Infinity) <= Number(mark));
}

/** proc(5): the name in parentheses may hold anything; the 22nd field is the start since boot. A zombie has ended. */
function startTick(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** When these started, in milliseconds since 1970, for those that run; asked of the system once for all. */
async function startTimes(
  pids: readonly number[],
  platform: NodeJS.Platform,
): Promise<ReadonlyMap<number, number> | undefined> {
  const options = { timeout: localServers.systemQuery, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC0' } };
  const listed = pids.join(',');
  const isWindows = platform === 'win32';
  const [file, words]: [string, readonly string[]] = isWindows
    ? [
        path.win32.join(windowsPrograms(process.env), String.raw`WindowsPowerShell\v1.0\powershell.exe`),
        ['-NoProfile', '-NonInteractive', '-Command', powerShellQuery(listed)],
      ]
    : ['/bin/ps', ['-o', 'pid=,lstart=', '-p', listed]];
  const said = await promisify(execFile)(file, words, { ...options, windowsHide: true }).catch((error: unknown) =>
    // ps fails with 1 where none of them runs.
    !isWindows && (error as { code?: unknown }).code === 1 ? { stdout: '' } : undefined,
  );
  if (!said) return undefined;
  const lines = [...said.stdout.matchAll(/^\s*(\d+)\s+(\S.*?)\s*$/gmu)];
  const time = (text: string): number => (isWindows ? Number(text) : Date.parse(`${text} UTC`));
  return new Map(lines.map(([, pid, started = '']) => [Number(pid), time(started)]));
}

function powerShellQuery(listed: string): string {
  const line = '"$($_.Id) $(([DateTimeOffset]$_.StartTime).ToUnixTimeMilliseconds())"';
  return `Get-Process -Id ${listed} -ErrorAction SilentlyContinue | Where-Object StartTime | ForEach-Object { ${line} }`;
}

function read(file: string): z.infer<typeof notesSchema> | undefined {
  try {
    return notesSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
