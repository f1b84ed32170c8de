import type { ActivityCall } from './activity.ts';

/** Whether something went wrong: what the program gave up by itself did not. */
export function hasFailed({ outcome }: Pick<ActivityCall, 'outcome'>): boolean {
  return outcome !== 'ok' && outcome !== 'cancelled';
}
