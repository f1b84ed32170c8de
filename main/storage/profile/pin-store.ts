import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { readPlainFile, refuseLinks } from '../../plain-file.ts';
import type { PinStore, ToolPins } from '../../pin-ports.ts';
import type { IntegrationStore, Locks } from '../../ports.ts';
import { makeFolder } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace-file.ts';

export interface PinStoreOptions {
  readonly profileFolder: string;
  readonly locks: Locks;
  /** Of whoever is not in it nothing is remembered. */
  readonly list: Pick<IntegrationStore, 'list' | 'read' | 'pendingDeletions' | 'listIsWhole'>;
}

/** Bytes. */
const fileLimit = 16 * 1_024 * 1_024;

const seen = { name: z.string(), text: z.string().optional() };
const schema = z.object({
  isWhole: z.boolean(),
  tools: z.array(z.object({ ...seen, forms: z.array(z.string()) })),
  changed: z.array(z.object({ ...seen, form: z.string(), at: z.number() })),
});

/** What nobody can read any more is not taken for a first time: whatever comes is new. */
const unreadable: ToolPins = { isWhole: true, tools: [], changed: [] };

/** What tools of servers said of themselves, a file of 0600 for each server in `pins/` of the profile folder. */
export function openPinStore({ profileFolder, locks, list }: PinStoreOptions): PinStore {
  const folder = pinFolder(profileFolder);
  const fileOf = (id: string): string => path.join(folder, `${id}.json`);
  return {
    read: (id) => readPins(folder, fileOf(id)),
    change: (id, edit) =>
      locks.hold('pins', async () => {
        const before = await readPins(folder, fileOf(id));
        const after = edit(before);
        if (after === before || !(await list.read(id))) return after;
        makeFolder(folder, 'storage');
        refuseLinks(folder);
        await replaceFile(fileOf(id), Buffer.from(JSON.stringify(after)));
        return after;
      }),
    async forget(id) {
      await locks.hold('pins', () => rm(fileOf(id), { force: true })).catch(() => {});
    },
    async sweep() {
      try {
        const leaving = (await list.pendingDeletions()).map(({ integration }) => integration);
        const listed = new Set([...leaving, ...(await list.list())].map(({ id }) => id));
        if (!(await list.listIsWhole())) return;
        for (const name of await pinFiles(folder))
          if (!listed.has(name.replace(/\.json.*$/u, ''))) await rm(path.join(folder, name), { force: true });
      } catch {
        // Next time.
      }
    },
  };
}

export function pinFolder(profileFolder: string): string {
  return path.join(profileFolder, 'pins');
}

/** Names of ours in it, with what a crash left behind; nothing of a folder that a link names. */
export async function pinFiles(folder: string): Promise<readonly string[]> {
  try {
    refuseLinks(folder);
    return (await readdir(folder)).filter((name) => /^[a-z0-9-]{1,64}\.json(?:\.tmp-.*)?$/u.test(name));
  } catch {
    return [];
  }
}

async function readPins(folder: string, file: string): Promise<ToolPins | undefined> {
  try {
    refuseLinks(folder);
    const bytes = await readPlainFile(file, { limit: fileLimit, follow: false });
    return bytes === undefined ? unreadable : schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? undefined : unreadable;
  }
}
