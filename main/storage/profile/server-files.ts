import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { CatalogStore, CachedCatalog } from '../../gateway-ports.ts';
import { catalogEntries, catalogFileBytes, catalogKeyLength } from '../../limits.ts';
import { readPlainFile, refuseLinks } from '../../plain-file.ts';
import type { IntegrationStore, Locks, PinStore, ToolPins } from '../../ports.ts';
import { makeFolder } from '../files/file-system-error.ts';
import { replaceFile } from '../files/replace-file.ts';

/** One JSON file per server, mode 0600, in a folder of the profile. Links are not followed. */
export interface ServerFiles {
  readonly folder: string;
  /** `undefined`: there is no file. Throws if the file is unreadable. */
  read(id: string): Promise<unknown>;
  write(id: string, value: unknown): Promise<void>;
  remove(...ids: readonly string[]): Promise<void>;
  /** Paths of all files, including leftovers of a crash. */
  all(): Promise<readonly string[]>;
  /** Removes the files of all other servers. */
  retain(ids: ReadonlySet<string>): Promise<void>;
}

/** The servers that are listed, or whose deletion is pending. */
export type ListedServers = Pick<IntegrationStore, 'list' | 'read' | 'pendingDeletions' | 'isListComplete'>;

/** @param limit - Bytes; a longer file is not read. */
export function openServerFiles(folder: string, limit: number): ServerFiles {
  const fileOf = (id: string): string => path.join(folder, `${id}.json`);
  const names = async (): Promise<readonly string[]> => {
    try {
      refuseLinks(folder);
      return (await readdir(folder)).filter((name) => /^[a-z0-9-]{1,64}\.json(?:\.tmp-.*)?$/u.test(name));
    } catch {
      return [];
    }
  };
  return {
    folder,
    async read(id) {
      const bytes = await bytesOf(folder, fileOf(id), limit);
      return bytes && JSON.parse(bytes.toString('utf8'));
    },
    async write(id, value) {
      makeFolder(folder, 'storage');
      refuseLinks(folder);
      await replaceFile(fileOf(id), Buffer.from(JSON.stringify(value)));
    },
    async remove(...ids) {
      for (const id of ids) await rm(fileOf(id), { force: true });
    },
    async all() {
      return (await names()).map((name) => path.join(folder, name));
    },
    async retain(ids) {
      const stale = (await names()).filter((name) => !ids.has(name.replace(/\.json.*$/u, '')));
      await Promise.allSettled(stale.map((name) => rm(path.join(folder, name), { force: true })));
    },
  };
}

/** Removes files of servers that are no longer listed; removes nothing while the list cannot be read completely. */
export async function sweepServerFiles(files: ServerFiles, list: ListedServers): Promise<void> {
  try {
    const pending = (await list.pendingDeletions()).map(({ integration }) => integration);
    const listed = new Set([...pending, ...(await list.list())].map(({ id }) => id));
    if (await list.isListComplete()) await files.retain(listed);
  } catch {
    // Next time.
  }
}

async function bytesOf(folder: string, file: string, limit: number): Promise<Buffer | undefined> {
  try {
    refuseLinks(folder);
    const bytes = await readPlainFile(file, { limit, follow: false });
    if (bytes) return bytes;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  throw new Error(`${file} is too long, or no plain file`);
}

const catalogSchema = z.strictObject({
  owner: z.string(),
  entries: z
    .array(z.tuple([z.string().check(z.maxLength(catalogKeyLength)), z.string()]))
    .check(z.maxLength(catalogEntries)),
});

/** The last listings of servers, in one file per server below `catalog/`. Losing them is harmless. */
export function openCatalogStore(profileFolder: string): CatalogStore {
  const { read, write, remove, retain } = openCatalogFiles(profileFolder);
  return {
    async read(id): Promise<CachedCatalog | undefined> {
      return catalogSchema.safeParse(await read(id).catch(() => undefined)).data;
    },
    write,
    forget: (id) => remove(id).catch(() => {}),
    retain,
  };
}

export function openCatalogFiles(profileFolder: string): ServerFiles {
  return openServerFiles(path.join(profileFolder, 'catalog'), catalogFileBytes);
}

interface PinStoreOptions {
  readonly profileFolder: string;
  readonly locks: Locks;
  /** Pins of servers that are no longer listed are dropped. */
  readonly list: ListedServers;
}

/** Bytes. */
const fileLimit = 16 * 1_024 * 1_024;

const describedTool = { name: z.string(), text: z.optional(z.string()) };
const pinsSchema = z.object({
  listedAt: z.optional(z.number()),
  isWhole: z.boolean(),
  tools: z.array(z.object({ ...describedTool, forms: z.array(z.string()) })),
  changed: z.array(z.object({ ...describedTool, form: z.string(), at: z.number() })),
});

/** An unreadable file must not count as a first use: every tool is then new. */
const unreadablePins: ToolPins = { isWhole: true, tools: [], changed: [] };

/** Accepted tool descriptions, in one file per server below `pins/`. */
export function openPinStore({ profileFolder, locks, list }: PinStoreOptions): PinStore {
  const files = openPinFiles(profileFolder);
  const read = async (id: string): Promise<ToolPins | undefined> => {
    try {
      const stored = await files.read(id);
      return stored === undefined ? undefined : pinsSchema.parse(stored);
    } catch {
      return unreadablePins;
    }
  };
  return {
    read,
    change: (id, edit) =>
      locks.hold('pins', async () => {
        const before = await read(id);
        const after = edit(before);
        if (after === before || !(await list.read(id))) return after;
        await files.write(id, after);
        return after;
      }),
    async forget(...ids) {
      await locks.hold('pins', () => files.remove(...ids)).catch(() => {});
    },
    sweep: () => sweepServerFiles(files, list),
  };
}

export function openPinFiles(profileFolder: string): ServerFiles {
  return openServerFiles(path.join(profileFolder, 'pins'), fileLimit);
}
