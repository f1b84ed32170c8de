// Plans for entries that a change in Postern makes outdated.

import { ourEntries, secretOf } from '../entry/our-entries.ts';
import type { OurEntry } from '../entry/our-entries.ts';
import { readEntry } from '../entry/read-entry.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { Entry } from '../list/entry-list.ts';
import type { AppDependencies } from '../app-dependencies.ts';
import type { EntryFile, Removal } from './entry-files.ts';
import { planEdits } from './plan-edits.ts';
import { readAppFile, showChange } from './planned-change.ts';
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

/** Moves our URLs in one file to `port`, and changes nothing else; no `edits` if there are none. Errors: APP_FILE_*. */
export async function planPortChange(
  engine: AppDependencies,
  { app, file }: EntryFile,
  port: number,
): Promise<PlannedChange> {
  const { content } = await readAppFile(engine, app, file);
  const edits = (await ourEntries(engine, file.path, content)).flatMap(({ name, port: old }) => {
    const value = entryNamed(content, name);
    const { url } = readEntry(value);
    if (url === undefined || old === undefined || old === port) return [];
    return [{ name, entry: replaceText(value, url, url.replace(`:${old}/`, `:${port}/`)) as Entry }];
  });
  const planned = await planEdits(engine, {
    app,
    file,
    edits,
    records: (records) => records,
    secret: secretOf(app, true),
  });
  // The secret in a header stays, and must not be shown.
  return { ...planned, shown: showChange({ ...planned, restores: true }, content) };
}

function replaceText(value: unknown, text: string, replacement: string): unknown {
  if (value === text) return replacement;
  if (Array.isArray(value)) return value.map((each) => replaceText(each, text, replacement));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceText(inner, text, replacement)]));
}
