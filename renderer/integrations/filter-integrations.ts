import type { IntegrationView } from '../../shared/integration-view.ts';

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** As people order names: `Server 9` before `Server 10`. */
export const compareNames = (one: string, other: string): number => names.compare(one, other);

export function sortIntegrations(integrations: readonly IntegrationView[]): IntegrationView[] {
  return integrations.toSorted((one, other) => compareNames(one.name, other.name) || (one.id < other.id ? -1 : 1));
}

/** Every word of the search has to be in the name or the address. */
export function filterIntegrations<Entry extends Pick<IntegrationView, 'name' | 'url'>>(
  integrations: readonly Entry[],
  search: string,
): readonly Entry[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return integrations;
  return integrations.filter(({ name, url }) => {
    const text = `${name}\n${url}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
