import type { PlainError } from '../../shared/error-codes.ts';
import type { TraceEntry } from '../../shared/trace.ts';
import { words } from '../words.ts';

/** What to do next, in words of a window: the catalogue's own step, unless it names a command or a flag. */
export function describeNextStep(error: PlainError): string {
  const { nextSteps, faultNextSteps } = words.errors;
  const { code, fault, nextStep } = error;
  const step = nextSteps[code] ?? (fault && nextStep.includes('`postern ') ? faultNextSteps[fault] : undefined);
  return typeof step === 'function' ? step(error) : (step ?? error.nextStep);
}

/** The same for the request at which a sign-in stopped. */
export function describeStop({ code, fault, nextStep = '' }: TraceEntry): string {
  if (code === undefined) return nextStep;
  return describeNextStep({ code, fault, nextStep, stage: 'app', message: '', retryable: false });
}
