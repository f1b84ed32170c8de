import { isOtherProgram } from '../../../shared/program-record.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { entryDecisions, hasRules, withDecisions, withRules } from '../entry/entry-decisions.ts';
import { entryFor, ourEntries, secretOf } from '../entry/our-entries.ts';
import type { HttpAccess, OurEntry } from '../entry/our-entries.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { FileContent } from '../list/entry-list.ts';
import { entryNameFor, newId } from '../program-engine.ts';
import type { ProgramEngine, UsedServer } from '../program-engine.ts';
import { recordOf, usesOf, withoutUse, withUse } from '../records/program-records.ts';
import { locateProgram } from '../table/program.ts';
import type { Program } from '../table/program.ts';
import { planEdits, planPaste } from './plan-edits.ts';
import { serversElsewhere } from './plan-leaving.ts';
import { orNothing, readFile } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

interface UseOptions {
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

interface UnuseOptions extends Pick<UseOptions, 'project' | 'file'> {
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

/** Only the person knows where it keeps its servers. */
const nowhere = { path: '' };

/** As of `planUse`. */
interface OtherUse {
  readonly as?: string | undefined;
  readonly http?: HttpAccess | undefined;
  readonly record?: string | undefined;
}

/** Lines for a program that is not in the table, which lead to `integrations`. Errors: CFG_*. */
async function planOtherUse(
  engine: ProgramEngine,
  program: Program,
  integrations: readonly UsedServer[],
  { as, http, record }: OtherUse,
): Promise<PlannedChange> {
  const known = recordOf(await engine.records.list(), program);
  const id = known?.id ?? record ?? newId(engine, 8);
  const { uses } = usesOf(known ? [known] : [], program);
  return planPaste({
    program,
    file: nowhere,
    edits: integrations.map((integration) => {
      const name = as ?? entryNameFor(integration);
      return { name, entry: entryFor(engine, program, { name, integration, id, http }) };
    }),
    secret: secretOf(program, http !== undefined),
    servers: integrations.map((integration) => ({ id: integration.id, isThere: uses.includes(integration.id) })),
    records: withUses(engine, program, { id, integrations, file: nowhere }),
  });
}

/** The right goes; what stands somewhere leads nowhere then. `servers`: as of `planUnuse`. */
function planOtherUnuse(program: Program, servers: readonly (UsedServer | string)[]): PlannedChange {
  return planPaste({
    program,
    file: nowhere,
    edits: servers.map((server) => ({
      name: typeof server === 'string' ? server : entryNameFor(server),
      entry: undefined,
    })),
    records: withoutUses(program, servers),
  });
}

/**
 * Entries of a program replaced by those of Postern, under the same names and with what the user has decided about
 * them there, its lists of tools as rules of Postern too: one change. `record`: as in `UseOptions`.
 * Errors: PROGRAM_FILE_*.
 */
export async function planTakeOver(
  engine: ProgramEngine,
  program: Program,
  file: ProgramFile,
  taken: readonly { readonly name: string; readonly integration: UsedServer }[],
  record?: string,
): Promise<PlannedChange> {
  const { content } = await readFile(engine, program, file);
  const id = recordOf(await engine.records.list(), program)?.id ?? record ?? newId(engine, 8);
  return await planEdits(engine, {
    program,
    file,
    edits: taken.map(({ name, integration }) => ({
      name,
      entry: withDecisions(entryFor(engine, program, { name, integration, id }), entryNamed(content, name)),
    })),
    rules: taken.flatMap(({ name, integration }) => {
      const decisions = entryDecisions(entryNamed(content, name));
      const { allowed, denied } = decisions;
      const of = { entry: name, ...(allowed && { allowed }), denied };
      return hasRules(decisions)
        ? [{ integration: integration.id, of, change: (level) => withRules(level, decisions) }]
        : [];
    }),
    servers: taken.map(({ integration }) => ({ id: integration.id, isThere: false })),
    records: withUses(engine, program, { id, integrations: taken.map(({ integration }) => integration), file }),
  });
}

interface Uses {
  /** Of the record that the entries name. */
  readonly id: string;
  readonly integrations: readonly UsedServer[];
  readonly file: ProgramFile;
}

/**
 * With the right to use them. Errors: PROGRAM_FILE_CHANGED where the program was revoked, or got another record, since
 * the entries were planned: they would name what nobody knows.
 */
function withUses(
  { clock }: Pick<ProgramEngine, 'clock'>,
  program: Program,
  { id, integrations, file }: Uses,
): PlannedChange['records'] {
  return (records) => {
    const standing = recordOf(records, program)?.id ?? (records.some((record) => record.id === id) ? undefined : id);
    if (standing !== id)
      throw new PosternError('PROGRAM_FILE_CHANGED', {
        stage: 'programs',
        ...(file.path !== '' && { detail: { file: file.path } }),
      });
    const now = clock.now();
    return integrations.reduce(
      (known, { id: integration }) => withUse(known, { id, program, integration, now }),
      records,
    );
  };
}

/** Takes it out. A server that is gone is still known by the id in its entries. */
function withoutUses(program: Program, servers: readonly (UsedServer | string)[]): PlannedChange['records'] {
  return (records) =>
    servers.reduce(
      (known, server) => withoutUse(known, program, typeof server === 'string' ? server : server.id),
      records,
    );
}
