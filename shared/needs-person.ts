import type { IntegrationView } from './integration-view.ts';

/** The person has to do something about it. */
export function needsPerson({ status }: Pick<IntegrationView, 'status'>): boolean {
  return status.name !== 'ready' && status.name !== 'offline';
}
