import type { Integration } from '../../../shared/integration.ts';
import { findUsed } from '../entry/describe-entry.ts';
import { secretOf } from '../entry/entry-for.ts';
import type { Entry } from '../list/entry-list.ts';
import { type EntryFile, filesOfLeaving } from './plan-leaving.ts';
import { planEdits } from './plan-edits.ts';
import { type PlannedChange, readFile, showEdits } from './planned-change.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { readEntry } from '../entry/read-entry.ts';

/** Files that entries with an address may stand in. None of them is read. Errors: CFG_*. */
export async function filesWithAddresses(
  engine: ProgramEngine,
  integrations: readonly Integration[],
): Promise<readonly EntryFile[]> {
  const files = await filesOfLeaving(engine, { kind: 'everything', servers: integrations });
  return files.filter(({ program }) => program.http !== undefined);
}

/** An address of Postern at whichever port: `http://127.0.0.1:47600/mcp/notes`. */
const address = /^http:\/\/127\.0\.0\.1:(\d{1,5})\/mcp\/([a-z0-9-]{1,64})$/;

/**
 * The entries of one file that hold an address of another port, which we wrote there, moved to `port` with all else as
 * it stands; without `edits` where there are none. Errors: PROGRAM_FILE_*.
 */
export async function planNewPort(
  engine: ProgramEngine,
  { program, file }: EntryFile,
  port: number,
  integrations: readonly Integration[],
): Promise<PlannedChange> {
  const { content } = await readFile(engine, program, file);
  const notes = (await engine.backups.list()).filter(({ path }) => path === file.path);
  const edits = (content.entries ?? []).flatMap(([name, value]) => {
    const [url, old, server = ''] = address.exec(readEntry(value).url ?? '') ?? [];
    // Whatever else listens on this computer may have such an address: ours are those that we noted.
    const isOurs = notes.some(({ names }) => names.includes(name)) && findUsed(integrations, server) !== undefined;
    if (url === undefined || Number(old) === port || !isOurs) return [];
    const moved = url.replace(`:${old}/`, `:${port}/`);
    return [{ name, entry: replaceText(value, url, moved) as Entry }];
  });
  const planned = await planEdits(engine, {
    program,
    file,
    edits,
    records: (records) => records,
    secret: secretOf(program, true),
  });
  // The secret in a header stays as it is, and is shown nowhere.
  return { ...planned, shown: showEdits(program, content, edits, true) };
}

function replaceText(value: unknown, text: string, by: string): unknown {
  if (value === text) return by;
  if (Array.isArray(value)) return value.map((each) => replaceText(each, text, by));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceText(inner, text, by)]));
}
