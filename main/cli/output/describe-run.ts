import type { RunFacts } from '../../../shared/local-command.ts';
import { printableLine } from '../text/printable.ts';
import { describeCommand } from './describe-command.ts';
import { describeRemote } from './describe-remote.ts';

/** All that a user has to know of a command before it runs, as lines. */
export function describeRun(facts: RunFacts, advise: (sentence: string) => string): readonly string[] {
  return [
    ...describeRemote(facts).map(advise),
    ...describeCommand(facts.command, facts.shown),
    ...describeReplaced(facts),
  ];
}

/** What goes with the command that has this name so far. */
function describeReplaced({ name, replaced }: RunFacts): readonly string[] {
  if (!replaced) return [];
  const { command, variables } = replaced;
  const values = variables.length === 0 ? '' : `, and the values kept for ${variables.join(', ')} go`;
  return [
    `It takes the place of the command that “${printableLine(name)}” has now, ${printableLine(command, 200)}${values}.`,
  ];
}
