import { closestWord } from '../../closest-word.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { printableLine } from '../text/printable.ts';
import type { CommandName } from './command-spec.ts';

/**
 * A command line that cannot be understood: exit 2. `problem` is our own sentence and never holds an option's value.
 */
export class UsageError extends PosternError {
  /** Whose help says more; `undefined` where the mistake was found by whoever does not know the command. */
  readonly command: CommandName | undefined;

  constructor(problem: string, command?: CommandName) {
    super('USAGE', { stage: 'app', detail: { problem } });
    this.command = command;
  }
}

/** What was probably meant, as a sentence behind another one; nothing where no word is near. */
export function didYouMean(typed: string, candidates: readonly string[]): string {
  const meant = closestWord(typed, candidates);
  return meant === undefined ? '' : ` Did you mean “${printableLine(meant, 80)}”?`;
}
