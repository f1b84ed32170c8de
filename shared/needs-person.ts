import type { IntegrationView } from './integration-view.ts';

/** The person has to do something about it; what they have stopped is as they want it. */
export function needsPerson({ status }: Pick<IntegrationView, 'status'>): boolean {
  return !['ready', 'offline', 'stopped'].includes(status.name);
}
