import { makeChange } from '../../programs/make-change.ts';
import type { PlannedChange } from '../../programs/planned-change.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import { askForYes } from '../asking/ask-for-yes.ts';
import type { CommandContext } from '../command-context.ts';
import { changeFields, describeMade, describePreview } from '../output/describe-change.ts';
import type { Answer } from '../output/output.ts';

/**
 * Shows the changes, asks, and makes them one after the other; what was made is told as well where a later one fails.
 * `complete` puts in what is not shown. Errors: USAGE where nobody can be asked, USER_CANCELLED, those of `makeChange`.
 */
export async function confirmChanges(
  context: CommandContext,
  engine: ProgramEngine,
  planned: readonly PlannedChange[],
  complete: (change: PlannedChange) => Promise<PlannedChange> = async (change) => change,
): Promise<Answer> {
  const { args, output } = context;
  if (args.options.has('dry-run')) {
    return {
      fields: { changes: planned.map((change) => changeFields(change)) },
      text: planned.map(describePreview).join('\n'),
    };
  }
  await askForYes(context, {
    event: { changes: planned.map((change) => changeFields(change)) },
    lines: planned.map(describePreview),
  });
  const fields: Readonly<Record<string, unknown>>[] = [];
  const texts: string[] = [];
  for (const shown of planned) {
    const change = await complete(shown);
    const made = await makeChange(engine, change);
    fields.push(changeFields(change, made));
    texts.push(describeMade(change, made));
    output.event('changed', changeFields(change, made));
  }
  return { fields: { changes: fields }, text: texts.join('\n') };
}
