import { ourEntries } from '../entry/our-entries.ts';
import type { OurEntry } from '../entry/our-entries.ts';
import type { AppDependencies } from '../app-dependencies.ts';
import type { EntryFile, Removal } from './entry-files.ts';
import { planEdits } from './plan-edits.ts';
import { readAppFile } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

export interface RemovalChange extends PlannedChange {
  /** The entries to remove. */
  readonly entries: readonly OurEntry[];
}

/** Removes all entries of one file that would be orphaned; no `edits` if there are none. Errors: APP_FILE_*. */
export async function planRemoval(
  engine: AppDependencies,
  { app, file }: EntryFile,
  removal: Removal,
): Promise<RemovalChange> {
  const { content } = await readAppFile(engine, app, file);
  const entries = (await ourEntries(engine, file.path, content)).filter((entry) => isOrphaned(entry, removal));
  const planned = await planEdits(engine, {
    app,
    file,
    edits: entries.map(({ name }) => ({ name, entry: undefined })),
    // Permission to use a server is dropped with the server, and the secret with the permission: until then this can be
    // undone. The record of a revoked app stays, since another entry may still name it.
    records: (records) => records,
  });
  return { ...planned, entries };
}

function isOrphaned({ server }: OurEntry, removal: Removal): boolean {
  return removal.kind !== 'servers' || removal.servers.some(({ id, alias }) => server === id || server === alias);
}
