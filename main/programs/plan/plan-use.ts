import { entryNameFor, type UsedServer } from '../used-server.ts';
import { isOtherProgram } from '../../../shared/program-record.ts';
import { PosternError } from '../../postern-error.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { withDecisions } from '../entry/entry-decisions.ts';
import { entryFor, type HttpAccess, secretOf } from '../entry/entry-for.ts';
import { serversElsewhere } from './entries-elsewhere.ts';
import { entryNamed, type FileContent } from '../list/entry-list.ts';
import { locateProgram } from '../table/locate-program.ts';
import { type OurEntry, ourEntries } from '../entry/our-entries.ts';
import { planEdits } from './plan-edits.ts';
import { planOtherUnuse, planOtherUse } from './plan-other.ts';
import { orNothing, type PlannedChange, readFile } from './planned-change.ts';
import type { Program } from '../table/program.ts';
import { newId, type ProgramEngine } from '../program-engine.ts';
import { recordOf } from '../records/program-records.ts';
import { withoutUses, withUses } from './plan-records.ts';

export interface UseOptions {
  /** A name for the entry, of one server alone. */
  readonly as?: string | undefined;
  /** Folder of a project, absolute. */
  readonly project?: string | undefined;
  /** Instead of the one that it reads. */
  readonly file?: ProgramFile | undefined;
  /** The entry holds an address instead of a command. */
  readonly http?: HttpAccess | undefined;
  /** Id for the program's record, where it has none yet; a new one unless it is said. */
  readonly record?: string | undefined;
}

export interface UnuseOptions extends Pick<UseOptions, 'project' | 'file'> {
  /** Its right goes too where entries in other files of the program lead there: they are of no use then. */
  readonly endsRight?: boolean;
}

/**
 * The file that a change of `program` goes to. Errors: PROGRAM_NOT_FOUND where it is not installed, or keeps nothing in
 * the folder of a project.
 */
export async function fileToChange(engine: ProgramEngine, program: Program, project?: string): Promise<ProgramFile> {
  const notFound = new PosternError('PROGRAM_NOT_FOUND', { stage: 'programs', detail: { program: program.name } });
  if (project !== undefined) {
    const separator = engine.surroundings.system === 'win32' ? '\\' : '/';
    const paths = (program.projectFiles ?? []).map(
      (name) => `${project}${separator}${name.replaceAll('/', separator)}`,
    );
    const there = await Promise.all(paths.map((path) => engine.files.find(path)));
    const path = paths.find((_path, index) => there[index] !== undefined) ?? paths.at(-1);
    if (path === undefined) throw notFound;
    return { path, project };
  }
  const { found, file } = await locateProgram(program, engine.files, engine.surroundings);
  if (!found) throw notFound;
  return file;
}

/**
 * For each of `integrations` an entry of `program` that leads there; one that is there is renewed. Errors:
 * PROGRAM_NOT_FOUND, PROGRAM_NAME_TAKEN, PROGRAM_FILE_*.
 */
export async function planUse(
  engine: ProgramEngine,
  program: Program,
  integrations: readonly UsedServer[],
  { as, project, file: named, http, record }: UseOptions,
): Promise<PlannedChange> {
  if (isOtherProgram(program.id)) return await planOtherUse(engine, program, integrations, { as, http, record });
  const file = named ?? (await fileToChange(engine, program, project));
  const { content } = await readFile(engine, program, file).catch(orNothing);
  const ours = await ourEntries(engine, file.path, content);
  const id = recordOf(await engine.records.list(), program)?.id ?? record ?? newId(engine, 8);
  const leadingTo = ({ id: own, alias = own }: UsedServer) =>
    ours.filter((entry) => [alias, own].includes(entry.server));
  return await planEdits(engine, {
    program,
    file,
    edits: integrations.map((integration) => {
      const same = leadingTo(integration);
      const name = as ?? same[0]?.name ?? entryNameFor(integration);
      refuseTaken(program, content, name, same);
      const entry = entryFor(engine, program, { name, integration, id, http });
      return { name, entry: withDecisions(entry, entryNamed(content, name), { switchesOn: true }) };
    }),
    secret: secretOf(program, http !== undefined),
    servers: integrations.map((integration) => ({
      id: integration.id,
      isThere: leadingTo(integration).some((entry) => works(entry, id)),
    })),
    records: withUses(engine, program, { id, integrations, file }),
  });
}

/** `record`: id of the program's. */
function works({ record: named = '', hasOldPort, hasOldSecret }: OurEntry, record: string): boolean {
  return ['', record].includes(named) && !hasOldPort && !hasOldSecret;
}

function refuseTaken(
  program: Program,
  { entries = [] }: FileContent,
  name: string,
  ours: readonly { readonly name: string }[],
): void {
  const names = new Set(entries.map(([known]) => known));
  if (!names.has(name) || ours.some((entry) => entry.name === name)) return;
  let count = 2;
  while (names.has(`${name}-${count}`)) count += 1;
  throw new PosternError('PROGRAM_NAME_TAKEN', {
    stage: 'programs',
    detail: { program: program.name },
    remedy: { kind: 'choose-entry-name', free: `${name}-${count}` },
  });
}

/**
 * Every entry of `program` that leads to one of `servers` (integrations that are there, or the aliases or ids of some
 * that were) taken out of one file. The right to use each goes with the last of its entries. Errors: PROGRAM_NOT_FOUND,
 * PROGRAM_FILE_*.
 */
export async function planUnuse(
  engine: ProgramEngine,
  program: Program,
  servers: readonly (UsedServer | string)[],
  { project, endsRight = false, file: named }: UnuseOptions = {},
): Promise<PlannedChange> {
  if (isOtherProgram(program.id)) return planOtherUnuse(program, servers);
  const file = named ?? (await fileToChange(engine, program, project));
  const { content } = await readFile(engine, program, file);
  const known = servers.flatMap(namesOf);
  const entries = (await ourEntries(engine, file.path, content)).filter((entry) => known.includes(entry.server));
  const others = endsRight ? [] : await serversElsewhere(engine, program, file.path);
  const gone = servers.filter((server) => !others.some((other) => namesOf(server).includes(other)));
  return await planEdits(engine, {
    program,
    file,
    edits: entries.map(({ name }) => ({ name, entry: undefined })),
    records: withoutUses(program, gone),
  });
}

/** What an entry may call a server: its id, or its alias. */
function namesOf(server: UsedServer | string): readonly string[] {
  return typeof server === 'string' ? [server] : [server.id, ...(server.alias === undefined ? [] : [server.alias])];
}
