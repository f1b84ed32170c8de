import type { Integration } from '../../../shared/integration.ts';
import type { IntegrationStore } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';

/** Finds an integration by its id or by a name that only one has. Errors: NOT_FOUND. */
export async function findIntegration(store: IntegrationStore, reference: string): Promise<Integration> {
  const integrations = await store.list();
  const exact = integrations.find(({ id }) => id === reference);
  if (exact) return exact;
  const named = integrations.filter(({ name }) => name === reference);
  const candidates = named.length > 0 ? named : integrations.filter(({ name }) => sameName(name, reference));
  const [only] = candidates;
  if (!only || candidates.length > 1) {
    throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: candidates.length } });
  }
  return only;
}

function sameName(name: string, reference: string): boolean {
  return name.toLocaleLowerCase('en') === reference.toLocaleLowerCase('en');
}
