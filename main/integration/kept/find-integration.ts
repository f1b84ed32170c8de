import type { Integration } from '../../../shared/integration.ts';
import type { IntegrationStore } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';

/** Finds an integration by its id, by a name that only one has, by its alias, or by its address. Errors: NOT_FOUND. */
export async function findIntegration(store: IntegrationStore, reference: string): Promise<Integration> {
  const [only, ...others] = await matchIntegrations(store, reference);
  if (!only || others.length > 0) {
    throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: only ? others.length + 1 : 0 } });
  }
  return only;
}

/** All that a reference may mean: one with that id, else by name, by alias, or by address. */
export async function matchIntegrations(store: IntegrationStore, reference: string): Promise<readonly Integration[]> {
  const integrations = await store.list();
  const exact = integrations.find(({ id }) => id === reference);
  if (exact) return [exact];
  const named = integrations.filter(({ name }) => name === reference);
  const similar = named.length > 0 ? named : integrations.filter(({ name }) => sameName(name, reference));
  const aliased = similar.length > 0 ? similar : integrations.filter(({ alias }) => alias === reference);
  return aliased.length > 0 ? aliased : integrations.filter(({ url }) => sameAddress(url, reference));
}

function sameName(name: string, reference: string): boolean {
  return name.toLocaleLowerCase('en') === reference.toLocaleLowerCase('en');
}

function sameAddress(url: string, reference: string): boolean {
  const address = URL.parse(reference)?.href;
  return address !== undefined && URL.parse(url)?.href === address;
}
