import { constants, readdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { activityCallSchema } from '../../../shared/activity.ts';
import type { ActivityCall } from '../../../shared/activity.ts';
import { activityBounds, activityFiles } from '../../../shared/bounds.ts';
import type { ActivityStore } from '../../gateway-ports.ts';
import { refuseLinks, refuseOthers, refuseSecondNames, unblocking } from '../../plain-file.ts';
import { makeFolder } from '../files/file-system-error.ts';

interface OpenActivityStore extends ActivityStore {
  /** Resolves when what was noted so far is written, or cannot be. Never rejects. */
  flush(): Promise<void>;
}

interface ActivityStoreOptions {
  readonly profileFolder: string;
  /** Whether the person wants calls noted. */
  readonly isOn: () => Promise<boolean>;
}

/**
 * Writes calls behind, several at once, into files of 0600 in a folder of 0700. Only who serves programs writes. A disk
 * that is full loses lines, never a call.
 */
export function openActivityStore({ profileFolder, isOn }: ActivityStoreOptions): OpenActivityStore {
  const folder = activityFolder(profileFolder);
  const waiting: ActivityCall[] = [];
  /** The file that has been written to. */
  let current: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const calls = waiting.splice(0);
    if (calls.length > 0) writing = writing.then(() => write(calls)).catch(() => {});
    return writing;
  }

  async function write(calls: readonly ActivityCall[]): Promise<void> {
    // Unreadable means that nobody has said yes.
    if (!(await isOn().catch(() => false))) return;
    makeFolder(folder, 'storage');
    const numbers = activityNumbers(folder);
    // The log has been deleted, and what waited to be written with it.
    if (current !== undefined && !numbers.includes(current)) return void (current = undefined);
    const text = calls.map((call) => `${JSON.stringify(call)}\n`).join('');
    const newest = numbers.at(-1) ?? 1;
    const hasRoom = await append(activityFile(folder, newest), text);
    current = hasRoom ? newest : newest + 1;
    if (hasRoom) return;
    await append(activityFile(folder, current), text);
    for (const old of numbers.slice(0, 1 - activityFiles.count)) await rm(activityFile(folder, old), { force: true });
  }

  return {
    flush,
    add(call) {
      // So many wait only where the disk does not answer.
      if (waiting.length >= activityFiles.waiting) return;
      waiting.push(call);
      timer ??= setTimeout(() => void flush(), activityFiles.pause).unref();
    },
  };
}

/** Adds to a file of ours; false where it would be too large then. What a crash has cut off gets an end of its own. */
async function append(file: string, text: string): Promise<boolean> {
  refuseLinks(path.dirname(file));
  refuseLinks(file);
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | unblocking;
  const handle = await open(file, flags, 0o600);
  try {
    const stats = await handle.stat();
    refuseOthers(stats, file);
    refuseSecondNames(stats, file);
    const bytes = Buffer.from((await isTorn(handle, stats.size)) ? `\n${text}` : text);
    if (stats.size > 0 && stats.size + bytes.byteLength > activityFiles.bytes) return false;
    await handle.appendFile(bytes);
    return true;
  } finally {
    await handle.close();
  }
}

async function isTorn(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** The newest calls, numbered in the order in which they were noted. */
interface ReadActivity {
  /** Number of the oldest that is still there; whoever has older ones lets them go. */
  readonly first: number;
  /** Number of the newest. */
  readonly last: number;
  /** Oldest first. */
  readonly calls: readonly ActivityCall[];
}

/** Reads what the process that serves programs has noted, and later what has been added. One for each reader. */
export class ActivityReader {
  readonly #folder: string;
  #calls: readonly ActivityCall[] = [];
  #last = 0;
  #place: { readonly number: number; readonly offset: number } | undefined;
  #reading: Promise<void> = Promise.resolve();

  constructor(profileFolder: string) {
    this.#folder = activityFolder(profileFolder);
  }

  /** Those after the call with the number `after`. Never rejects: what cannot be read is not there. */
  async read(after = 0): Promise<ReadActivity> {
    this.#reading = this.#reading.then(() => this.#catchUp()).catch(() => {});
    await this.#reading;
    const first = this.#last - this.#calls.length + 1;
    return { first, last: this.#last, calls: this.#calls.slice(Math.max(0, after - first + 1)) };
  }

  async #catchUp(): Promise<void> {
    const numbers = activityNumbers(this.#folder);
    if (this.#place && !numbers.includes(this.#place.number)) this.#forget();
    let lines: string[] = [];
    for (const number of numbers) {
      const { number: reached = number, offset = 0 } = this.#place ?? {};
      if (number < reached) continue;
      const from = number === reached ? offset : 0;
      const bytes = await readFrom(activityFile(this.#folder, number), from);
      // The rest of a line may still come; in a file that is done with, it was cut off.
      const end = bytes.lastIndexOf(0x0a) + 1;
      this.#place = { number, offset: from + end };
      lines = [...lines, ...bytes.subarray(0, end).toString('utf8').split('\n')].slice(-linesKept);
    }
    const fresh = lines.flatMap(readLine);
    this.#last += fresh.length;
    this.#calls = [...this.#calls, ...fresh].slice(-activityBounds.calls);
  }

  /** All of it was deleted. */
  #forget(): void {
    this.#place = undefined;
    this.#calls = [];
  }
}

/** Some are no calls: ends of files, and what a crash has cut off. */
const linesKept = activityBounds.calls + 100;

function readLine(line: string): readonly ActivityCall[] {
  if (line === '' || line.length > activityFiles.line) return [];
  try {
    return [activityCallSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}

/** The bytes of a file of ours from `offset` on. Errors: those of the file system. */
async function readFrom(file: string, offset: number): Promise<Buffer> {
  refuseLinks(file);
  const handle = await open(file, constants.O_RDONLY | unblocking | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = await handle.stat();
    refuseOthers(stats, file);
    const wanted = Math.min(Math.max(0, stats.size - offset), activityFiles.bytes);
    const bytes = Buffer.alloc(wanted);
    const { bytesRead } = await handle.read(bytes, 0, wanted, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** `DIR/activity/`: calls as JSON lines, in files with numbers that only grow, the newest with the largest. */
export function activityFolder(profileFolder: string): string {
  return path.join(profileFolder, 'activity');
}

/** Numbers of the files that are there, oldest first. Of a folder that a link names, or that cannot be read, none. */
export function activityNumbers(folder: string): readonly number[] {
  try {
    refuseLinks(folder);
    return readdirSync(folder)
      .flatMap((name) => /^(\d{8})\.jsonl$/u.exec(name)?.[1] ?? [])
      .map(Number)
      .toSorted((one, other) => one - other);
  } catch {
    return [];
  }
}

export function activityFile(folder: string, number: number): string {
  return path.join(folder, `${String(number).padStart(8, '0')}.jsonl`);
}
