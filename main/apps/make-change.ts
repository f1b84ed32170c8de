import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ProgramRecord } from '../../shared/program-record.ts';
import type { ProgramChange } from '../../shared/program-view.ts';
import { levelOf, withLevel } from '../../shared/tool-permissions.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { Random } from '../ports.ts';
import { readEntry, readLocalAddress } from './entry/read-entry.ts';
import { readContent } from './list/edit-file.ts';
import { entryNamed } from './list/entry-list.ts';
import { hashOf, linesToPaste, withLines } from './plan/plan-edits.ts';
import { readFile, rulesBack } from './plan/planned-change.ts';
import type { PlannedChange } from './plan/planned-change.ts';
import { newId } from './program-engine.ts';
import type { ProgramEngine } from './program-engine.ts';
import { rightChange, withEntered } from './records/program-records.ts';
import type { RightChange } from './records/program-records.ts';
import { folderOf } from './table/program.ts';

type ChangeAction = ProgramChange['action'] | 'paste';

/** What a planned change does to the file. */
export function actionOf({ way, before, after }: PlannedChange): ChangeAction {
  if (way !== 'file') return way;
  if (before === undefined) return 'created';
  return after === undefined ? 'deleted' : 'updated';
}

/** Nothing of the configuration would change. */
export function isEmpty({ way, before, after, edits, isPasted = false }: PlannedChange): boolean {
  return edits.length === 0 || (way === 'file' && before === after) || (way === 'paste' && isPasted);
}

/** The program uses a server only once the user has pasted its lines. */
export function isWaiting({ way, servers = [] }: PlannedChange): boolean {
  return way === 'paste' && servers.some(({ isThere }) => !isThere);
}

export interface MadeChange {
  /** Absent where nothing was to be written. */
  readonly id?: string;
  /** Where the copy of what stood there is. */
  readonly backup?: string;
  /** Also where no file was written. */
  readonly right?: RightChange | undefined;
}

/**
 * Makes a planned change: the record first, since the entry is of no use without it, and rules for tools, since no call
 * may come in between; then a copy, then the file or the program's own command. Errors: PROGRAM_FILE_CHANGED where it is
 * not as it was shown, PROGRAM_FILE_DENIED, PROGRAM_COMMAND_FAILED, CFG_*; then records and rules are as before.
 */
export async function makeChange(engine: ProgramEngine, planned: PlannedChange): Promise<MadeChange> {
  return await engine.locks.hold('programs', () => makeUnderLock(engine, planned));
}

/** How a change is planned that the user was shown. */
export interface ShownChange {
  readonly plan: () => Promise<PlannedChange>;
  /** Puts in what was not shown. */
  readonly complete?: (planned: PlannedChange) => Promise<PlannedChange>;
  /** Left out: it was not shown. */
  readonly isAsShown?: (planned: PlannedChange) => boolean;
}

/**
 * Plans it again under the lock, and makes what was shown: file, list of servers and records of programs may have
 * changed since. Errors: PROGRAM_FILE_CHANGED where another change came of it, those of `plan` and `makeChange`.
 */
export async function makeShown(
  engine: ProgramEngine,
  { plan, complete, isAsShown }: ShownChange,
): Promise<MadeChange & { readonly planned: PlannedChange }> {
  return await engine.locks.hold('programs', async () => {
    const planned = await plan();
    const changed = { stage: 'programs', detail: { file: planned.file.path } } as const;
    if (isAsShown?.(planned) === false) throw new PosternError('PROGRAM_FILE_CHANGED', changed);
    const whole = complete ? await complete(planned) : planned;
    return { planned: whole, ...(await makeUnderLock(engine, whole)) };
  });
}

async function makeUnderLock(engine: ProgramEngine, planned: PlannedChange): Promise<MadeChange> {
  const records = await engine.records.list();
  const changed = await engine.records.change((known) =>
    withEntered(planned.records(known), planned, planned.way === 'paste'),
  );
  const right = rightChange(records, changed, planned.program);
  const ruled = await changeRules(engine, planned);
  if (isEmpty(planned) || planned.way === 'paste') return { right };
  const written = await writeChange(engine, planned, ruled).catch(async (error: unknown) => {
    // Those of this program; any other change to them waits for the same lock.
    const isOthers = ({ program }: ProgramRecord): boolean => program !== planned.program.id;
    await engine.records.change((now) => [...now.filter(isOthers), ...records.filter((each) => !isOthers(each))]);
    await changeRules(engine, { program: planned.program, rules: rulesBack(ruled) });
    throw error;
  });
  // The person has allowed it, and lines that they paste are of no use without the record.
  if (written.kind === 'paste') {
    await engine.records.change((known) => withEntered(known, planned, true));
    throw written.error;
  }
  return { ...written.change, right };
}

type Ruled = NonNullable<ProgramChange['rules']>;

/** In one write. Answers what was changed, once for each server. Errors: CFG_*. */
async function changeRules(
  { servers }: Pick<ProgramEngine, 'servers'>,
  { program, rules = [] }: Pick<PlannedChange, 'program' | 'rules'>,
): Promise<Ruled> {
  if (rules.length === 0) return [];
  const byServer = Map.groupBy(rules, ({ integration }) => integration);
  let ruled: Ruled = [];
  await servers.changeList((list) => {
    ruled = [];
    const integrations = list.integrations.map((integration) => {
      const own = byServer.get(integration.id);
      if (!own) return integration;
      const { permissions, ...kept } = integration;
      const before = levelOf(permissions, program.id);
      const after = own.reduce((level, { change }) => change(level), before);
      ruled.push({ integration: integration.id, before, after });
      const set = withLevel(permissions, program.id, after);
      return { ...kept, ...(set && { permissions: set }) };
    });
    return { ...list, integrations };
  });
  return ruled;
}

/** It is not made, and `error` has the lines that the person can paste. */
interface LeftToPaste {
  readonly kind: 'paste';
  readonly error: PosternError;
}

async function writeChange(
  engine: ProgramEngine,
  planned: PlannedChange,
  rules: Ruled,
): Promise<{ readonly kind: 'made'; readonly change: MadeChange } | LeftToPaste> {
  const { program, file, edits, way, made } = planned;
  const before = way === 'command' ? await readUnchanged(engine, planned) : planned.before;
  const at = engine.clock.now();
  const note = {
    id: newId(engine, 6),
    at,
    program: program.id,
    path: file.path,
    ...(file.project !== undefined && { project: file.project }),
    ...(file.editorProfile !== undefined && { editorProfile: file.editorProfile }),
    action: actionOf(planned) as ProgramChange['action'],
    names: edits.map(({ name }) => name),
    ...portOf(edits),
    ...(rules.length > 0 && !planned.restores && { rules }),
    made,
    ...(await madeFolder(engine, planned)),
  };
  const withHashes = (after: string | undefined): ProgramChange => ({ ...note, ...hashes(before, after) });
  const change = withHashes(planned.after);
  const backup = await engine.backups.keep(change, before);
  try {
    if (way === 'file') await engine.files.write(file, planned.before, planned.after, await ownFolder(engine, planned));
    else {
      const ran = await runCommands(engine, planned);
      if (ran.kind === 'paste') {
        await engine.backups.forget(change);
        return ran;
      }
      await engine.backups.note(withHashes(ran.after));
    }
  } catch (error) {
    await engine.backups.forget(change);
    throw error;
  }
  return { kind: 'made', change: { id: change.id, ...(backup !== undefined && { backup }) } };
}

/** What tells entries with an address from those of other programs of this computer. */
function portOf(edits: PlannedChange['edits']): Pick<ProgramChange, 'port'> {
  const [port] = edits.flatMap(({ entry }) => readLocalAddress(readEntry(entry))?.port ?? []);
  return port === undefined ? {} : { port };
}

/** The topmost folder that has to be made for a file. */
async function madeFolder({ files }: ProgramEngine, { file, before, after }: PlannedChange) {
  if (before !== undefined || after === undefined) return {};
  let made: string | undefined;
  for (let folder = folderOf(file.path); folder !== '' && !(await files.find(folder)); folder = folderOf(folder))
    made = folder;
  return made === undefined ? {} : { folder: made };
}

/** Goes with the file that it was made for. */
async function ownFolder({ backups }: ProgramEngine, { file, after }: PlannedChange): Promise<string | undefined> {
  if (after !== undefined) return undefined;
  return (await backups.list()).find(({ path, action }) => path === file.path && action === 'created')?.folder;
}

function hashes(before: string | undefined, after: string | undefined): Pick<ProgramChange, 'before' | 'after'> {
  const [old, now] = [hashOf(before), hashOf(after)];
  return { ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) };
}

/** A program that runs writes into its file all the time: only the entries in question have to be as they were. */
async function readUnchanged(engine: ProgramEngine, { program, file, before, edits }: PlannedChange) {
  const { text, content } = await readFile(engine, program, file);
  const old = readContent(program, file.path, before);
  const isSame = edits.every(({ name }) => isDeepStrictEqual(entryNamed(content, name), entryNamed(old, name)));
  if (!isSame) throw new PosternError('PROGRAM_FILE_CHANGED', { stage: 'programs', detail: { file: file.path } });
  return text;
}

/** What came of them: the text of the file, or lines in their place. Errors: PROGRAM_COMMAND_FAILED without either. */
async function runCommands(
  engine: ProgramEngine,
  planned: PlannedChange,
): Promise<{ readonly kind: 'done'; readonly after: string | undefined } | LeftToPaste> {
  const { program, file, edits, commands } = planned;
  const failed = (): LeftToPaste => {
    const detail = { program: program.name };
    const error = new PosternError('PROGRAM_COMMAND_FAILED', { stage: 'programs', detail });
    if (linesToPaste(planned) === undefined) throw error;
    return { kind: 'paste', error: withLines(error, planned) };
  };
  for (const { command, args } of commands) if (!(await engine.files.run(command, args))) return failed();
  const { text, content } = await readFile(engine, program, file);
  const isDone = edits.every(({ name, entry }) => (entryNamed(content, name) === undefined) === (entry === undefined));
  return isDone ? { kind: 'done', after: text } : failed();
}

/** Two changes have one seal where a person was shown the same. In hexadecimal; it tells nothing of either file. */
export type SealChange = (planned: PlannedChange) => string;

/** With a key of this process: an HMAC over path, what stands there, and what will. */
export function createSeal(random: Random): SealChange {
  const key = random.bytes(32);
  return (planned) =>
    createHmac('sha256', key)
      .update(JSON.stringify(factsOf(planned), asText))
      .digest('hex');
}

function factsOf({ program, file, way, edits, before, after, commands }: PlannedChange): readonly unknown[] {
  const facts = [program.id, file.path, file.project ?? null, way, edits];
  if (way === 'file') return [...facts, before ?? null, after ?? null];
  // The user may have pasted the lines since.
  if (way === 'paste') return facts;
  // A program that runs writes into its file all the time: only the entries in question have to be as they were.
  const content = readContent(program, file.path, before);
  return [...facts, edits.map(({ name }) => entryNamed(content, name) ?? null), commands];
}

/** TOML has whole numbers that JSON has not. */
function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
