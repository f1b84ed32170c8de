import { PosternError } from '../postern-error.ts';
import type { CommandName } from './command-specs.ts';

/** A command line that cannot be understood: exit 2. `problem` is our own sentence and never holds an option's value. */
export class UsageError extends PosternError {
  readonly command: CommandName | undefined;

  constructor(problem: string, command?: CommandName) {
    const remedy = `See \`postern ${command === undefined ? '' : `${command} `}--help\`.`;
    super('USAGE', { stage: 'app', detail: { problem, remedy } });
    this.command = command;
  }
}
