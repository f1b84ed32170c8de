import { ourEntries, secretOf } from '../entry/our-entries.ts';
import { readEntry } from '../entry/read-entry.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { Entry } from '../list/entry-list.ts';
import type { AppDependencies } from '../app-dependencies.ts';
import type { EntryFile } from './entry-files.ts';
import { planEdits } from './plan-edits.ts';
import { readAppFile, showChange } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

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
