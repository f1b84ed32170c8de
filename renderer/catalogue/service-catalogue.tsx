import { useMemo } from 'react';
import { type KnownServer, serverCategories } from '../../shared/known-servers/known-server.ts';
import { lookedAt, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import { useCatalogue } from './catalogue.ts';
import { NearServices } from './near-services.tsx';
import { ServiceTiles } from './service-tiles.tsx';

const filters = ['popular', ...serverCategories, 'open', 'all'] as const;
type Filter = (typeof filters)[number];

const popular: { readonly filter: Filter } = { filter: 'popular' };

interface ServiceCatalogueProps {
  /** What is typed: it searches all of them, whichever part is chosen. */
  readonly search: string;
  readonly onChoose: (server: KnownServer) => void;
}

/** Services that are known, by what they are for, or by what is typed. */
export function ServiceCatalogue({ search, onChoose }: ServiceCatalogueProps) {
  const catalogue = useCatalogue();
  const [{ filter }, keep] = useKept('page', lookedAt('services'), popular);
  const wanted = search.trim();
  const { told } = words.catalogue;
  const found = useMemo(() => {
    const servers = catalogue?.searchKnownServers(wanted, undefined, told) ?? [];
    return wanted === '' ? servers.filter((server) => isOf(server, filter)) : servers;
  }, [catalogue, wanted, filter, told]);
  if (!catalogue) return null;
  if (wanted !== '' && found.length === 0) return <NearServices text={wanted} onChoose={onChoose} />;
  return (
    <section className="section" aria-labelledby="catalogue-title">
      <h2 id="catalogue-title">{wanted === '' ? words.catalogue.title : words.catalogue.found(found.length)}</h2>
      {wanted === '' && (
        <div className="service-filters" role="group" aria-label={words.catalogue.filters}>
          {filters.map((name) => (
            <button
              key={name}
              type="button"
              className={`service-filter${name === filter ? ' on' : ''}`}
              aria-pressed={name === filter}
              onClick={() => keep({ filter: name })}
            >
              {words.catalogue.filter[name]}
            </button>
          ))}
        </div>
      )}
      <ServiceTiles servers={found} label={words.catalogue.title} onChoose={onChoose} />
    </section>
  );
}

function isOf(server: KnownServer, filter: Filter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'popular':
      return server.popular === true;
    case 'open':
      return server.signIn === 'none';
    default:
      return server.category === filter;
  }
}
