import type { ProgramCheck } from './program-check.ts';

/** Whether a person lets programs use servers at all. Nothing to say where they do. */
export function checkPause({
  programsPaused,
}: {
  readonly programsPaused?: boolean | undefined;
}): readonly ProgramCheck[] {
  if (programsPaused !== true) return [];
  const message = 'You have paused all programs: whatever they ask is refused.';
  return [{ name: 'pause', ok: false, message, nextStep: 'postern settings programsPaused false' }];
}
