import type { IntegrationView } from '../../shared/integration-view.ts';
import { formatMoment } from '../moments.ts';
import { words } from '../words.ts';
import { wantsKey } from './wants-key.ts';

/** The state in a word, with the time of the next try where there is one. */
export function describeStatus(integration: Pick<IntegrationView, 'options' | 'status'>): string {
  const { name, retryAt } = integration.status;
  if (wantsKey(integration)) return words.account.keyNeeded;
  if (name === 'offline' && retryAt !== undefined) return words.offlineUntil(formatMoment(retryAt, Date.now()));
  return words.status[name];
}
