import { displayText } from '../../address/display-text.ts';
import { closestWord } from '../../closest-word.ts';
import type { Integration } from '../../../shared/integration.ts';
import type { IntegrationStore } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';

const mostCompared = 500;

/** Finds an integration by its id, by a name that only one has, by its alias, or by its address. Errors: NOT_FOUND. */
export async function findIntegration(store: IntegrationStore, reference: string): Promise<Integration> {
  const [only, ...others] = await matchIntegrations(store, reference);
  if (only && others.length === 0) return only;
  const meant = only ? undefined : nearestName(await store.list(), reference);
  const detail = { count: only ? others.length + 1 : 0, ...(meant !== undefined && { meant }) };
  throw new PosternError('NOT_FOUND', { stage: 'app', detail });
}

/** The name that was probably meant. Of thousands of servers only the first are looked at. */
function nearestName(integrations: readonly Integration[], reference: string): string | undefined {
  const meant = closestWord(
    reference,
    integrations.slice(0, mostCompared).map(({ name }) => name),
  );
  return meant === undefined ? undefined : displayText(meant);
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
