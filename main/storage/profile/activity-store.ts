import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { activityFiles } from '../../../shared/activity-bounds.ts';
import type { ActivityCall } from '../../../shared/activity.ts';
import type { ActivityStore } from '../../gateway-ports.ts';
import { refuseLinks, refuseOthers, refuseSecondNames, unblocking } from '../../plain-file.ts';
import { activityFile, activityFolder, activityNumbers } from './activity-files.ts';
import { makeFolder } from '../files/make-folder.ts';

export interface OpenActivityStore extends ActivityStore {
  /** Resolves when what was noted so far is written, or cannot be. Never rejects. */
  flush(): Promise<void>;
}

export interface ActivityStoreOptions {
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
