import { makeChange } from '../../programs/change/make-change.ts';
import type { PosternError } from '../../postern-error.ts';
import { withLines } from '../../programs/plan/paste-lines.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
import type { ProgramEngine } from '../../programs/program-engine.ts';
import { askForYes } from '../asking/ask-for-yes.ts';
import type { CommandContext } from '../command-context.ts';
import { changeFields, describeMade, describePreview } from '../output/describe-change.ts';
import type { Answer } from '../output/output.ts';

/**
 * Shows the changes, asks, and makes them one after the other; what was made is told as well where a later one fails.
 * `complete` puts in what is not shown. Errors: USAGE where nobody can be asked, USER_CANCELLED, those of `makeChange`;
 * PROGRAM_FILE_* of the first whose file was left alone, with the lines to paste, once the others are made.
 */
export async function confirmChanges(
  context: CommandContext,
  engine: ProgramEngine,
  planned: readonly PlannedChange[],
  complete: (change: PlannedChange) => Promise<PlannedChange> = async (change) => change,
): Promise<Answer> {
  const { args, output } = context;
  const preview = {
    event: { changes: planned.map((change) => changeFields(change)) },
    lines: planned.map((change) => describePreview(change)),
  };
  if (args.options.has('dry-run')) {
    const fault = planned.map(faultOf).find((each) => each);
    if (!fault) return { fields: preview.event, text: preview.lines.join('\n') };
    output.event('preview', preview.event);
    for (const [index, line] of preview.lines.entries()) if (!planned[index]?.fault) output.say(line);
    throw fault;
  }
  await askForYes(context, preview);
  const fields: Readonly<Record<string, unknown>>[] = [];
  const texts: string[] = [];
  const faults: PosternError[] = [];
  for (const shown of planned) {
    const change = await complete(shown);
    const made = await makeChange(engine, change);
    const fault = faultOf(change);
    fields.push(changeFields(change, made));
    if (!fault) texts.push(describeMade(change, made));
    // The last line of the answer has room for one of them.
    else if (faults.push(fault) > 1) texts.push(describePreview(change, 'made'));
    output.event('changed', changeFields(change, made));
  }
  if (!faults[0]) return { fields: { changes: fields }, text: texts.join('\n') };
  for (const text of texts) output.say(text);
  throw faults[0];
}

function faultOf(change: PlannedChange): PosternError | undefined {
  return change.fault && withLines(change.fault, change);
}
