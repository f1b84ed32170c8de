import { ourEntries, secretOf } from '../entry/our-entries.ts';
import { readEntry } from '../entry/read-entry.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { Entry } from '../list/entry-list.ts';
import type { ProgramEngine, UsedServer } from '../program-engine.ts';
import { planEdits } from './plan-edits.ts';
import { filesOfLeaving } from './plan-leaving.ts';
import type { EntryFile } from './plan-leaving.ts';
import { readFile, showChange } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

/** Files that entries with an address may stand in. None of them is read. Errors: CFG_*. */
export async function filesWithAddresses(
  engine: ProgramEngine,
  integrations: readonly UsedServer[],
): Promise<readonly EntryFile[]> {
  const files = await filesOfLeaving(engine, { kind: 'everything', servers: integrations });
  return files.filter(({ program }) => program.http !== undefined);
}

/**
 * The entries of one file that hold an address of ours with another port, moved to `port` with all else as it stands;
 * without `edits` where there are none. Errors: PROGRAM_FILE_*.
 */
export async function planNewPort(
  engine: ProgramEngine,
  { program, file }: EntryFile,
  port: number,
): Promise<PlannedChange> {
  const { content } = await readFile(engine, program, file);
  const edits = (await ourEntries(engine, file.path, content)).flatMap(({ name, port: old }) => {
    const value = entryNamed(content, name);
    const { url } = readEntry(value);
    if (url === undefined || old === undefined || old === port) return [];
    return [{ name, entry: replaceText(value, url, url.replace(`:${old}/`, `:${port}/`)) as Entry }];
  });
  const planned = await planEdits(engine, {
    program,
    file,
    edits,
    records: (records) => records,
    secret: secretOf(program, true),
  });
  // The secret in a header stays as it is, and is shown nowhere.
  return { ...planned, shown: showChange({ ...planned, restores: true }, content) };
}

function replaceText(value: unknown, text: string, by: string): unknown {
  if (value === text) return by;
  if (Array.isArray(value)) return value.map((each) => replaceText(each, text, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceText(inner, text, by)]));
}
