import type { UsedServer } from '../used-server.ts';
import type { ProgramChange } from '../../../shared/program-change.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { locateProgram } from '../table/locate-program.ts';
import { type OurEntry, ourEntries } from '../entry/our-entries.ts';
import { planEdits } from './plan-edits.ts';
import { type PlannedChange, readFile } from './planned-change.ts';
import type { Program } from '../table/program.ts';
import type { ProgramEngine } from '../program-engine.ts';
import { programs } from '../table/table.ts';

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
