import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { activityBounds, activityFiles } from '../../../shared/activity-bounds.ts';
import { activityCallSchema } from '../../../shared/activity.ts';
import type { ActivityCall } from '../../../shared/activity.ts';
import { refuseLinks, refuseOthers, unblocking } from '../../plain-file.ts';
import { activityFile, activityFolder, activityNumbers } from './activity-files.ts';

/** The newest calls, numbered in the order in which they were noted. */
export interface ReadActivity {
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
