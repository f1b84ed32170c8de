import type { Command } from '../command-context.ts';
import { UsageError } from '../options/parse-arguments.ts';

/** As the first word it is the pipe (`main/cli/start/run-process.ts`), which has standard output to itself. */
export const proxy: Command = async () => {
  throw new UsageError('Write “proxy” directly after “postern”.', 'proxy');
};
