import type { PlainError } from '../../shared/error-codes.ts';
import type { TraceEntry } from '../../shared/trace.ts';
import { words } from '../words.ts';

/** What to do next, in words of a window: the catalogue's own step, unless it names a command or a flag. */
export function describeNextStep(error: PlainError): string {
  const step = words.errors.nextSteps[error.code];
  return typeof step === 'function' ? step(error) : (step ?? error.nextStep);
}

/** The same for the request at which a sign-in stopped. */
export function describeStop({ code, nextStep = '' }: TraceEntry): string {
  if (code === undefined) return nextStep;
  return describeNextStep({ code, nextStep, stage: 'app', message: '', retryable: false });
}
