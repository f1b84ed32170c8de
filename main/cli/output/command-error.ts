import type { PlainError } from '../../../shared/error-codes.ts';
import type { Remedy } from '../../../shared/remedy.ts';
import { toPlainError } from '../../plain-error.ts';
import { describeRemedy } from './describe-remedy.ts';
import type { Situation } from './write-command.ts';

/** An error as the command line tells it: in `--json` output too the next step is a sentence. */
export type CommandError = Omit<PlainError, 'remedy'> & { readonly nextStep: string };

/** What is thrown, for a person at a command line. Of an error that is not ours nothing is shown. */
export function toCommandError(error: unknown, at: Situation): CommandError {
  return withNextStep(toPlainError(error), at);
}

/** The same fields with the next step in words. */
export function withNextStep<Told extends { readonly remedy: Remedy }>(
  { remedy, ...told }: Told,
  at: Situation,
): Omit<Told, 'remedy'> & { readonly nextStep: string } {
  return { ...told, nextStep: describeRemedy(remedy, at) };
}
