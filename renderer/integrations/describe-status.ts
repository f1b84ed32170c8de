import type { IntegrationStatus } from '../../shared/integration-view.ts';
import { formatMoment } from '../moments.ts';
import { words } from '../words.ts';

/** The state in a word, with the time of the next try where there is one. */
export function describeStatus({ name, retryAt }: IntegrationStatus): string {
  if (name === 'offline' && retryAt !== undefined) return words.offlineUntil(formatMoment(retryAt, Date.now()));
  return words.status[name];
}
