import path from 'node:path';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { importableFile } from '../../apps/import/importable.ts';
import type { Importable, ImportableList } from '../../apps/import/importable.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import type { Program } from '../../apps/table/program.ts';
import { findProgram } from '../../apps/table/table.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import type { UnreadPart } from '../../engine/kept/exported-list.ts';
import { defaultOptions } from '../../engine/kept/integration-policy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { fileBytes } from '../../limits.ts';
import { makeWanted } from '../../operations/app-changes.ts';
import { headersToGive, importAll, ListedServers, waitsForSignIn } from '../../operations/import.ts';
import type { Imported, ImportedEntry } from '../../operations/import.ts';
import { importList } from '../../operations/lists.ts';
import {
  expectServers,
  isCarriedOver,
  isPartOf,
  isTakenOver,
  lostHeaders,
  readAppEntries,
  wantedTakeOver,
} from '../../operations/take-over.ts';
import { readPlainFile } from '../../plain-file.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { createInteraction } from '../asking/cli-interaction.ts';
import { askForYes, terminalSurface } from '../asking/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { readIntegrationOptions } from '../options/integration-options.ts';
import { didYouMean, hasOption, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { changeFields, describeMade, describePreview } from '../output/describe-change.ts';
import {
  describeFate,
  describeImportable,
  describeImported,
  describeLost,
  describeShared,
  describeUnread,
  importableFields,
  importedFields,
  sharedAddresses,
  unreadFields,
} from '../output/describe-import.ts';
import type { Answer } from '../output/output.ts';
import { programNotFound } from '../programs/named-program.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';
import { printableLine } from '../text.ts';

interface Source extends ImportableList {
  /** As a person may know it. */
  readonly name: string;
  /** Absent: a file alone was named. */
  readonly of?: { readonly program: Program; readonly file: ProgramFile };
}

/**
 * `postern import PROGRAM|FILE|-`: entries of a program as servers of Postern, which then may take their places. `named`:
 * of the only one. Errors:
 * PROGRAM_*, LIST_UNREADABLE, USAGE, USER_CANCELLED; LIST_UNREADABLE where an entry could not be read, else SIGN_IN_REQUIRED
 * where one waits for it, else that of the first that failed.
 */
export async function importEntries(context: CommandContext, named?: string): Promise<Answer> {
  const { args, output, signal } = context;
  const takesOver = hasOption(args, 'take-over');
  const { ports, folder, programs, collections } = await openCommandEngine(context);
  const engine = await openEnginePrograms(context, { ports, folder, programs });
  const pasted = args.positionals[0] === '-' ? await context.stdin.readAll(signal) : undefined;
  const own = await importOwnList(args, { ...ports, ...terminalSurface(context), collections }, pasted);
  if (own) return own;
  const source = await readSource(context, engine, pasted);
  if (takesOver && !source.of) throw new UsageError('--take-over needs the name of a program, not a file.', 'import');
  const { entries: wanted, unread } = choose(source, args.options.get('only') ?? []);
  const options = defaultOptions(readIntegrationOptions(args));
  const taking = takesOver && source.of && (await showTakeOver(engine, source.of.program, wanted, { ports, options }));
  const servers = new ListedServers(ports, await ports.store.list());
  const shared = await sharedAddresses(wanted, servers);
  const listing = { imports: wanted.map(importableFields), ...(shared.length > 0 && { shared }) };
  const given = taking ? [] : await headersToGive(wanted, servers);
  // With nothing to write there is nothing to ask: each entry says what became of it.
  if (taking && taking.fields.length > 0)
    await askForYes(context, {
      event: { ...listing, takeOver: source.of?.file.path, changes: taking.fields },
      lines: [...wanted.map(describeImportable), ...shared.map(describeShared), ...taking.lines],
    });
  else if (given.length > 0)
    await askForYes(context, {
      event: { ...listing, headersTo: given.map(({ name, known: { id } }) => ({ name, integration: id })) },
      lines: [
        ...given.map(({ name, known: server, headers }) => describeFate(name, server, headers)),
        ...shared.map(describeShared),
      ],
    });
  const user = { signIn: createInteraction(context, 'print') };
  const onProgress = importProgress(context, wanted.length);
  const imports = await importAll(
    { ports, user, surface: 'command-line', signal, from: source.name, onProgress },
    wanted.map((entry) => ({
      entry,
      name: named ?? (taking ? taking.names.get(entry) : undefined) ?? entry.name,
      options,
    })),
  );
  context.steps.clear();
  const isStopped = signal.aborted;
  for (const { entry, imported } of imports) output.event('import', importedFields(entry, imported));
  const done = taking && !isStopped ? await taking.make(imports) : undefined;
  const lines = [
    ...imports.map(({ entry, imported }) => output.advise(describeImported(entry, imported))),
    ...unread.map(describeUnread),
    ...(taking ? Array.from(taking.lost, ([{ name }, headers]) => describeLost(name, headers)) : []),
    ...(done ? [output.advise(describeMade(done.planned, done))] : []),
  ];
  const fields = {
    imports: [...imports.map(({ entry, imported }) => importedFields(entry, imported)), ...unread.map(unreadFields)],
    changes: done ? [changeFields(done.planned, done)] : [],
    ...(taking &&
      taking.lost.size > 0 && { left: Array.from(taking.lost, ([{ name }, headers]) => ({ name, headers })) }),
  };
  const unusable =
    unread.length +
    (taking ? taking.lost.size : 0) +
    imports.filter(({ entry, imported }) => imported.outcome === 'local' || !isCarriedOver(entry.server)).length;
  const failure = isStopped
    ? stopped(imports, wanted.length)
    : unusable > 0
      ? new PosternError('LIST_UNREADABLE', { stage: 'programs', detail: { unread: unusable } })
      : firstFailure(imports.map(({ imported }) => imported));
  if (failure) output.event('imported', fields);
  return { fields, text: lines.length === 0 ? 'There is nothing to import.' : lines.join('\n'), failure };
}

/** Taking entries over, as it is shown before anything is connected. */
interface ShownTakeOver {
  /** Empty where nothing can be taken over. */
  readonly fields: readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly string[];
  /** What the connection of an entry will be called: the same name may be that of another one, of a project. */
  readonly names: ReadonlyMap<Importable, string>;
  /** Entries that stay, since headers of theirs would be lost. */
  readonly lost: ReadonlyMap<Importable, readonly string[]>;
  /** For those that were connected; `undefined`: there are none. Errors: those of `makeWanted`. */
  make(imports: readonly ImportedEntry[]): ReturnType<typeof makeWanted> | undefined;
}

/** Errors: PROGRAM_FILE_*, KC_*, CFG_*. */
async function showTakeOver(
  engine: ProgramEngine,
  program: Program,
  entries: readonly Importable[],
  { ports, options }: { readonly ports: EnginePorts; readonly options: IntegrationOptions },
): Promise<ShownTakeOver> {
  const expected = await expectServers(ports, entries, options);
  let servers = new Map(expected.map(({ entry, integration }) => [entry, integration]));
  const taken = expected.filter(({ entry }) => isTakenOver(entry));
  const losing = taken.map(({ entry, integration }) => [entry, lostHeaders(entry.server, integration)] as const);
  const lost = new Map(losing.filter(([, headers]) => headers.length > 0));
  const replaced = taken.flatMap(({ entry }) => (lost.has(entry) ? [] : [entry]));
  const wanted = wantedTakeOver({ ports, programs: engine }, program, replaced, async (entry) => servers.get(entry));
  const shown = replaced.length === 0 ? undefined : await wanted.plan(engine);
  const fates = expected.flatMap(({ entry, known, headers }) =>
    known && headers.length > 0 ? [describeFate(entry.name, known, headers)] : [],
  );
  return {
    fields: shown ? [changeFields(shown)] : [],
    lines: shown ? [describePreview(shown), ...fates, 'Entries that cannot be connected stay as they are.'] : [],
    lost,
    names: new Map(expected.map(({ entry, integration }) => [entry, integration.name])),
    make(imports) {
      // One that nobody has allowed would be of no use to the program.
      const isUsable = ({ imported: { outcome } }: ImportedEntry): boolean => outcome !== 'to-allow';
      const usable = imports.filter((each) => isUsable(each) && replaced.includes(each.entry));
      servers = new Map(
        usable.flatMap(({ entry, imported }) => ('integration' in imported ? [[entry, imported.integration]] : [])),
      );
      return shown && servers.size > 0 ? makeWanted(engine, wanted, (now) => isPartOf(shown, now)) : undefined;
    },
  };
}

/** It was told to end: what was imported by then is listed. */
function stopped(imports: readonly { readonly imported: Imported }[], total: number): PosternError {
  const isSaved = imports.some(({ imported }) => 'integration' in imported);
  return new PosternError('USER_CANCELLED', {
    stage: 'programs',
    ...(isSaved && {
      detail: { work: 'import', count: imports.length, total },
      remedy: { kind: 'try-again', advice: 'importAgainForTheRest' },
    }),
  });
}

/** Of several entries: a line that moves, and for programs an event a second. */
function importProgress({ output, steps }: CommandContext, total: number): (done: number) => void {
  if (total < 2) return () => {};
  let progress = 0;
  let told = performance.now();
  const show = (): void => steps.begin(() => `Importing ${progress} of ${total}`);
  show();
  return (done) => {
    progress = done;
    // Steps of a connection take its place.
    show();
    const now = performance.now();
    if (now - told < 1_000) return;
    told = now;
    output.event('progress', { progress, total });
  };
}

/** A sign-in is what a person can do at once, so it is said before anything that failed. */
function firstFailure(imports: readonly Imported[]): PosternError | undefined {
  const waiting = imports.filter(waitsForSignIn).length;
  if (waiting > 0) {
    const advice = waiting === 1 ? 'signInToThatServer' : 'signInToThoseServers';
    return new PosternError('SIGN_IN_REQUIRED', { stage: 'connection', remedy: { kind: 'go-on', advice } });
  }
  return imports.map((imported) => ('error' in imported ? imported.error : undefined)).find((error) => error);
}

/** `pasted`: standard input. Errors: PROGRAM_NOT_FOUND, PROGRAM_FILE_*, LIST_UNREADABLE for what is no list. */
async function readSource(
  { args }: CommandContext,
  engine: ProgramEngine,
  pasted: string | undefined,
): Promise<Source> {
  const [word = ''] = args.positionals;
  const program = findProgram(word);
  if (program && !/[./\\]/.test(word)) {
    const { file, entries, unread } = await readAppEntries(engine, program);
    const withoutSetting = ({ keptOut: _said, ...entry }: Importable): Importable => entry;
    // A change of its configuration says so itself.
    const shown = hasOption(args, 'take-over') ? entries.map(withoutSetting) : entries;
    return { entries: shown, unread, name: program.name, of: { program, file } };
  }
  const place = path.resolve(word);
  const text = pasted ?? (await engine.files.read({ path: place, project: path.dirname(place) }));
  if (text === undefined && /[./\\]/.test(word))
    throw new UsageError(`There is no file ${printableLine(place, 1_000)}.`, 'import');
  if (text === undefined) throw await programNotFound(word, engine.records);
  const list = await importableFile(engine, pasted === undefined ? place : '', text);
  if (!list) throw new PosternError('LIST_UNREADABLE', { stage: 'programs' });
  return { ...list, name: pasted === undefined ? place : 'a pasted list' };
}

/** Errors: USAGE for a name that is not there. */
function choose({ entries, unread }: ImportableList, only: readonly string[]): ImportableList {
  if (only.length === 0) return { entries, unread };
  const names = [...entries, ...unread].map(({ name }) => name);
  const missing = only.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw new UsageError(
      `There is no entry “${printableLine(missing, 80)}” there.${didYouMean(missing, names)}`,
      'import',
    );
  const isWanted = ({ name }: { readonly name: string }): boolean => only.includes(name);
  return { entries: entries.filter(isWanted), unread: unread.filter(isWanted) };
}

/**
 * A list of `postern export` with or without `--json`, or of the window: a file, or `pasted`. `undefined`: the word names
 * none, and may be a program or a list of another kind. Errors: USAGE for options that are about those, LIST_UNREADABLE with what was done all the same, CFG_*.
 */
export async function importOwnList(
  args: ParsedArguments,
  ports: Parameters<typeof importList>[0],
  pasted: string | undefined,
): Promise<Answer | undefined> {
  const [word = ''] = args.positionals;
  if (pasted === undefined && !/[./\\]/u.test(word)) return undefined;
  const text = pasted ?? (await readListFile(word));
  if (!text.includes('postern-integrations')) return undefined;
  for (const option of ['only', 'take-over', 'local'] as const)
    if (hasOption(args, option)) throw new UsageError(`--${option} is not for a list of \`postern export\`.`, 'import');
  const imported = await importList(ports, text);
  if (!imported) return undefined;
  const { added, collections, skipped, leftOut } = imported;
  const lines = [
    ...imported.unread.slice(0, mostNamed).map(describeUnreadEntry),
    ...(imported.unread.length > mostNamed ? [`${imported.unread.length - mostNamed} more could not be read.`] : []),
    `${added.length} added, ${skipped} already here.`,
    ...(collections.length > 0 ? [`Collections added: ${collections.join(', ')}.`] : []),
    ...(leftOut > 0
      ? [
          `${leftOut} ${leftOut === 1 ? 'choice' : 'choices'} about addresses and hosts left out: make them here yourself.`,
        ]
      : []),
    ...(added.length > 0 ? ['Sign in to each: postern refresh NAME --sign-in browser'] : []),
  ];
  const refused = imported.unread.length;
  const unread = imported.unread.slice(0, mostListed);
  return {
    fields: { added, collections, skipped, refused, leftOut, ...(refused > 0 && { unread }) },
    text: lines.join('\n'),
    ...(refused > 0 && {
      failure: new PosternError('LIST_UNREADABLE', { stage: 'settings', detail: { unread: refused } }),
    }),
  };
}

/** Nothing where it cannot be read: whoever takes it for another list says why. */
async function readListFile(file: string): Promise<string> {
  const bytes = await readPlainFile(file, { limit: fileBytes.settings, follow: true }).catch(() => undefined);
  return bytes?.toString('utf8') ?? '';
}

/** Lines for a user, and parts in `--json`: the file may be anybody's. */
const [mostNamed, mostListed] = [20, 1_000];

function describeUnreadEntry({ list, index, name, member }: UnreadPart): string {
  const what = `${list === 'collections' ? 'Collection' : 'Entry'} ${index + 1}`;
  const shown = name === undefined ? what : `${what} (“${printableLine(name, 80)}”)`;
  return member === undefined
    ? `${shown} could not be read.`
    : `${shown} could not be read: its “${printableLine(member, 80)}”.`;
}
