import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { AppChange } from '../../../shared/app-view.ts';
import type { PasteLines } from '../../../shared/remedy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { AppFileFault } from '../../app-ports.ts';
import type { AppFile } from '../../app-ports.ts';
import type { EntrySecret } from '../entry/our-entries.ts';
import { editText, toPlainData, readContent } from '../list/edit-file.ts';
import type { Edit } from '../list/edit-file.ts';
import { entryNamed } from '../list/entry-list.ts';
import type { FileContent, CreatedScope } from '../list/entry-list.ts';
import { isInlineList, renderPair } from '../list/toml-list.ts';
import type { AppDependencies } from '../app-dependencies.ts';
import type { App } from '../table/app.ts';
import { findExcludedEntries } from './excluded-entries.ts';
import { planCommands, readAppFile, showChange, showEdits } from './planned-change.ts';
import type { PlannedChange } from './planned-change.ts';

const byteOrderMark = '\ufeff';

interface EditRequest {
  readonly app: App;
  readonly file: AppFile;
  readonly edits: readonly Edit[];
  readonly records: PlannedChange['records'];
  readonly secret?: EntrySecret;
  readonly restores?: boolean;
  readonly servers?: NonNullable<PlannedChange['servers']>;
  readonly rules?: NonNullable<PlannedChange['rules']>;
}

/**
 * Plans `edits` the way the app supports. If they revert all of our last change and the file is untouched since, the
 * backup is restored byte for byte. If the file cannot be changed, it is left alone and the user gets lines to paste.
 * Errors: APP_FILE_* if there is nothing to paste.
 */
export async function planEdits(engine: AppDependencies, request: EditRequest): Promise<PlannedChange> {
  try {
    return await planFile(engine, request);
  } catch (fault) {
    const planned = planPaste(request);
    if (!(fault instanceof AppFileFault) || linesToPaste(planned) === undefined) throw fault;
    return { ...planned, fault, ...(await planInlinePairs(engine, request, fault)) };
  }
}

/** Lines for a TOML inline table, to which no `[header]` can be added. */
async function planInlinePairs(
  { files }: AppDependencies,
  { app: { format, list }, file, edits }: EditRequest,
  { kind }: AppFileFault,
): Promise<Partial<Pick<PlannedChange, 'isInline' | 'shown'>>> {
  const isToml = format === 'toml' && kind === 'layout';
  const text = isToml ? await files.read(file).catch(() => undefined) : undefined;
  if (text === undefined || !isInlineList(text, list)) return {};
  const pairs = edits.flatMap(({ name, entry }) => (entry ? [renderPair(name, entry)] : []));
  return { isInline: true, shown: { before: '', after: pairs.join(',\n') } };
}

/** Lines for the user to paste; no file is read. */
export function planPaste(request: EditRequest): PlannedChange {
  const { app, edits, restores = false, secret = 'none' } = request;
  const noFile = {
    before: undefined,
    after: undefined,
    made: 'entry',
    commands: [],
    isReadableByOthers: false,
  } as const;
  const shown = showEdits(app, { rest: undefined, entries: undefined }, edits, restores);
  return { ...request, ...noFile, secret, restores, method: 'paste', shown };
}

async function planFile(engine: AppDependencies, request: EditRequest): Promise<PlannedChange> {
  const { app, file, edits, restores = false } = request;
  const { text, content } = await readAppFile(engine, app, file);
  const added = edits.flatMap(({ name, entry }) => (entry === undefined ? [] : [[name, entry] as const]));
  const excludedBy = await findExcludedEntries(engine, app, file, content, added);
  const planned = {
    ...request,
    ...(excludedBy.size > 0 && { excludedBy }),
    secret: request.secret ?? 'none',
    isReadableByOthers: request.secret === 'header' && (await engine.files.isReadableByOthers(file)),
    before: text,
    restores,
    made: 'entry' as const,
    shown: showEdits(app, content, edits, restores),
  };
  // A restored entry may hold a secret, and every local user can read the arguments of a command.
  const mustEditFile = file.project !== undefined || restores;
  const commands = mustEditFile ? undefined : await planCommands(engine, app, content, edits);
  if (commands) return { ...planned, method: 'command', after: text, commands };
  const mustBePasted = app.command !== undefined || (app.whenAbsent === 'paste' && text === undefined);
  if (mustBePasted && !mustEditFile) {
    const isPasted = edits.every(({ name, entry }) =>
      isDeepStrictEqual(toPlainData(entryNamed(content, name)), toPlainData(entry)),
    );
    return { ...planned, method: 'paste', after: text, commands: [], isPasted };
  }
  const restored = await findRestored(engine, { ...request, text });
  if (restored) return withShownLines({ ...planned, method: 'file', after: restored.text, commands: [] }, content);
  const changes = (await engine.backups.list()).filter(({ path }) => path === file.path);
  const edited = editText(app, file.path, text ?? '', edits, largestCreatedScope(changes));
  const removesBom = added.length > 0 && app.format.startsWith('json') && edited.text.startsWith(byteOrderMark);
  const unmarked = removesBom ? edited.text.slice(byteOrderMark.length) : edited.text;
  const after = edited.text === '' && isCreatedByUs(changes) ? undefined : unmarked;
  const change = { ...planned, after, made: edited.made, ...(removesBom && { removesBom }) };
  return withShownLines({ ...change, method: 'file', commands: [] }, content);
}

/** Shows the changed lines of the file itself for review. */
function withShownLines(planned: PlannedChange, content: FileContent): PlannedChange {
  return { ...planned, shown: showChange(planned, content) };
}

/** Hex SHA-256, or `undefined` if the file does not exist. */
export function hashOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex');
}

async function findRestored(
  { backups }: AppDependencies,
  { app, file, edits, text }: EditRequest & { readonly text: string | undefined },
): Promise<{ readonly text: string | undefined } | undefined> {
  if (text === undefined || edits.some(({ entry }) => entry !== undefined)) return undefined;
  const names = edits.map(({ name }) => name);
  const change = (await backups.list()).find(
    ({ path, after, undoneAt }) => path === file.path && after === hashOf(text) && undoneAt === undefined,
  );
  if (change?.names.toSorted().join('\n') !== names.toSorted().join('\n')) return undefined;
  const before = await backups.before(change);
  if (hashOf(before) !== change.before) return undefined;
  const { entries = [] } = readContent(app, file.path, before);
  return entries.some(([name]) => names.includes(name)) ? undefined : { text: before };
}

/**
 * We created the file, so we may delete it: Copilot CLI 1.0 accepts a missing file but fails on an empty one.
 * `changes`: those of this file, newest first.
 */
function isCreatedByUs(changes: readonly AppChange[]): boolean {
  return changes.find(({ made }) => made === 'all')?.action === 'created';
}

/** The most that our changes to this file had to create. */
function largestCreatedScope(changes: readonly AppChange[]): CreatedScope {
  const made = changes.map((change) => change.made);
  return (['all', 'list'] as const).find((each) => made.includes(each)) ?? 'entry';
}

/** A change that Postern could not make but the user can. */
export class ManualChangeRequired extends PosternError {
  readonly paste: PasteLines;

  constructor({ code, options }: PosternError, paste: PasteLines) {
    super(code, { ...options, remedy: paste });
    this.paste = paste;
  }
}

/** What the user can paste if Postern cannot make the change. Never a restored entry: it may hold a secret. */
export function linesToPaste({ edits, restores, shown }: PlannedChange): string | undefined {
  const adds = edits.length > 0 && edits.every(({ entry }) => entry !== undefined);
  return adds && !restores ? shown.after : undefined;
}

/** The same error with lines for the user to paste. */
export function withLines(error: PosternError, planned: PlannedChange): PosternError {
  const lines = linesToPaste(planned);
  if (lines === undefined) return error;
  const secret = planned.secret === 'header';
  const first = firstStep(error);
  const isInline = planned.isInline === true;
  const remedy: PasteLines = {
    kind: 'paste-lines',
    advice: `${firstSteps[first]}, or ${isInline ? 'add this yourself between the braces of its server list, separated by commas' : 'add these lines yourself'}.${secret ? ` ${secretAdvice}` : ''}`,
    first,
    isInline,
    path: planned.file.path,
    lines,
    secret,
  };
  return new ManualChangeRequired(error, remedy);
}

const secretAdvice = 'They contain a secret of this app: paste them nowhere else.';

const firstSteps: Readonly<Record<PasteLines['first'], string>> = {
  'replace-file': 'Replace it with a regular file that you can write to and try again',
  'try-again': 'Try again',
  'fix-file': 'Fix the file, which Postern left unchanged, and try again',
};

function firstStep(error: PosternError): PasteLines['first'] {
  if (hasTrait(error, 'app-file-denied')) return 'replace-file';
  return hasTrait(error, 'app-command') ? 'try-again' : 'fix-file';
}
