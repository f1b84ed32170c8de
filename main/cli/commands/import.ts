import path from 'node:path';
import type { UnreadPart } from '../../engine/kept/exported-list.ts';
import { importList } from '../../operations/lists.ts';
import type { Collections } from '../../gateway-ports.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import { fileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { importableEntries, importableFile } from '../../apps/import/importable.ts';
import type { ImportableList } from '../../apps/import/importable.ts';
import { makeChange } from '../../apps/make-change.ts';
import { fileToChange } from '../../apps/plan/plan-use.ts';
import { readFile } from '../../apps/plan/planned-change.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import type { Program } from '../../apps/table/program.ts';
import { findProgram } from '../../apps/table/table.ts';
import { createInteraction } from '../asking/cli-interaction.ts';
import { askForYes } from '../asking/terminal-prompts.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { readIntegrationOptions } from '../options/integration-options.ts';
import { hasOption } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import { changeFields, describeMade } from '../output/describe-change.ts';
import type { Answer } from '../output/output.ts';
import {
  describeFate,
  describeImportable,
  describeImported,
  describeShared,
  describeUnread,
  importableFields,
  importedFields,
  sharedAddresses,
  unreadFields,
} from '../programs/describe-import.ts';
import { headersToGive, importAll, knownServers, waitsForSignIn } from '../../operations/import.ts';
import type { Imported } from '../../operations/import.ts';
import { programNotFound } from '../programs/named-program.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';
import { hasReadableTools, isTakenOver, previewTakeOver } from '../programs/preview-take-over.ts';
import { printableLine } from '../text/printable.ts';

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
  const own = await importOwnList(args, { ...ports, collections }, pasted);
  if (own) return own;
  const source = await readSource(context, engine, pasted);
  if (takesOver && !source.of) throw new UsageError('--take-over needs the name of a program, not a file.', 'import');
  const { entries: wanted, unread } = choose(source, args.options.get('only') ?? []);
  const options = readIntegrationOptions(args);
  const taking = takesOver && source.of && (await previewTakeOver(engine, source.of, wanted, { ports, options }));
  const servers = knownServers(await ports.store.list(), ports);
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
  const interaction = createInteraction(context, 'print');
  const onProgress = importProgress(context, wanted.length);
  const imports = await importAll(
    { ports, options, interaction, signal, from: source.name, onProgress },
    wanted.map((entry) => ({
      entry,
      name: named ?? (taking ? taking.names.get(entry) : undefined) ?? entry.name,
    })),
  );
  context.steps.clear();
  for (const { entry, imported } of imports) output.event('import', importedFields(entry, imported));
  const taken = imports.flatMap(({ entry, imported }) => {
    // One that nobody has allowed would be of no use to the program.
    const isUsable = 'integration' in imported && imported.outcome !== 'to-allow' && isTakenOver(entry.server);
    return isUsable ? [{ name: entry.name, integration: imported.integration }] : [];
  });
  const planned = taking && taken.length > 0 ? await taking.plan(taken) : undefined;
  const made = planned && (await makeChange(engine, planned));
  const lines = [
    ...imports.map(({ entry, imported }) => output.advise(describeImported(entry, imported))),
    ...unread.map(describeUnread),
    ...(planned && made ? [output.advise(describeMade(planned, made))] : []),
  ];
  const fields = {
    imports: [...imports.map(({ entry, imported }) => importedFields(entry, imported)), ...unread.map(unreadFields)],
    changes: planned && made ? [changeFields(planned, made)] : [],
  };
  const unusable =
    unread.length +
    imports.filter(({ entry, imported }) => imported.outcome === 'local' || !hasReadableTools(entry.server)).length;
  const failure =
    unusable > 0
      ? new PosternError('LIST_UNREADABLE', { stage: 'programs', detail: { unread: unusable } })
      : firstFailure(imports.map(({ imported }) => imported));
  if (failure) output.event('imported', fields);
  return { fields, text: lines.length === 0 ? 'There is nothing to import.' : lines.join('\n'), failure };
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
    const advice = waiting === 1 ? 'Sign in to that server.' : 'Sign in to each of those servers.';
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
    const file = await fileToChange(engine, program);
    const { content } = await readFile(engine, program, file);
    return {
      ...(await importableEntries(engine, file.path, content)),
      name: program.name,
      of: { program, file },
    };
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
  ports: EnginePorts & { readonly collections: Collections },
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
