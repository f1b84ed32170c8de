import { hasTrait } from '../../../shared/error-traits.ts';
import { createChangeFingerprint } from '../../apps/apply-change.ts';
import { withLines } from '../../apps/plan/plan-edits.ts';
import type { Removal } from '../../apps/plan/entry-files.ts';
import type { RemovalChange } from '../../apps/plan/plan-outdated-entries.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import type { AppDependencies } from '../../apps/app-dependencies.ts';
import { accessChange } from '../../apps/records/app-records.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { applyProposed, proposeRemoval, proposePortChange } from '../../operations/app-changes.ts';
import type {
  ConfirmedChange,
  EntryChangeScope,
  RemovalScope,
  ProposedChange,
  ProposedFileChange,
} from '../../operations/app-changes.ts';
import { requireConfirmation, askLine } from '../interaction/terminal-user.ts';
import type { CommandContext } from '../command-context.ts';
import { changeFields, describeNewSecret, describeApplied, describePreview } from '../output/describe-change.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { CommandResult } from '../output/output.ts';
import { writeFileOptions } from '../output/write-command.ts';
import { printableLine } from '../text.ts';
import type { CommandApps } from './open-command-apps.ts';

/**
 * Plans the changes, shows them, asks, and makes them one by one. A change that cannot be planned stops all; if making
 * one fails, the others are still made and the result has both. `check` runs before they are shown. Errors: USAGE if
 * nobody can be asked, USER_CANCELLED, those of a plan, those of `applyProposed` that are not about one app.
 */
export async function confirmChanges(
  context: CommandContext,
  engine: AppDependencies,
  proposals: readonly ProposedChange[],
  check: (planned: readonly PlannedChange[]) => Promise<void> = async () => {},
): Promise<CommandResult> {
  const { args, output } = context;
  const records = await engine.records.list();
  const previewed: PreviewedChange[] = [];
  for (const change of proposals) previewed.push({ proposed: change, planned: await change.plan(engine) });
  await check(previewed.map(({ planned }) => planned));
  const previews = previewed.map(({ planned }): Outcome => {
    const access = accessChange(records, planned.records(records), planned.app);
    const text = describePreview(planned, { access });
    return { change: planned, fields: changeFields(planned, { access }), text, failure: faultOf(planned) };
  });
  if (args.options.has('dry-run')) return resultOf(context, previews);
  await requireConfirmation(context, {
    event: { changes: previews.map(({ fields }) => fields) },
    lines: previews.flatMap(({ text }) => text ?? []),
  });
  return await applyConfirmed(context, engine, previewed, (fields) => output.event('changed', fields));
}

/** Makes confirmed changes one by one. If one fails, the others are still made. */
export async function applyConfirmed(
  context: CommandContext,
  engine: AppDependencies,
  previewed: readonly PreviewedChange[],
  onApplied: (fields: Readonly<Record<string, unknown>>) => void = () => {},
): Promise<CommandResult> {
  const outcomes: Outcome[] = [];
  for (const change of previewed) {
    const outcome = await apply(engine, change, context.output.advise);
    outcomes.push(outcome);
    if (outcome.fields) onApplied(outcome.fields);
    // An error that is not about this app's file would also hit the next change.
    if (outcome.failure && !hasTrait(outcome.failure, 'app-file')) break;
  }
  return resultOf(context, outcomes);
}

/** A change and the plan that the user saw. */
interface PreviewedChange<Planned extends PlannedChange = PlannedChange> {
  readonly proposed: ProposedChange;
  readonly planned: Planned;
}

/** Makes the change only if its plan is still the one that the user saw. */
async function applyIfUnchanged(engine: AppDependencies, { proposed, planned }: PreviewedChange) {
  const fingerprint = createChangeFingerprint(engine.random);
  const expected = fingerprint(planned);
  return await applyProposed(engine, proposed, (now) => fingerprint(now) === expected);
}

/** The outcome of one change, planned or made. */
interface Outcome {
  readonly change: PlannedChange;
  /** Absent if it failed before anything was written. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly failure?: PosternError | undefined;
}

async function apply(
  engine: AppDependencies,
  previewed: PreviewedChange,
  advise: (sentence: string) => string,
): Promise<Outcome> {
  try {
    const { planned: change, ...applied } = await applyIfUnchanged(engine, previewed);
    const { replacesSecret = false } = change;
    const failure = faultOf(change);
    const text = failure
      ? describePreview(change, { isApplied: true, ...applied })
      : advise(describeApplied(change, applied));
    const notes = replacesSecret ? [advise(describeNewSecret(change.app))] : [];
    const fields = { ...changeFields(change, applied), ...(replacesSecret && { replacesSecret }) };
    return { change, fields, text: [text, ...notes].join('\n'), failure };
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return { change: previewed.planned, failure: error };
  }
}

/** The first failure becomes the error of the command, with the lines to paste. */
function resultOf({ adviceContext }: CommandContext, outcomes: readonly Outcome[]): CommandResult {
  const failed = outcomes.flatMap(({ change: { app, file }, failure }) =>
    failure ? [{ app: app.id, path: file.path, failure }] : [],
  );
  const first = failed[0]?.failure;
  const texts = outcomes.flatMap(({ change, text, failure }) => {
    if (failure && failure === first) return [];
    return text ?? `${change.app.name}: ${toCommandError(failure, adviceContext()).message}`;
  });
  const failures = failed.map(({ failure, ...where }) => ({
    ...where,
    error: toCommandError(failure, adviceContext()),
  }));
  return {
    fields: { changes: outcomes.flatMap(({ fields }) => fields ?? []), ...(first && { failures }) },
    text: texts.length === 0 ? undefined : texts.join('\n'),
    failure: first,
  };
}

function faultOf(change: PlannedChange): PosternError | undefined {
  return change.fault && withLines(change.fault, change);
}

/** The scope for a removal at a terminal, including app entries. */
export function removalScope(context: CommandContext, scope: EntryChangeScope): RemovalScope {
  return {
    ...scope,
    confirmEntries: async (removal) => await confirmEntryRemoval(context, await scope.openApps(), removal),
    onEntriesRestored({ entriesRestored: restoredIn, entriesNotRestored: missingIn }) {
      const namesOf = (apps: typeof restoredIn): string => apps.map(({ name }) => printableLine(name)).join(', ');
      const { notify } = context.output;
      if (restoredIn.length > 0) notify(`Restored the entries in ${namesOf(restoredIn)}.`);
      if (missingIn.length > 0) notify(`Could not restore the entries in ${namesOf(missingIn)}.`);
    },
  };
}

/**
 * Shows all app entries that would stop working and asks whether to remove them. If nobody can be asked, they stay and
 * are reported, like those that cannot be read or changed. Returns the changes to make. Errors: USER_CANCELLED, CFG_*.
 */
export async function confirmEntryRemoval(
  context: CommandContext,
  engine: AppDependencies,
  removal: Removal,
): Promise<readonly ConfirmedChange[]> {
  const { output, canAsk } = context;
  const unreadHint = 'If it has an entry for Postern, remove it yourself.';
  const all = await planRequiredChanges(context, engine, await proposeRemoval(engine, removal), unreadHint);
  const byHand = all.filter(({ planned }) => planned.method === 'paste');
  const automatic = all.filter(({ planned }) => planned.method !== 'paste');
  for (const { planned } of canAsk ? all : byHand) output.notify(describePreview(planned));
  if (automatic.length === 0) return [];
  if (canAsk && (await confirmRemoval(context, removal, automatic)))
    return automatic.map((change) => async () => {
      const fields = await applyAndReport(context, engine, change);
      output.event('changed', fields);
      return typeof fields['id'] === 'string' ? fields['id'] : undefined;
    });
  for (const { planned: change } of automatic) {
    // HTTP entries are recognized by the port in the settings, which are deleted too.
    const unknown = change.entries.filter(({ record }) => removal.kind === 'everything' && record === undefined);
    const names = unknown.map(({ name }) => name);
    output.event('entry-stays', { ...changeFields(change), ...(names.length > 0 && { byHand: names }) });
    for (const line of describeRemaining(change, names)) output.notify(output.advise(line));
  }
  return [];
}

/** `byHand`: entries that no command can find afterwards. */
function describeRemaining({ app, file, entries }: RemovalChange, byHand: readonly string[]): readonly string[] {
  const where = writeFileOptions(file);
  const known = entries.filter(({ name }) => !byHand.includes(name));
  const servers = [...new Set(known.map(({ server }) => server))];
  const commands = servers.map((server) => `postern unuse ${server} ${app.id}${where}`);
  const [what, them] = known.length === 1 ? ['The entry stays', 'it'] : ['The entries stay', 'them'];
  return [
    ...(known.length > 0 ? [`${what} in ${app.name}. Remove ${them} with: ${commands.join('; ')}`] : []),
    ...byHand.map(
      (name) =>
        `The entry “${printableLine(name, 80)}” stays in ${app.name}, and Postern will not recognize it later. Remove it yourself in ${printableLine(file.path, 1_000)}`,
    ),
  ];
}

/**
 * Plans for the files that need a change. A file that cannot be read is left alone and reported with `consequence`,
 * what that means for the user. Errors: those of a plan that are not about a file.
 */
async function planRequiredChanges<Planned extends PlannedChange>(
  { output, adviceContext }: CommandContext,
  engine: AppDependencies,
  all: readonly ProposedFileChange<Planned>[],
  consequence: string,
): Promise<readonly PreviewedChange<Planned>[]> {
  const needed: PreviewedChange<Planned>[] = [];
  for (const proposed of all) {
    try {
      const planned = await proposed.plan(engine);
      if (planned.edits.length > 0) needed.push({ proposed, planned });
    } catch (error) {
      if (!(error instanceof PosternError) || !hasTrait(error, 'app-file')) throw error;
      const { app, file } = proposed;
      const { code, message } = toCommandError(error, adviceContext());
      output.event('entry-unreadable', { app: app.id, path: file.path, code, message });
      output.notify(`${app.name} is left alone. ${message} ${consequence}`);
    }
  }
  return needed;
}

/** Changes for entries that have the old gateway port. Errors: CFG_*. */
export async function planPortChange(
  context: CommandContext,
  { engine, store }: Pick<CommandApps, 'engine' | 'store'>,
  port: number,
): Promise<readonly PreviewedChange[]> {
  const proposals = await proposePortChange({ ports: { store } }, engine, port);
  return await planRequiredChanges(context, engine, proposals, 'If it has a Postern address, that keeps the old port.');
}

/** Makes a previewed change and returns its fields. Errors: those of `applyProposed`. */
async function applyAndReport({ output }: CommandContext, engine: AppDependencies, previewed: PreviewedChange) {
  const { planned, ...applied } = await applyIfUnchanged(engine, previewed);
  output.notify(output.advise(describeApplied(planned, applied)));
  return changeFields(planned, applied);
}

async function confirmRemoval(
  context: CommandContext,
  removal: Removal,
  { length }: readonly PreviewedChange[],
): Promise<boolean> {
  const what = length === 1 ? 'this' : 'all of these';
  const reply = await askLine(context, `Remove ${what} ${removal.kind === 'app' ? 'now' : 'first'}? [Y/n] `);
  return reply !== undefined && !/^n(o)?$/iu.test(reply);
}
