import { constants, readdirSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { activityCallSchema } from '../../../shared/activity.ts';
import type { ActivityCall } from '../../../shared/activity.ts';
import { activityBounds, activityFiles } from '../../../shared/bounds.ts';
import type { ActivityStore } from '../../gateway-ports.ts';
import { refuseLinks, requirePlainFile, refuseHardLinks, nonBlocking } from '../../plain-file.ts';
import { makeFolder } from '../files/file-system-error.ts';

interface OpenActivityStore extends ActivityStore {
  /** Resolves when all calls so far are written, or writing them has failed. Never rejects. */
  flush(): Promise<void>;
}

interface ActivityStoreOptions {
  readonly profileFolder: string;
  /** Whether the user wants calls to be recorded. */
  readonly isEnabled: () => Promise<boolean>;
}

/**
 * Writes calls later, in batches, to files of mode 0600 in a folder of mode 0700. Only the gateway process writes. A
 * full disk loses log lines, but never affects a call.
 */
export function openActivityStore({ profileFolder, isEnabled }: ActivityStoreOptions): OpenActivityStore {
  const folder = activityFolder(profileFolder);
  const waiting: ActivityCall[] = [];
  /** Number of the last file that was written. */
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
    // An unreadable setting means no consent.
    if (!(await isEnabled().catch(() => false))) return;
    makeFolder(folder, 'storage');
    const numbers = activityNumbers(folder);
    // The log was deleted meanwhile, so drop the calls that were about to be written.
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
      // The queue only gets this long if the disk hangs.
      if (waiting.length >= activityFiles.waiting) return;
      waiting.push(call);
      timer ??= setTimeout(() => void flush(), activityFiles.pause).unref();
    },
  };
}

/** Appends to a log file; false if it would get too large. A line that a crash cut off is ended first. */
async function append(file: string, text: string): Promise<boolean> {
  refuseLinks(path.dirname(file));
  refuseLinks(file);
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | nonBlocking;
  const handle = await open(file, flags, 0o600);
  try {
    const stats = await handle.stat();
    requirePlainFile(stats, file);
    refuseHardLinks(stats, file);
    const bytes = Buffer.from((await endsMidLine(handle, stats.size)) ? `\n${text}` : text);
    if (stats.size > 0 && stats.size + bytes.byteLength > activityFiles.bytes) return false;
    await handle.appendFile(bytes);
    return true;
  } finally {
    await handle.close();
  }
}

const newline = 0x0a;

async function endsMidLine(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  await handle.read(last, 0, 1, size - 1);
  return last[0] !== newline;
}

/** The newest calls, numbered in the order in which they were recorded. */
interface ActivityPage {
  /** Number of the oldest call that still exists; readers should drop older ones. */
  readonly first: number;
  /** Number of the newest call. */
  readonly last: number;
  /** Oldest first. */
  readonly calls: readonly ActivityCall[];
}

/** Reads the log that the gateway process writes, incrementally. Each reader needs its own instance. */
export class ActivityReader {
  readonly #lines: ActivityLines;
  #calls: readonly ActivityCall[] = [];
  #last = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(profileFolder: string) {
    this.#lines = new ActivityLines(profileFolder);
  }

  /** Calls numbered higher than `after`. Never rejects: unreadable calls are skipped. */
  async read(after = 0): Promise<ActivityPage> {
    this.#reading = this.#reading.then(() => this.#catchUp()).catch(() => {});
    await this.#reading;
    const first = this.#last - this.#calls.length + 1;
    return { first, last: this.#last, calls: this.#calls.slice(Math.max(0, after - first + 1)) };
  }

  async #catchUp(): Promise<void> {
    let lines: readonly string[] = [];
    if (this.#last === 0) await this.#lines.skipTo(retainedLines);
    await this.#lines.readNew({
      onDeleted: () => void (this.#calls = []),
      onLines: (read) => void (lines = [...lines, ...read].slice(-retainedLines)),
    });
    const added = lines.flatMap(readLine);
    this.#last += added.length;
    this.#calls = [...this.#calls, ...added].slice(-activityBounds.calls);
  }
}

interface LineHandlers {
  /** The log was deleted: whatever was read before is gone. */
  readonly onDeleted: () => void;
  /** The new lines of one file. */
  readonly onLines: (lines: readonly string[]) => Promise<void> | void;
  /** Skips files that were last written before, in milliseconds since 1970. */
  readonly since?: number;
}

/** Reads the log file by file, in the order of the calls; each line once. */
export class ActivityLines {
  readonly #folder: string;
  #position: { readonly number: number; readonly offset: number } | undefined;

  constructor(profileFolder: string) {
    this.#folder = activityFolder(profileFolder);
  }

  /** Skips everything before the last `count` lines. Errors: those of the file system. */
  async skipTo(count: number): Promise<void> {
    let left = count;
    for (const number of activityNumbers(this.#folder).toReversed()) {
      const bytes = await readFrom(activityFile(this.#folder, number), 0);
      for (let at = bytes.length; at > 0 && left >= 0; left -= 1) {
        at = bytes.lastIndexOf(newline, at - 1);
        this.#position = { number, offset: at + 1 };
      }
      if (left < 0) return;
    }
  }

  /** Reads what was written since the last time. Errors: those of the file system. */
  async readNew({ onDeleted, onLines, since = 0 }: LineHandlers): Promise<void> {
    const numbers = activityNumbers(this.#folder);
    if (this.#position && !numbers.includes(this.#position.number)) {
      this.#position = undefined;
      onDeleted();
    }
    for (const number of numbers) {
      const { number: reached = number, offset = 0 } = this.#position ?? {};
      const file = activityFile(this.#folder, number);
      if (number < reached || (since > 0 && (await stat(file)).mtimeMs < since)) continue;
      const from = number === reached ? offset : 0;
      const bytes = await readFrom(file, from);
      // An incomplete last line may still be completed; in an older file it was cut off.
      const end = bytes.lastIndexOf(newline) + 1;
      this.#position = { number, offset: from + end };
      await onLines(bytes.subarray(0, end).toString('utf8').split('\n'));
    }
  }
}

/** Some lines are not calls: the ends of files, and lines that a crash cut off. */
const retainedLines = activityBounds.calls + 100;

/** The call of a line; none if it is not one. */
export function readLine(line: string): readonly ActivityCall[] {
  if (line === '' || line.length > activityFiles.line) return [];
  try {
    return [activityCallSchema.parse(JSON.parse(line))];
  } catch {
    return [];
  }
}

/** Reads a log file from `offset`. Errors: those of the file system. */
async function readFrom(file: string, offset: number): Promise<Buffer> {
  refuseLinks(file);
  const handle = await open(file, constants.O_RDONLY | nonBlocking | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = await handle.stat();
    requirePlainFile(stats, file);
    const length = Math.min(Math.max(0, stats.size - offset), activityFiles.bytes);
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await handle.read(bytes, 0, length, offset);
    return bytes.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** `DIR/activity/`: calls as JSON lines, in files whose numbers only grow. */
export function activityFolder(profileFolder: string): string {
  return path.join(profileFolder, 'activity');
}

/** Numbers of the existing files, oldest first. Empty if the folder is a link or unreadable. */
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
