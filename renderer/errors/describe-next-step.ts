import type { PlainError } from '../../shared/error-codes.ts';
import { words } from '../words.ts';

/** What to do next, in words of a window: the catalogue's own step, unless it names a command or a flag. */
export function describeNextStep(error: PlainError): string {
  const step = words.errors.nextSteps[error.code];
  return typeof step === 'function' ? step(error) : (step ?? error.nextStep);
}
