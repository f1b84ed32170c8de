import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isAbout } from '../../../shared/error-facts.ts';
import type { ProgramChange } from '../../../shared/program-view.ts';
import type { PasteLines } from '../../../shared/remedy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { ProgramFileFault } from '../../program-ports.ts';
import type { ProgramFile } from '../../program-ports.ts';
import type { EntrySecret } from '../entry/our-entries.ts';
import { editText, plain, readContent } from '../list/edit-file.ts';
import type { Edit } from '../list/edit-file.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { FileContent, Making } from '../list/entry-list.ts';
import { isInlineList, renderPair } from '../list/toml-list.ts';
import type { ProgramEngine } from '../program-engine.ts';
import type { Program } from '../table/program.ts';
import { findKeptOut } from './kept-out.ts';
import { planCommands, readFile, showChange, showEdits } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

/** Of the byte order. */
const mark = '\ufeff';

interface Wanted {
  readonly program: Program;
  readonly file: ProgramFile;
  readonly edits: readonly Edit[];
  readonly records: PlannedChange['records'];
  readonly secret?: EntrySecret;
  readonly restores?: boolean;
  readonly servers?: NonNullable<PlannedChange['servers']>;
  readonly rules?: NonNullable<PlannedChange['rules']>;
}

/**
 * What makes `edits` in the way of the program. Where they take back all that our last change of an untouched file had
 * done, the file becomes what it was, to the byte. A file that cannot be changed is left alone: lines that come are a
 * person's to paste. Errors: PROGRAM_FILE_* where there are none.
 */
export async function planEdits(engine: ProgramEngine, wanted: Wanted): Promise<PlannedChange> {
  try {
    return await planFile(engine, wanted);
  } catch (fault) {
    const planned = planPaste(wanted);
    if (!(fault instanceof ProgramFileFault) || linesToPaste(planned) === undefined) throw fault;
    return { ...planned, fault, ...(await planPairs(engine, wanted, fault)) };
  }
}

/** What fits a list in one pair of braces, which no header can be added to. */
async function planPairs(
  { files }: ProgramEngine,
  { program: { format, list }, file, edits }: Wanted,
  { kind }: ProgramFileFault,
): Promise<Partial<Pick<PlannedChange, 'isInline' | 'shown'>>> {
  const isToml = format === 'toml' && kind === 'layout';
  const text = isToml ? await files.read(file).catch(() => undefined) : undefined;
  if (text === undefined || !isInlineList(text, list)) return {};
  const pairs = edits.flatMap(({ name, entry }) => (entry ? [renderPair(name, entry)] : []));
  return { isInline: true, shown: { before: '', after: pairs.join(',\n') } };
}

/** Lines for a person alone: no file is read. */
export function planPaste(wanted: Wanted): PlannedChange {
  const { program, edits, restores = false, secret = 'none' } = wanted;
  const nothing = { before: undefined, after: undefined, made: 'entry', commands: [], isReadByOthers: false } as const;
  const shown = showEdits(program, { rest: undefined, entries: undefined }, edits, restores);
  return { ...wanted, ...nothing, secret, restores, way: 'paste', shown };
}

async function planFile(engine: ProgramEngine, wanted: Wanted): Promise<PlannedChange> {
  const { program, file, edits, restores = false } = wanted;
  const { text, content } = await readFile(engine, program, file);
  const coming = edits.flatMap(({ name, entry }) => (entry === undefined ? [] : [[name, entry] as const]));
  const keptOut = await findKeptOut(engine, program, file, content, coming);
  const planned = {
    ...wanted,
    ...(keptOut.size > 0 && { keptOut }),
    secret: wanted.secret ?? 'none',
    isReadByOthers: wanted.secret === 'header' && (await engine.files.isReadByOthers(file)),
    before: text,
    restores,
    made: 'entry' as const,
    shown: showEdits(program, content, edits, restores),
  };
  // What somebody else wrote may hold a secret, and the arguments of a command can be read by everybody.
  const isFileAlone = file.project !== undefined || restores;
  const commands = isFileAlone ? undefined : await planCommands(engine, program, content, edits);
  if (commands) return { ...planned, way: 'command', after: text, commands };
  const isOnlyPasted = program.command !== undefined || (program.whenAbsent === 'paste' && text === undefined);
  if (isOnlyPasted && !isFileAlone) {
    const isPasted = edits.every(({ name, entry }) =>
      isDeepStrictEqual(plain(entryNamed(content, name)), plain(entry)),
    );
    return { ...planned, way: 'paste', after: text, commands: [], isPasted };
  }
  const restored = await findRestored(engine, { ...wanted, text });
  if (restored) return inFile({ ...planned, way: 'file', after: restored.text, commands: [] }, content);
  const changes = (await engine.backups.list()).filter(({ path }) => path === file.path);
  const edited = editText(program, file.path, text ?? '', edits, madeBefore(changes));
  const takesMark = coming.length > 0 && program.format.startsWith('json') && edited.text.startsWith(mark);
  const unmarked = takesMark ? edited.text.slice(mark.length) : edited.text;
  const after = edited.text === '' && isOurs(changes) ? undefined : unmarked;
  const change = { ...planned, after, made: edited.made, ...(takesMark && { takesMark }) };
  return inFile({ ...change, way: 'file', commands: [] }, content);
}

/** A person sees the lines of the file itself. */
function inFile(planned: PlannedChange, content: FileContent): PlannedChange {
  return { ...planned, shown: showChange(planned, content) };
}

/** SHA-256 in hexadecimal; of no file nothing. */
export function hashOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}

async function findRestored(
  { backups }: ProgramEngine,
  { program, file, edits, text }: Wanted & { readonly text: string | undefined },
): Promise<{ readonly text: string | undefined } | undefined> {
  if (text === undefined || edits.some(({ entry }) => entry !== undefined)) return undefined;
  const names = edits.map(({ name }) => name);
  const change = (await backups.list()).find(
    ({ path, after, undoneAt }) => path === file.path && after === hashOf(text) && undoneAt === undefined,
  );
  if (change?.names.toSorted().join('\n') !== names.toSorted().join('\n')) return undefined;
  const before = await backups.before(change);
  if (hashOf(before) !== change.before) return undefined;
  const { entries = [] } = readContent(program, file.path, before);
  return entries.some(([name]) => names.includes(name)) ? undefined : { text: before };
}

/** We have made the file: Copilot CLI 1.0 fails on an empty one, and takes none. `changes`: of it, newest first. */
function isOurs(changes: readonly ProgramChange[]): boolean {
  return changes.find(({ made }) => made === 'all')?.action === 'created';
}

/** The most that our changes of a file had to make. */
function madeBefore(changes: readonly ProgramChange[]): Making {
  const made = changes.map((change) => change.made);
  return (['all', 'list'] as const).find((each) => made.includes(each)) ?? 'entry';
}

/** A change that Postern could not make, and that a person can. */
export class UnmadeChange extends PosternError {
  readonly paste: PasteLines;

  constructor({ code, options }: PosternError, paste: PasteLines) {
    super(code, { ...options, remedy: paste });
    this.paste = paste;
  }
}

/** What a person can put there by hand, of a change that Postern could not make; of somebody else's entry nothing. */
export function linesToPaste({ edits, restores, shown }: PlannedChange): string | undefined {
  const adds = edits.length > 0 && edits.every(({ entry }) => entry !== undefined);
  return adds && !restores ? shown.after : undefined;
}

/** The same error with the lines that a person can paste. */
export function withLines(error: PosternError, planned: PlannedChange): PosternError {
  const lines = linesToPaste(planned);
  if (lines === undefined) return error;
  const secret = planned.secret === 'header';
  const first = firstStep(error);
  const isInline = planned.isInline === true;
  const remedy: PasteLines = {
    kind: 'paste-lines',
    advice: `${firstSteps[first]}, or ${isInline ? 'put this yourself between the braces that its servers stand in, with a comma between two' : 'put these lines there yourself'}.${secret ? ` ${secretAdvice}` : ''}`,
    first,
    isInline,
    path: planned.file.path,
    lines,
    secret,
  };
  return new UnmadeChange(error, remedy);
}

const secretAdvice = 'A secret of this program stands in them: put them nowhere else.';

const firstSteps: Readonly<Record<PasteLines['first'], string>> = {
  'replace-file': 'Put an ordinary file there that you may write to and try again',
  'try-again': 'Try again',
  'fix-file': 'The file was left as it is: fix it and try again',
};

function firstStep(error: PosternError): PasteLines['first'] {
  if (isAbout(error, 'app-file-denied')) return 'replace-file';
  return isAbout(error, 'app-command') ? 'try-again' : 'fix-file';
}
