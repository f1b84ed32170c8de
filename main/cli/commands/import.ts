import path from 'node:path';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { importableFile } from '../../apps/import/importable.ts';
import type { Importable, ImportableList } from '../../apps/import/importable.ts';
import type { AppDependencies } from '../../apps/app-dependencies.ts';
import type { App } from '../../apps/table/app.ts';
import { findApp } from '../../apps/table/apps.ts';
import type { EnginePorts } from '../../engine/engine-ports.ts';
import type { UnreadablePart } from '../../engine/records/exported-list.ts';
import { withDefaultOptions } from '../../engine/records/integration-policy.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { fileBytes } from '../../limits.ts';
import { applyProposed } from '../../operations/app-changes.ts';
import { importAll, previewImport, waitsForSignIn } from '../../operations/import.ts';
import type { ImportResult, ImportedEntry } from '../../operations/import.ts';
import { importList } from '../../operations/lists.ts';
import {
  expectServers,
  isFullyRead,
  isSubsetOf,
  canBeTakenOver,
  lostHeaders,
  readAppEntries,
  proposeTakeOver,
} from '../../operations/take-over.ts';
import { readPlainFile } from '../../plain-file.ts';
import type { AppFile } from '../../app-ports.ts';
import { createInteraction } from '../interaction/cli-interaction.ts';
import { requireConfirmation, terminalSurface } from '../interaction/terminal-user.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import { readIntegrationOptions } from '../options/integration-options.ts';
import { didYouMean, hasOption, UsageError } from '../options/parse-arguments.ts';
import type { ParsedArguments } from '../options/parse-arguments.ts';
import { changeFields, describeApplied, describePreview } from '../output/describe-change.ts';
import {
  describeHeaderUse,
  describeImportable,
  describeImported,
  describeLostHeaders,
  describeSharedAddress,
  describeUnreadable,
  importableFields,
  importedFields,
  unreadableFields,
} from '../output/describe-import.ts';
import type { CommandResult } from '../output/output.ts';
import { appNotFound } from '../apps/resolve-references.ts';
import { printableLine } from '../text.ts';

interface Source extends ImportableList {
  /** Display name. */
  readonly name: string;
  /** Absent if only a file was named. */
  readonly origin?: ImportOrigin;
}

interface ImportOrigin {
  readonly app: App;
  readonly file: AppFile;
}

/**
 * `postern import APP|FILE|-`: adds the entries of an app as servers, and with --take-over replaces them by Postern.
 * Errors: APP_*, USAGE, those of `importEntries`.
 */
export async function importFrom(context: CommandContext): Promise<CommandResult> {
  const { args } = context;
  const engine = await context.openEngine();
  const pasted = args.positionals[0] === '-' ? await context.stdin.readAll(context.signal) : undefined;
  const ownList = await importOwnList(context, engine, pasted ?? (await readOwnList(args)));
  if (ownList) return ownList;
  const apps = await engine.openApps();
  const source = await readSource(args, apps, pasted);
  const list = { ...source, ...selectEntries(source, args.options.get('only') ?? []) };
  if (!hasOption(args, 'take-over')) return await importEntries(context, engine.ports, list);
  if (!source.origin) throw new UsageError('--take-over needs an APP, not a file.', 'import');
  const options = withDefaultOptions(readIntegrationOptions(args));
  const takeOver = await planTakeOver(apps, source.origin, list.entries, { ports: engine.ports, options });
  return await importEntries(context, engine.ports, list, { takeOver });
}

/** A list pasted as an argument of `connect`. `named`: name for its only entry. Errors: those of `importEntries`. */
export async function importPasted(context: CommandContext, text: string, named?: string): Promise<CommandResult> {
  const engine = await context.openEngine();
  const ownList = await importOwnList(context, engine, text);
  if (ownList) return ownList;
  const list = await readPastedList(await engine.openApps(), text);
  return await importEntries(context, engine.ports, list, { named });
}

interface ImportChoices {
  /** Name for a single entry. */
  readonly named?: string | undefined;
  readonly takeOver?: TakeOverPlan | undefined;
}

/**
 * Imports entries once the user agrees. Errors: USER_CANCELLED; after importing: LIST_UNREADABLE if an entry could not
 * be read, else SIGN_IN_REQUIRED if one needs a sign-in, else the first failure.
 */
async function importEntries(
  context: CommandContext,
  ports: EnginePorts,
  { entries, unreadable, name: from }: Source,
  { named, takeOver }: ImportChoices = {},
): Promise<CommandResult> {
  const { args, output, signal } = context;
  const options = withDefaultOptions(readIntegrationOptions(args));
  const { shared, headerUses } = await previewImport(ports, entries);
  const listing = { imports: entries.map(importableFields), ...(shared.length > 0 && { shared }) };
  // If nothing will be written, do not ask: each entry reports its outcome.
  if (takeOver && takeOver.fields.length > 0)
    await requireConfirmation(context, {
      event: { ...listing, takeOver: takeOver.path, changes: takeOver.fields },
      lines: [...entries.map(describeImportable), ...shared.map(describeSharedAddress), ...takeOver.lines],
    });
  else if (!takeOver && headerUses.length > 0)
    await requireConfirmation(context, {
      event: { ...listing, headersTo: headerUses.map(({ name, known: { id } }) => ({ name, integration: id })) },
      lines: [
        ...headerUses.map(({ name, known: server, headers }) => describeHeaderUse(name, server, headers)),
        ...shared.map(describeSharedAddress),
      ],
    });
  const user = { signIn: createInteraction(context, 'print') };
  const onProgress = importProgress(context, entries.length);
  const imports = await importAll(
    { ports, user, surface: 'command-line', signal, from, onProgress },
    entries.map((entry) => ({ entry, name: named ?? takeOver?.names.get(entry) ?? entry.name, options })),
  );
  context.steps.clear();
  const isStopped = signal.aborted;
  for (const { entry, imported } of imports) output.event('import', importedFields(entry, imported));
  const applied = isStopped ? undefined : await takeOver?.make(imports);
  const lost = [...(takeOver?.lost ?? [])];
  const lines = [
    ...imports.map(({ entry, imported }) => output.advise(describeImported(entry, imported))),
    ...unreadable.map(describeUnreadable),
    ...lost.map(([{ name }, headers]) => describeLostHeaders(name, headers)),
    ...(applied ? [output.advise(describeApplied(applied.planned, applied))] : []),
  ];
  const fields = {
    imports: [
      ...imports.map(({ entry, imported }) => importedFields(entry, imported)),
      ...unreadable.map(unreadableFields),
    ],
    changes: applied ? [changeFields(applied.planned, applied)] : [],
    ...(lost.length > 0 && { left: lost.map(([{ name }, headers]) => ({ name, headers })) }),
  };
  const unusable =
    unreadable.length +
    lost.length +
    imports.filter(({ entry, imported }) => imported.outcome === 'local' || !isFullyRead(entry.server)).length;
  const failure = isStopped
    ? interruptedError(imports, entries.length)
    : unusable > 0
      ? new PosternError('LIST_UNREADABLE', { stage: 'apps', detail: { unreadable: unusable } })
      : firstFailure(imports.map(({ imported }) => imported));
  if (failure) output.event('imported', fields);
  return { fields, text: lines.length === 0 ? 'There is nothing to import.' : lines.join('\n'), failure };
}

/** The plan for taking over entries, shown before anything is connected. */
interface TakeOverPlan {
  /** The app's file. */
  readonly path: string;
  /** Empty if nothing can be taken over. */
  readonly fields: readonly Readonly<Record<string, unknown>>[];
  readonly lines: readonly string[];
  /** Server name for each entry. Names must differ, even if two projects use the same one. */
  readonly names: ReadonlyMap<Importable, string>;
  /** Entries left alone because their headers would be lost. */
  readonly lost: ReadonlyMap<Importable, readonly string[]>;
  /** Makes the change for connected entries; `undefined` if there are none. Errors: those of `applyProposed`. */
  make(imports: readonly ImportedEntry[]): ReturnType<typeof applyProposed> | undefined;
}

/** Errors: APP_FILE_*, KC_*, CFG_*. */
async function planTakeOver(
  engine: AppDependencies,
  { app, file }: ImportOrigin,
  entries: readonly Importable[],
  { ports, options }: { readonly ports: EnginePorts; readonly options: IntegrationOptions },
): Promise<TakeOverPlan> {
  const expected = await expectServers(ports, entries, options);
  let servers = new Map(expected.map(({ entry, integration }) => [entry, integration]));
  const candidates = expected.filter(({ entry }) => canBeTakenOver(entry));
  const headersLost = candidates.map(
    ({ entry, integration }) => [entry, lostHeaders(entry.server, integration)] as const,
  );
  const lost = new Map(headersLost.filter(([, headers]) => headers.length > 0));
  const replaced = candidates.flatMap(({ entry }) => (lost.has(entry) ? [] : [entry]));
  const proposal = proposeTakeOver({ ports, apps: engine }, app, replaced, async (entry) => servers.get(entry));
  const plan = replaced.length === 0 ? undefined : await proposal.plan(engine);
  const headerNotes = expected.flatMap(({ entry, known, headers }) =>
    known && headers.length > 0 ? [describeHeaderUse(entry.name, known, headers)] : [],
  );
  return {
    path: file.path,
    fields: plan ? [changeFields(plan)] : [],
    lines: plan ? [describePreview(plan), ...headerNotes, 'Entries that cannot be connected stay unchanged.'] : [],
    lost,
    names: new Map(expected.map(({ entry, integration }) => [entry, integration.name])),
    make(imports) {
      // A command that is not allowed yet would not work for the app.
      const isUsable = ({ imported: { outcome } }: ImportedEntry): boolean => outcome !== 'to-allow';
      const usable = imports.filter((each) => isUsable(each) && replaced.includes(each.entry));
      servers = new Map(
        usable.flatMap(({ entry, imported }) => ('integration' in imported ? [[entry, imported.integration]] : [])),
      );
      return plan && servers.size > 0 ? applyProposed(engine, proposal, (now) => isSubsetOf(plan, now)) : undefined;
    },
  };
}

/** The user interrupted. The error says what was imported so far. */
function interruptedError(imports: readonly { readonly imported: ImportResult }[], total: number): PosternError {
  const isSaved = imports.some(({ imported }) => 'integration' in imported);
  return new PosternError('USER_CANCELLED', {
    stage: 'apps',
    ...(isSaved && {
      detail: { work: 'import', count: imports.length, total },
      remedy: { kind: 'try-again', advice: 'importRestAgain' },
    }),
  });
}

/** Progress for several entries: an animated line, and with `--json` an event per second. */
function importProgress({ output, steps }: CommandContext, total: number): (done: number) => void {
  if (total < 2) return () => {};
  let progress = 0;
  let lastEvent = performance.now();
  const show = (): void => steps.begin(() => `Importing ${progress} of ${total}`);
  show();
  return (done) => {
    progress = done;
    // Again, because connection steps replace the line.
    show();
    const now = performance.now();
    if (now - lastEvent < 1_000) return;
    lastEvent = now;
    output.event('progress', { progress, total });
  };
}

/** A required sign-in comes before failures, because the user can do it at once. */
function firstFailure(imports: readonly ImportResult[]): PosternError | undefined {
  const waiting = imports.filter(waitsForSignIn).length;
  if (waiting > 0) {
    const advice = waiting === 1 ? 'signInToThatServer' : 'signInToThoseServers';
    return new PosternError('SIGN_IN_REQUIRED', { stage: 'connection', remedy: { kind: 'go-on', advice } });
  }
  return imports.map((imported) => ('error' in imported ? imported.error : undefined)).find((error) => error);
}

/** `pasted`: standard input. Errors: APP_NOT_FOUND, APP_FILE_*, LIST_UNREADABLE if it is not a list. */
async function readSource(args: ParsedArguments, engine: AppDependencies, pasted: string | undefined): Promise<Source> {
  const [word = ''] = args.positionals;
  const app = findApp(word);
  if (app && !/[./\\]/.test(word)) {
    const { file, entries, unreadable } = await readAppEntries(engine, app);
    const withoutSetting = ({ excludedBy: _excludedBy, ...entry }: Importable): Importable => entry;
    // With --take-over, the preview reports this.
    const reported = hasOption(args, 'take-over') ? entries.map(withoutSetting) : entries;
    return { entries: reported, unreadable, name: app.name, origin: { app, file } };
  }
  if (pasted !== undefined) return await readPastedList(engine, pasted);
  const file = path.resolve(word);
  const text = await engine.files.read({ path: file, project: path.dirname(file) });
  if (text === undefined && /[./\\]/.test(word))
    throw new UsageError(`The file ${printableLine(file, 1_000)} does not exist.`, 'import');
  if (text === undefined) throw await appNotFound(word, engine.records);
  return { ...(await readList(engine, file, text)), name: file };
}

async function readPastedList(engine: AppDependencies, text: string): Promise<Source> {
  return { ...(await readList(engine, '', text)), name: 'a pasted list' };
}

/** Errors: LIST_UNREADABLE if it is not a list, CFG_*. */
async function readList(engine: AppDependencies, file: string, text: string): Promise<ImportableList> {
  const list = await importableFile(engine, file, text);
  if (!list) throw new PosternError('LIST_UNREADABLE', { stage: 'apps' });
  return list;
}

/** Errors: USAGE for an unknown entry name. */
function selectEntries({ entries, unreadable }: ImportableList, only: readonly string[]): ImportableList {
  if (only.length === 0) return { entries, unreadable };
  const names = [...entries, ...unreadable].map(({ name }) => name);
  const missing = only.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw new UsageError(`There is no entry “${printableLine(missing, 80)}”.${didYouMean(missing, names)}`, 'import');
  const isWanted = ({ name }: { readonly name: string }): boolean => only.includes(name);
  return { entries: entries.filter(isWanted), unreadable: unreadable.filter(isWanted) };
}

/**
 * Imports a list from `postern export` or the window. `undefined`: it is not such a list. Errors: USAGE for options that
 * do not apply, LIST_UNREADABLE with what was imported, CFG_*.
 */
async function importOwnList(
  context: CommandContext,
  engine: Pick<CommandEngine, 'ports' | 'collections'>,
  text: string,
): Promise<CommandResult | undefined> {
  if (!text.includes('postern-integrations')) return undefined;
  for (const option of ['only', 'take-over', 'local'] as const)
    if (hasOption(context.args, option))
      throw new UsageError(`--${option} does not apply to a list from \`postern export\`.`, 'import');
  const imported = await importList(
    { ...engine.ports, ...terminalSurface(context), collections: engine.collections },
    text,
  );
  if (!imported) return undefined;
  const { added, collections, skipped, leftOut } = imported;
  const lines = [
    ...imported.unreadable.slice(0, maxTextLines).map(describeUnreadablePart),
    ...(imported.unreadable.length > maxTextLines
      ? [`${imported.unreadable.length - maxTextLines} more could not be read.`]
      : []),
    `${added.length} added, ${skipped} already here.`,
    ...(collections.length > 0 ? [`Collections added: ${collections.join(', ')}.`] : []),
    ...(leftOut > 0
      ? [
          `${leftOut} ${leftOut === 1 ? 'option' : 'options'} about addresses and hosts left out. Set them here yourself.`,
        ]
      : []),
    ...(added.length > 0 ? ['Sign in to each with: postern refresh NAME --sign-in browser'] : []),
  ];
  const refused = imported.unreadable.length;
  const unreadable = imported.unreadable.slice(0, maxJsonParts);
  return {
    fields: { added, collections, skipped, refused, leftOut, ...(refused > 0 && { unreadable }) },
    text: lines.join('\n'),
    ...(refused > 0 && {
      failure: new PosternError('LIST_UNREADABLE', { stage: 'settings', detail: { unreadable: refused } }),
    }),
  };
}

/** Empty if APP or FILE is no readable file: the next reader reports why. */
async function readOwnList({ positionals: [file = ''] }: ParsedArguments): Promise<string> {
  if (!/[./\\]/u.test(file)) return '';
  const bytes = await readPlainFile(file, { limit: fileBytes.settings, follow: true }).catch(() => undefined);
  return bytes?.toString('utf8') ?? '';
}

/** Limits for text and `--json`, because the file is untrusted. */
const [maxTextLines, maxJsonParts] = [20, 1_000];

function describeUnreadablePart({ list, index, name, member }: UnreadablePart): string {
  const what = `${list === 'collections' ? 'Collection' : 'Entry'} ${index + 1}`;
  const label = name === undefined ? what : `${what} (“${printableLine(name, 80)}”)`;
  return member === undefined
    ? `${label} could not be read.`
    : `${label} could not be read: check its “${printableLine(member, 80)}”.`;
}
