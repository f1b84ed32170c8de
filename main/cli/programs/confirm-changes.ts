import { isOneOf, programFileCodes } from '../../../shared/error-codes.ts';
import { makeChange } from '../../programs/change/make-change.ts';
import { PosternError } from '../../postern-error.ts';
import { withLines } from '../../programs/plan/paste-lines.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
import { rightChange } from '../../programs/records/program-records.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import { askForYes } from '../asking/ask-for-yes.ts';
import type { CommandContext } from '../command-context.ts';
import { changeFields, describeEndedSecret, describeMade, describePreview } from '../output/describe-change.ts';
import { toCommandError } from '../output/command-error.ts';
import type { Answer } from '../output/output.ts';

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
    if (one.failure && !isOneOf(programFileCodes, one.failure)) break;
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
