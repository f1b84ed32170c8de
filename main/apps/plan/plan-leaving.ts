import type { ProgramChange } from '../../../shared/program-view.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { ourEntries, secretOf } from '../entry/our-entries.ts';
import type { OurEntry } from '../entry/our-entries.ts';
import { readEntry } from '../entry/read-entry.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { Entry } from '../list/entry-list.ts';
import type { ProgramEngine, UsedServer } from '../program-engine.ts';
import { locateProgram } from '../table/program.ts';
import type { Program } from '../table/program.ts';
import { programs } from '../table/table.ts';
import { planEdits } from './plan-edits.ts';
import { readFile, showChange } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

/** What goes, so that entries would lead nowhere: some servers, everything, or what a program may use. */
export type Leaving =
  | { readonly kind: 'servers' | 'everything'; readonly servers: readonly UsedServer[] }
  | { readonly kind: 'program'; readonly program: Program };

/** A file that may hold entries of Postern. */
export interface EntryFile {
  readonly program: Program;
  readonly file: ProgramFile;
}

/**
 * Files in which entries may stand that would lead nowhere, as our records and the notes of our changes tell: a
 * person's own, and those of projects. None of them is read. Errors: CFG_*.
 */
export async function filesOfLeaving(engine: ProgramEngine, leaving: Leaving): Promise<readonly EntryFile[]> {
  const records = await engine.records.list();
  const changes = await engine.backups.list();
  const files: EntryFile[] = [];
  for (const program of programs) {
    if (leaving.kind === 'program' && leaving.program.id !== program.id) continue;
    const own = records.filter((record) => record.program === program.id);
    const noted = changes.filter((change) => change.program === program.id);
    if (own.length === 0 && noted.length === 0) continue;
    const isAllowed =
      leaving.kind !== 'servers' ||
      leaving.servers.some(({ id }) => own.some((each) => each.integrations.includes(id)));
    const { found, file } = await locateProgram(program, engine.files, engine.surroundings);
    // An earlier file counts too: the program may have moved to another, and may come back.
    const places = [
      ...(isAllowed && found ? [file] : []),
      ...noted
        .filter((each) => isAllowed || each.project !== undefined || each.editorProfile !== undefined)
        .map(fileOf),
    ];
    const distinct = new Map(places.map((place) => [place.path, place]));
    files.push(...[...distinct.values()].map((place) => ({ program, file: place })));
  }
  return files;
}

export interface LeavingChange extends PlannedChange {
  /** What goes. */
  readonly entries: readonly OurEntry[];
}

/**
 * All entries of one file that would lead nowhere, taken out; without `edits` where there are none. Errors:
 * PROGRAM_FILE_*.
 */
export async function planLeaving(
  engine: ProgramEngine,
  { program, file }: EntryFile,
  leaving: Leaving,
): Promise<LeavingChange> {
  const { content } = await readFile(engine, program, file);
  const entries = (await ourEntries(engine, file.path, content)).filter((entry) => leadsNowhere(entry, leaving));
  const planned = await planEdits(engine, {
    program,
    file,
    edits: entries.map(({ name }) => ({ name, entry: undefined })),
    // The right to use a server goes with the server, and the secret of an entry with the right: until then it may come
    // back. The record of a program that was revoked stays: another entry of it may still be about.
    records: (records) => records,
  });
  return { ...planned, entries };
}

function leadsNowhere({ server }: OurEntry, leaving: Leaving): boolean {
  return leaving.kind !== 'servers' || leaving.servers.some(({ id, alias }) => server === id || server === alias);
}

/** The file of a change. */
export function fileOf({ path, project, editorProfile }: ProgramChange): ProgramFile {
  return { path, ...(project !== undefined && { project }), ...(editorProfile !== undefined && { editorProfile }) };
}

/** Another file of a program, and what its entries lead to (alias or id). */
interface FileElsewhere {
  readonly file: ProgramFile;
  readonly servers: readonly string[];
}

/**
 * Other files of `program` than the one at `path`, as far as we have noted them. One that cannot be read holds no entry
 * that works. Errors: CFG_*.
 */
async function readElsewhere(engine: ProgramEngine, program: Program, path: string): Promise<readonly FileElsewhere[]> {
  const files = await filesOfLeaving(engine, { kind: 'program', program });
  const others = files.filter(({ file }) => file.path !== path);
  return await Promise.all(
    others.map(async ({ file }) => {
      try {
        const { content } = await readFile(engine, program, file);
        return { file, servers: (await ourEntries(engine, file.path, content)).map(({ server }) => server) };
      } catch (error) {
        if (!(error instanceof ProgramFileFault)) throw error;
        return { file, servers: [] };
      }
    }),
  );
}

/** What entries in other files lead to: one right holds for them all, so it stays with the last of them. Errors: CFG_*. */
export async function serversElsewhere(
  engine: ProgramEngine,
  program: Program,
  path: string,
): Promise<readonly string[]> {
  return (await readElsewhere(engine, program, path)).flatMap(({ servers }) => servers);
}

/** Other files with an entry that leads to one of these. Errors: CFG_*. */
export async function filesElsewhere(
  engine: ProgramEngine,
  program: Program,
  path: string,
  integrations: readonly UsedServer[],
): Promise<readonly ProgramFile[]> {
  const others = await readElsewhere(engine, program, path);
  return others
    .filter(({ servers }) =>
      integrations.some(({ id, alias }) => servers.some((each) => each === id || each === alias)),
    )
    .map(({ file }) => file);
}

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
