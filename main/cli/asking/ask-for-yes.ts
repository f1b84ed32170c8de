import { PosternError } from '../../postern-error.ts';
import type { CommandContext } from '../command-context.ts';
import { hasOption } from '../options/option-values.ts';
import { UsageError } from '../options/usage-error.ts';

interface Preview {
  /** For programs. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

/**
 * Shows what will be done, and asks, unless --yes was said. Errors: USAGE where nobody can be asked, USER_CANCELLED.
 */
export async function askForYes(context: CommandContext, { event, lines }: Preview): Promise<void> {
  const { args, output, canAsk, prompt, stdin, signal } = context;
  if (hasOption(args, 'yes')) return;
  output.event('preview', event);
  for (const line of lines) output.tell(line);
  if (!canAsk) throw new UsageError('Nobody can be asked here: say --yes to do this.', args.command);
  prompt('Do this? [y/N] ');
  const answer = await stdin.next(signal);
  if (answer === undefined) prompt('\n');
  if (!/^y(es)?$/iu.test(answer?.trim() ?? '')) throw new PosternError('USER_CANCELLED', { stage: 'programs' });
}
