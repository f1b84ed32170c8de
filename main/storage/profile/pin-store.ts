import path from 'node:path';
import * as z from 'zod';
import type { PinStore, ToolPins } from '../../pin-ports.ts';
import type { Locks } from '../../ports.ts';
import { openServerFiles, sweepServerFiles } from './server-files.ts';
import type { ListedServers, ServerFiles } from './server-files.ts';

export interface PinStoreOptions {
  readonly profileFolder: string;
  readonly locks: Locks;
  /** Of whoever is not in it nothing is remembered. */
  readonly list: ListedServers;
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

/** What tools of servers said of themselves, a file for each server in `pins/` of the profile folder. */
export function openPinStore({ profileFolder, locks, list }: PinStoreOptions): PinStore {
  const files = openPinFiles(profileFolder);
  const read = async (id: string): Promise<ToolPins | undefined> => {
    try {
      const kept = await files.read(id);
      return kept === undefined ? undefined : schema.parse(kept);
    } catch {
      return unreadable;
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
    async forget(id) {
      await locks.hold('pins', () => files.remove(id)).catch(() => {});
    },
    sweep: () => sweepServerFiles(files, list),
  };
}

export function openPinFiles(profileFolder: string): ServerFiles {
  return openServerFiles(path.join(profileFolder, 'pins'), fileLimit);
}
