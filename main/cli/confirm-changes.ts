import { makeChange } from '../programs/make-change.ts';
import type { PlannedChange } from '../programs/planned-change.ts';
import type { ProgramEngine } from '../programs/program-engine.ts';
import { PosternError } from '../postern-error.ts';
import type { CommandContext } from './command-context.ts';
import { hasOption } from './options/option-values.ts';
import { UsageError } from './options/usage-error.ts';
import { changeFields, describeMade, describePreview } from './output/describe-change.ts';
import type { Answer } from './output/output.ts';

/**
 * Shows the changes, asks, and makes them one after the other; what was made is told as well where a later one fails.
 * Errors: USAGE where nobody can be asked, USER_CANCELLED, those of `makeChange`.
 */
export async function confirmChanges(
  context: CommandContext,
  engine: ProgramEngine,
  planned: readonly PlannedChange[],
): Promise<Answer> {
  const { args, output } = context;
  if (args.options.has('dry-run')) {
    return {
      fields: { changes: planned.map((change) => changeFields(change)) },
      text: planned.map(describePreview).join('\n'),
    };
  }
  await confirm(context, planned);
  const fields: Readonly<Record<string, unknown>>[] = [];
  const texts: string[] = [];
  for (const change of planned) {
    const made = await makeChange(engine, change);
    fields.push(changeFields(change, made));
    texts.push(describeMade(change, made));
    output.event('changed', changeFields(change, made));
  }
  return { fields: { changes: fields }, text: texts.join('\n') };
}

/** Errors: USAGE where nobody can be asked, USER_CANCELLED. */
async function confirm(context: CommandContext, planned: readonly PlannedChange[]): Promise<void> {
  const { args, output, canAsk, prompt, stdin, signal } = context;
  if (hasOption(args, 'yes')) return;
  output.event('preview', { changes: planned.map((change) => changeFields(change)) });
  for (const change of planned) output.say(describePreview(change));
  if (!canAsk) throw new UsageError('Nobody can be asked here: say --yes to do this.', args.command);
  prompt('Do this? [y/N] ');
  const answer = await stdin.next(signal);
  if (answer === undefined) prompt('\n');
  if (!/^y(es)?$/iu.test(answer?.trim() ?? '')) throw new PosternError('USER_CANCELLED', { stage: 'programs' });
}
