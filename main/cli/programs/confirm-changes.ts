import { isAbout } from '../../../shared/error-facts.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { makeChange } from '../../apps/make-change.ts';
import { withLines } from '../../apps/plan/plan-edits.ts';
import { filesOfLeaving, planLeaving } from '../../apps/plan/plan-leaving.ts';
import type { EntryFile, Leaving, LeavingChange } from '../../apps/plan/plan-leaving.ts';
import type { PlannedChange } from '../../apps/plan/planned-change.ts';
import type { ProgramEngine } from '../../apps/program-engine.ts';
import { rightChange } from '../../apps/records/program-records.ts';
import { askForYes } from '../asking/terminal-prompts.ts';
import type { CommandContext } from '../command-context.ts';
import { toCommandError } from '../output/command-error.ts';
import { changeFields, describeEndedSecret, describeMade, describePreview } from '../output/describe-change.ts';
import type { Answer } from '../output/output.ts';
import { writeWhere } from '../output/write-command.ts';
import { printableLine } from '../text/printable.ts';

/** A change with what was not shown put in. */
export interface CompletedChange {
  readonly change: PlannedChange;
  /** Where it was not made after all. Never rejects. */
  readonly giveBack?: () => Promise<void>;
  /** The program has a new secret, since the earlier one is lost: entries that hold that one are useless. */
  readonly endsSecret?: boolean;
}

/**
 * Shows the changes, asks, and makes them one after the other. One that fails keeps no other from being made: the answer
 * has both. `complete` puts in what is not shown. Errors: USAGE where nobody can be asked, USER_CANCELLED, those of
 * `makeChange` that are no program's.
 */
export async function confirmChanges(
  context: CommandContext,
  engine: ProgramEngine,
  planned: readonly PlannedChange[],
  complete: (change: PlannedChange) => Promise<CompletedChange> = async (change) => ({ change }),
): Promise<Answer> {
  const { args, output } = context;
  const records = await engine.records.list();
  const shown = planned.map((change): Outcome => {
    const right = rightChange(records, change.records(records), change.program);
    const text = describePreview(change, { right });
    return { change, fields: changeFields(change, { right }), text, failure: faultOf(change) };
  });
  if (args.options.has('dry-run')) return answerOf(context, shown);
  await askForYes(context, {
    event: { changes: shown.map(({ fields }) => fields) },
    lines: shown.flatMap(({ text }) => text ?? []),
  });
  const done: Outcome[] = [];
  for (const change of planned) {
    const one = await make(engine, change, complete, output.advise);
    done.push(one);
    if (one.fields) output.event('changed', one.fields);
    // What is no program's own fault is the next one's too.
    if (one.failure && !isAbout(one.failure, 'app-file')) break;
  }
  return answerOf(context, done);
}

/** What becomes of one change, or became of it. */
interface Outcome {
  readonly change: PlannedChange;
  /** Absent where nothing came of it. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly text?: string;
  readonly failure?: PosternError | undefined;
}

async function make(
  engine: ProgramEngine,
  shown: PlannedChange,
  complete: (change: PlannedChange) => Promise<CompletedChange>,
  advise: (sentence: string) => string,
): Promise<Outcome> {
  let giveBack: CompletedChange['giveBack'];
  try {
    const { change, endsSecret = false, ...completed } = await complete(shown);
    giveBack = completed.giveBack;
    const made = await makeChange(engine, change);
    const failure = faultOf(change);
    const text = failure ? describePreview(change, { isMade: true, ...made }) : advise(describeMade(change, made));
    const also = endsSecret ? [advise(describeEndedSecret(change.program))] : [];
    const fields = { ...changeFields(change, made), ...(endsSecret && { endsSecret }) };
    return { change, fields, text: [text, ...also].join('\n'), failure };
  } catch (error) {
    await giveBack?.();
    if (!(error instanceof PosternError)) throw error;
    return { change: shown, failure: error };
  }
}

/** The error that ends the run tells of the first failure, with the lines to paste. */
function answerOf({ situation }: CommandContext, outcomes: readonly Outcome[]): Answer {
  const failed = outcomes.flatMap(({ change: { program, file }, failure }) =>
    failure ? [{ program: program.id, path: file.path, failure }] : [],
  );
  const first = failed[0]?.failure;
  const texts = outcomes.flatMap(({ change, text, failure }) => {
    if (failure && failure === first) return [];
    return text ?? `${change.program.name}: ${toCommandError(failure, situation()).message}`;
  });
  const failures = failed.map(({ failure, ...where }) => ({ ...where, error: toCommandError(failure, situation()) }));
  return {
    fields: { changes: outcomes.flatMap(({ fields }) => fields ?? []), ...(first && { failures }) },
    text: texts.length === 0 ? undefined : texts.join('\n'),
    failure: first,
  };
}

function faultOf(change: PlannedChange): PosternError | undefined {
  return change.fault && withLines(change.fault, change);
}

/**
 * Entries of programs that would lead nowhere are shown all at once, and taken out when the person says yes. Where
 * nobody can be asked they stay, and so do those that cannot be read or changed; each is said. Errors: USER_CANCELLED,
 * those of `makeChange`, CFG_*.
 */
export async function offerEntries(context: CommandContext, engine: ProgramEngine, leaving: Leaving): Promise<void> {
  const { output, canAsk } = context;
  const planned: LeavingChange[] = [];
  for (const place of await filesOfLeaving(engine, leaving)) {
    const change = await planLeaving(engine, place, leaving).catch((error: unknown) =>
      tellFault(context, place, error),
    );
    if (change && change.edits.length > 0) planned.push(change);
  }
  const byHand = planned.filter(({ way }) => way === 'paste');
  const ours = planned.filter(({ way }) => way !== 'paste');
  if (canAsk || byHand.length > 0) for (const change of canAsk ? planned : byHand) output.tell(describePreview(change));
  if (ours.length === 0) return;
  if (canAsk && (await saysYes(context, leaving, ours))) {
    for (const change of ours) {
      const made = await makeChange(engine, change);
      output.event('changed', changeFields(change, made));
      output.tell(output.advise(describeMade(change, made)));
    }
    return;
  }
  for (const change of ours) {
    // With an address it is known by the port in the settings, which go too.
    const unknown = change.entries.filter(({ record }) => leaving.kind === 'everything' && record === undefined);
    const names = unknown.map(({ name }) => name);
    output.event('entry-stays', { ...changeFields(change), ...(names.length > 0 && { byHand: names }) });
    for (const line of describeStaying(change, names)) output.tell(output.advise(line));
  }
}

/** `byHand`: names of entries that no command will find any more. */
function describeStaying({ program, file, entries }: LeavingChange, byHand: readonly string[]): readonly string[] {
  const where = writeWhere(file);
  const known = entries.filter(({ name }) => !byHand.includes(name));
  const servers = [...new Set(known.map(({ server }) => server))];
  const commands = servers.map((server) => `postern unuse ${server} ${program.id}${where}`);
  const [what, them] = known.length === 1 ? ['The entry stays', 'it'] : ['The entries stay', 'them'];
  return [
    ...(known.length > 0 ? [`${what} in ${program.name}. Take ${them} out with: ${commands.join('; ')}`] : []),
    ...byHand.map(
      (name) =>
        `The entry “${printableLine(name, 80)}” stays in ${program.name}, and Postern cannot tell later that it is its own. Take it out by hand: ${printableLine(file.path, 1_000)}`,
    ),
  ];
}

/** A file that could not be read is left alone, and said to be, so that nobody takes it for free of entries. */
function tellFault({ output, situation }: CommandContext, { program, file }: EntryFile, error: unknown): undefined {
  if (!(error instanceof PosternError) || !isAbout(error, 'app-file')) throw error;
  const { code, message } = toCommandError(error, situation());
  output.event('entry-unread', { program: program.id, path: file.path, code, message });
  output.tell(`${program.name} is left alone. ${message} If an entry of Postern stands in it, take it out by hand.`);
  return undefined;
}

async function saysYes(
  { prompt, stdin, signal }: CommandContext,
  leaving: Leaving,
  { length }: readonly LeavingChange[],
): Promise<boolean> {
  const what = length === 1 ? 'this' : 'all of this';
  prompt(`Take ${what} out ${leaving.kind === 'program' ? 'now' : 'first'}? [Y/n] `);
  const answer = await stdin.next(signal);
  if (answer === undefined) prompt('\n');
  return answer !== undefined && !/^n(o)?$/iu.test(answer.trim());
}
