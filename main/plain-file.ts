import { closeSync, constants, fstatSync, lstatSync, openSync, promises, readSync } from 'node:fs';
import type { Stats } from 'node:fs';

export interface ReadOptions {
  /** Bytes, whatever size the file says that it has. */
  readonly limit: number;
  /** Of a symbolic link: reads what it names. Else it is refused (`aLink`); so are all files of the profile. */
  readonly follow: boolean;
  /** Looks at what is open before anything of it is read, and throws what speaks against it. */
  readonly check?: (stats: Stats) => void;
}

/** The `code` of the error for what is no ordinary file (the name that BSD has for it). Opening a socket says ENXIO. */
export const notAFile = 'EFTYPE';

/** The `code` of the error for a link where a file of ours should be. */
export const aLink = 'ELOOP';

/** Added to the flags of an opening: a pipe that nobody writes to would be waited for without end. */
export const unblocking = constants.O_NONBLOCK ?? 0;

/**
 * The bytes of an ordinary file; `undefined` when there are more than `limit`. A pipe, a socket, a device or a folder,
 * which may have no end or answer never, is refused. Errors: those of the file system, and `notAFile`.
 */
export async function readPlainFile(file: string, { limit, follow, check }: ReadOptions): Promise<Buffer | undefined> {
  if (!follow) refuseLinks(file);
  const handle = await promises.open(file, readingFlags(follow));
  try {
    const stats = await handle.stat();
    refuseOthers(stats, file);
    check?.(stats);
    const chunks = new Chunks(stats.size, limit);
    while (chunks.wants()) chunks.add((await handle.read(chunks.next)).bytesRead);
    return chunks.whole();
  } finally {
    await handle.close();
  }
}

/** The same, at once. */
export function readPlainFileSync(file: string, { limit, follow }: ReadOptions): Buffer | undefined {
  if (!follow) refuseLinks(file);
  const descriptor = openSync(file, readingFlags(follow));
  try {
    const stats = fstatSync(descriptor);
    refuseOthers(stats, file);
    const chunks = new Chunks(stats.size, limit);
    while (chunks.wants()) chunks.add(readSync(descriptor, chunks.next));
    return chunks.whole();
  } finally {
    closeSync(descriptor);
  }
}

/** Refuses what is opened, or stands there, and is no ordinary file. Errors: `notAFile`. */
export function refuseOthers(stats: Stats, file: string): void {
  if (!stats.isFile()) throw Object.assign(new Error('not an ordinary file'), { code: notAFile, path: file });
}

/**
 * The same for a path, before somebody else opens it; nothing there is well. A link is refused too, and a file with
 * another name, which may stand in a folder of somebody else's. Errors: `notAFile`, `aLink`.
 */
export function refuseUnlessFileOrNothing(file: string): void {
  refuseLinks(file);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  refuseOthers(stats, file);
  refuseSecondNames(stats, file);
}

/** Refuses an ordinary file that has another name, which may stand in a folder of somebody else's. Errors: `aLink`. */
export function refuseSecondNames(stats: Stats, file: string): void {
  if (stats.nlink > 1) throw isALink(file);
}

/** Windows has no flag for it. Errors: `aLink`. */
export function refuseLinks(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw isALink(file);
}

function isALink(file: string): Error {
  return Object.assign(new Error('a link'), { code: aLink, path: file });
}

function readingFlags(follow: boolean): number {
  return constants.O_RDONLY | unblocking | (follow ? 0 : (constants.O_NOFOLLOW ?? 0));
}

/** What has been read so far: a file may grow meanwhile, and some say that they have no bytes. */
class Chunks {
  readonly #limit: number;
  readonly #read: Buffer[] = [];
  #length = 0;
  #ended = false;
  next: Buffer;

  constructor(size: number, limit: number) {
    this.#limit = limit;
    this.#ended = size > limit;
    this.#length = this.#ended ? size : 0;
    // One byte more than expected, so that the end shows in the next reading.
    this.next = Buffer.allocUnsafe(this.#ended ? 0 : size + 1);
  }

  wants(): boolean {
    return !this.#ended && this.#length <= this.#limit;
  }

  add(bytes: number): void {
    this.#ended = bytes === 0;
    this.#length += bytes;
    this.#read.push(this.next.subarray(0, bytes));
    this.next = Buffer.allocUnsafe(64 * 1024);
  }

  whole(): Buffer | undefined {
    return this.#length > this.#limit ? undefined : Buffer.concat(this.#read);
  }
}

/** Makes a rename in `folder` last through a power cut. Windows opens no folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await promises.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
