import path from 'node:path';
import { keysIn } from '../../integration/kept/stored-secrets.ts';
import { readIntegrationOptions } from '../options/integration-options.ts';
import { PosternError } from '../../postern-error.ts';
import { denyTools } from '../../programs/entry/entry-decisions.ts';
import { importableEntries, importableFile, type ImportableList } from '../../programs/import/importable.ts';
import { makeChange } from '../../programs/change/make-change.ts';
import { fileToChange } from '../../programs/plan/plan-use.ts';
import { readFile } from '../../programs/plan/planned-change.ts';
import type { Program } from '../../programs/table/program.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import { findProgram } from '../../programs/table/table.ts';
import type { ProgramFile } from '../../program-ports.ts';
import { askForYes } from '../asking/ask-for-yes.ts';
import type { CommandContext } from '../command-context.ts';
import { headersToGive, importAll, type Imported, waitsForSignIn } from '../programs/import-entry.ts';
import { programNotFound } from '../programs/named-program.ts';
import { sharedAddresses } from '../programs/shared-address.ts';
import { isTakenOver, previewTakeOver } from '../programs/preview-take-over.ts';
import { importOwnList } from '../programs/import-own-list.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';
import { hasOption } from '../options/option-values.ts';
import { createInteraction } from '../asking/sign-in-way.ts';
import { didYouMean, UsageError } from '../options/usage-error.ts';
import { changeFields, describeMade } from '../output/describe-change.ts';
import {
  describeFate,
  describeImportable,
  describeImported,
  describeShared,
  describeUnread,
  importableFields,
  importedFields,
  unreadFields,
} from '../programs/describe-import.ts';
import { printableLine } from '../text/printable.ts';
import type { Answer } from '../output/output.ts';

interface Source extends ImportableList {
  /** As a person may know it. */
  readonly name: string;
  /** Absent: a file alone was named. */
  readonly of?: { readonly program: Program; readonly file: ProgramFile };
}

/**
 * `postern import PROGRAM|FILE|-`: entries of a program as servers of Postern, which then may take their places. Errors:
 * PROGRAM_*, LIST_UNREADABLE, USAGE, USER_CANCELLED; LIST_UNREADABLE where an entry could not be read, else SIGN_IN_REQUIRED
 * where one waits for it, else that of the first that failed.
 */
export async function importEntries(context: CommandContext): Promise<Answer> {
  const { args, output, signal } = context;
  const takesOver = hasOption(args, 'take-over');
  const { ports, folder, programs, collections } = await openCommandEngine(context);
  const engine = await openEnginePrograms(context, { ports, folder, programs });
  const own = await importOwnList(context, { ...ports, collections });
  if (own) return own;
  const source = await readSource(context, engine);
  if (takesOver && !source.of) throw new UsageError('--take-over needs the name of a program, not a file.', 'import');
  const { entries: wanted, unread } = choose(source, args.options.get('only') ?? []);
  const options = readIntegrationOptions(args);
  const taking = takesOver && source.of && (await previewTakeOver(engine, source.of, wanted, { ports, options }));
  const known = await ports.store.list();
  const servers = { integrations: known, keysOf: keysIn(ports.vault), before: new Set(known.map(({ id }) => id)) };
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
  const imports = await importAll(
    { ports, options, interaction, signal, from: source.name },
    wanted.map((entry) => ({ entry, name: (taking ? taking.names.get(entry.name) : undefined) ?? entry.name })),
  );
  for (const { entry, imported } of imports) output.event('import', importedFields(entry, imported));
  const taken = imports.flatMap(({ entry, imported }) => {
    // One that nobody has allowed would be of no use to the program.
    const isUsable = 'integration' in imported && imported.outcome !== 'to-allow' && isTakenOver(entry.server);
    return isUsable ? [{ name: entry.name, integration: imported.integration, decisions: entry.server.decisions }] : [];
  });
  const planned = taking && taken.length > 0 ? await taking.plan(taken) : undefined;
  // Before the change: no call of the app may come in between.
  if (planned)
    for (const { integration, decisions } of taken)
      await denyTools(ports.store, integration, planned.program, decisions);
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
  const unusable = unread.length + imports.filter(({ imported }) => imported.outcome === 'local').length;
  const failure =
    unusable > 0
      ? new PosternError('LIST_UNREADABLE', { stage: 'programs', detail: { unread: unusable } })
      : firstFailure(imports.map(({ imported }) => imported));
  if (failure) output.event('imported', fields);
  return { fields, text: lines.length === 0 ? 'There is nothing to import.' : lines.join('\n'), failure };
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

/** Errors: PROGRAM_NOT_FOUND, PROGRAM_FILE_*, LIST_UNREADABLE for a file without a list. */
async function readSource({ args, stdin, signal }: CommandContext, engine: ProgramEngine): Promise<Source> {
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
  const isPasted = word === '-';
  const place = path.resolve(word);
  const text = isPasted
    ? await stdin.readAll(signal)
    : await engine.files.read({ path: place, project: path.dirname(place) });
  if (text === undefined && /[./\\]/.test(word))
    throw new UsageError(`There is no file ${printableLine(place, 1_000)}.`, 'import');
  if (text === undefined) throw await programNotFound(word, engine.records);
  const list = await importableFile(engine, isPasted ? '' : place, text);
  if (!list) throw new PosternError('LIST_UNREADABLE', { stage: 'programs' });
  return { ...list, name: isPasted ? 'a pasted list' : place };
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
