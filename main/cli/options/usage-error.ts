import { PosternError } from '../../postern-error.ts';
import type { CommandName } from './command-specs.ts';

/** A command line that cannot be understood: exit 2. `problem` is our own sentence and never holds an option's value. */
export class UsageError extends PosternError {
  readonly command: CommandName | undefined;
  readonly #problem: string;

  constructor(problem: string, command?: CommandName) {
    const remedy = `See \`postern ${command === undefined ? '' : `${command} `}--help\`.`;
    super('USAGE', { stage: 'app', detail: { problem, remedy } });
    this.command = command;
    this.#problem = problem;
  }

  /** The same, for what was found where the command at hand is not known: its next step names the help of that one. */
  within(command: CommandName | undefined): UsageError {
    return this.command === undefined && command !== undefined ? new UsageError(this.#problem, command) : this;
  }
}
