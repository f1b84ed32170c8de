import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../postern-error.ts';
import { makeChange } from '../../programs/make-change.ts';
import { planUnuse } from '../../programs/plan-use.ts';
import type { PlannedChange } from '../../programs/planned-change.ts';
import { programs } from '../../programs/table.ts';
import type { CommandContext } from '../command-context.ts';
import type { CommandEngine } from '../opening/open-command-engine.ts';
import { openPrograms } from '../../engine/open-programs.ts';
import { changeFields, describePreview } from '../output/describe-change.ts';

/**
 * Before servers go: entries of programs that would lead nowhere afterwards are shown, and taken out when the person
 * says yes. Where nobody can be asked they stay, and that is said. Errors: USER_CANCELLED, CFG_*.
 */
export async function offerEntries(
  context: CommandContext,
  { ports, folder, programs: records }: Pick<CommandEngine, 'ports' | 'folder' | 'programs'>,
  leaving: readonly Integration[],
): Promise<void> {
  // A list that cannot be read names nobody, and everything can be deleted all the same.
  if (leaving.length === 0) return;
  const engine = await openPrograms(context.installation, { folder, locks: ports.locks, records, store: ports.store });
  const allowed = (await records.list()).filter(({ integrations }) =>
    leaving.some(({ id }) => integrations.includes(id)),
  );
  const concerned = programs.filter(({ id }) => allowed.some(({ program }) => program === id));
  for (const program of concerned) {
    for (const integration of leaving) {
      const change = await planUnuse(engine, program, integration).catch(ignoreFault);
      if (!change || change.edits.length === 0) continue;
      const isWanted = await ask(context, change);
      if (isWanted) await makeChange(engine, change);
      else {
        context.output.event('entry-stays', changeFields(change));
        context.output.say(
          `The entry stays in ${program.name}. Take it out with: postern unuse ${integration.alias ?? integration.id} ${program.id}`,
        );
      }
    }
  }
}

/** A file that cannot be changed safely is left alone, here as always. */
function ignoreFault(error: unknown): undefined {
  if (!(error instanceof PosternError) || !error.code.startsWith('PROGRAM_')) throw error;
  return undefined;
}

async function ask(context: CommandContext, change: PlannedChange): Promise<boolean> {
  const { canAsk, output, prompt, stdin, signal } = context;
  if (!canAsk) return false;
  output.say(describePreview(change));
  prompt(`Take this out of ${change.program.name} first? [Y/n] `);
  const answer = await stdin.next(signal);
  if (answer === undefined) prompt('\n');
  return answer !== undefined && !/^n(o)?$/iu.test(answer.trim());
}
