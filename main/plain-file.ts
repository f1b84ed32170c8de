import { closeSync, constants, fstatSync, lstatSync, openSync, promises, readSync } from 'node:fs';
import type { Stats } from 'node:fs';

export interface ReadOptions {
  /** Bytes, whatever size the file reports. */
  readonly limit: number;
  /**
   * True reads the target of a symbolic link; false refuses links (`linkErrorCode`), as for all files of the profile.
   */
  readonly follow: boolean;
  /** Inspects the open file before it is read; throws to refuse it. */
  readonly check?: (stats: Stats) => void;
}

/** Error `code` for anything but a regular file (BSD's name for it). Opening a socket fails with ENXIO instead. */
export const notAFileCode = 'EFTYPE';

/** Error `code` for a link in place of one of our files. */
export const linkErrorCode = 'ELOOP';

/** Open flag: without it, opening a named pipe that has no writer would block forever. */
export const nonBlocking = constants.O_NONBLOCK ?? 0;

/**
 * The bytes of a regular file; `undefined` if there are more than `limit`. Pipes, sockets, devices and folders are
 * refused, because they may never end or never respond. Errors: those of the file system, and `notAFileCode`.
 */
export async function readPlainFile(file: string, { limit, follow, check }: ReadOptions): Promise<Buffer | undefined> {
  if (!follow) refuseLinks(file);
  const handle = await promises.open(file, readingFlags(follow));
  try {
    const stats = await handle.stat();
    requirePlainFile(stats, file);
    check?.(stats);
    const chunks = new Chunks(stats.size, limit);
    while (chunks.wantsMore()) chunks.add((await handle.read(chunks.next)).bytesRead);
    return chunks.toBuffer();
  } finally {
    await handle.close();
  }
}

/** Synchronous version of `readPlainFile`. */
export function readPlainFileSync(file: string, { limit, follow }: ReadOptions): Buffer | undefined {
  if (!follow) refuseLinks(file);
  const descriptor = openSync(file, readingFlags(follow));
  try {
    const stats = fstatSync(descriptor);
    requirePlainFile(stats, file);
    const chunks = new Chunks(stats.size, limit);
    while (chunks.wantsMore()) chunks.add(readSync(descriptor, chunks.next));
    return chunks.toBuffer();
  } finally {
    closeSync(descriptor);
  }
}

/** Refuses anything but a regular file. Errors: `notAFileCode`. */
export function requirePlainFile(stats: Stats, file: string): void {
  if (!stats.isFile()) throw Object.assign(new Error('not an ordinary file'), { code: notAFileCode, path: file });
}

/**
 * Checks a path before other code opens it; a missing file is fine. Also refuses symbolic links, and hard links, which
 * may be in another user's folder. Errors: `notAFileCode`, `linkErrorCode`.
 */
export function requirePlainFileIfExists(file: string): void {
  refuseLinks(file);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  requirePlainFile(stats, file);
  refuseHardLinks(stats, file);
}

/** Refuses a file with several hard links, one of which may be in another user's folder. Errors: `linkErrorCode`. */
export function refuseHardLinks(stats: Stats, file: string): void {
  if (stats.nlink > 1) throw linkError(file);
}

/** Needed because Windows has no O_NOFOLLOW. Errors: `linkErrorCode`. */
export function refuseLinks(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw linkError(file);
}

function linkError(file: string): Error {
  return Object.assign(new Error('a link'), { code: linkErrorCode, path: file });
}

function readingFlags(follow: boolean): number {
  return constants.O_RDONLY | nonBlocking | (follow ? 0 : (constants.O_NOFOLLOW ?? 0));
}

/** Collects what is read: a file may grow meanwhile, and some files report a size of 0. */
class Chunks {
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #isEnded = false;
  next: Buffer;

  constructor(size: number, limit: number) {
    this.#limit = limit;
    this.#isEnded = size > limit;
    this.#length = this.#isEnded ? size : 0;
    // One byte more than expected, so that the next read shows the end.
    this.next = Buffer.allocUnsafe(this.#isEnded ? 0 : size + 1);
  }

  wantsMore(): boolean {
    return !this.#isEnded && this.#length <= this.#limit;
  }

  add(bytes: number): void {
    this.#isEnded = bytes === 0;
    this.#length += bytes;
    this.#chunks.push(this.next.subarray(0, bytes));
    this.next = Buffer.allocUnsafe(64 * 1024);
  }

  toBuffer(): Buffer | undefined {
    return this.#length > this.#limit ? undefined : Buffer.concat(this.#chunks);
  }
}

/** Makes a rename in `folder` survive a power loss. Windows cannot open folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await promises.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
