import { Ellipsis } from 'lucide-react';
import { useMemo, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { ServiceIcon } from '../components/service-icon.tsx';
import { viewStateKey, useRetainedState } from '../use-retained-state.ts';
import { words } from '../words.ts';
import { useCatalog } from './catalog.ts';
import './service-tiles.css';

const filters = ['popular', 'all'] as const;

const popular: { readonly filter: (typeof filters)[number] } = { filter: 'popular' };

interface ServiceCatalogProps {
  /** Typed text; searches the whole catalog, whichever filter is active. */
  readonly search: string;
  /** No server is connected yet: few of them, so that everything fits. */
  readonly isFirst: boolean;
  /** Enter in the search field opens it. */
  readonly marked: KnownServer | undefined;
  readonly onChoose: (server: KnownServer) => void;
}

/** Shown at the first start, besides the tile for the rest. Only services that need no setup. */
const maxFirst = 7;

/** Known services: the popular ones, all, or those found. */
export function ServiceCatalog({ search, isFirst, marked, onChoose }: ServiceCatalogProps) {
  const catalog = useCatalog();
  const [{ filter }, setFilter] = useRetainedState('page', viewStateKey('services'), popular);
  const query = search.trim();
  const { translate } = words.catalog;
  const found = useMemo(() => {
    const servers = catalog?.searchKnownServers(query, undefined, translate) ?? [];
    return query === '' && filter === 'popular' ? servers.filter((server) => server.popular) : servers;
  }, [catalog, query, filter, translate]);
  if (!catalog) return null;
  const isShort = isFirst && query === '' && filter === 'popular';
  if (query !== '' && found.length === 0) return <SimilarServices text={query} onChoose={onChoose} />;
  return (
    <section className="section" aria-labelledby="catalog-title">
      <h2 id="catalog-title">{query === '' ? words.catalog.title : words.catalog.found(found.length)}</h2>
      {query === '' && !isShort && (
        <div className="service-filters" role="group" aria-label={words.catalog.filters}>
          {filters.map((name) => (
            <button
              key={name}
              type="button"
              className={`service-filter${name === filter ? ' on' : ''}`}
              aria-pressed={name === filter}
              onClick={() => setFilter({ filter: name })}
            >
              {words.catalog[name]}
            </button>
          ))}
        </div>
      )}
      <ServiceTiles
        servers={isShort ? found.filter(needsNoSetup).slice(0, maxFirst) : found}
        marked={marked}
        label={words.catalog.title}
        onChoose={onChoose}
        {...(isShort && {
          more: {
            count: catalog.searchKnownServers('').length - maxFirst,
            onShow: () => setFilter({ filter: 'all' }),
          },
        })}
      />
    </section>
  );
}

const needsNoSetup = ({ signIn, accepts }: KnownServer): boolean => signIn === 'registers' && !accepts;

interface ServiceTilesProps {
  readonly servers: readonly KnownServer[];
  readonly marked?: KnownServer | undefined;
  readonly label: string;
  /** The tile for those not shown. */
  readonly more?: { readonly count: number; readonly onShow: () => void };
  readonly onChoose: (server: KnownServer) => void;
}

/** A single Tab stop; arrow keys, Home, End and typed letters move within. */
function ServiceTiles({ servers, marked, label, more, onChoose }: ServiceTilesProps) {
  const list = useRef<HTMLUListElement>(null);
  const typed = useRef({ text: '', at: 0 });

  const move = (event: KeyboardEvent<HTMLUListElement>): void => {
    const tiles = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = tiles.findIndex((tile) => tile === document.activeElement);
    const [first] = tiles;
    const columns = tiles.filter((tile) => tile.offsetTop === first?.offsetTop).length;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      Home: 0,
      End: tiles.length - 1,
    };
    const target = steps[event.key] ?? (event.ctrlKey || event.metaKey || event.altKey ? -1 : findByLetters(event, at));
    if (tiles[target] === undefined) {
      // From the first row back to the search field.
      if (event.key === 'ArrowUp') document.querySelector<HTMLInputElement>('#address')?.focus();
      return;
    }
    event.preventDefault();
    tiles[target].focus();
  };

  const findByLetters = ({ key, timeStamp }: KeyboardEvent, at: number): number => {
    if (key.length !== 1 || key === ' ') return -1;
    const isNew = timeStamp - typed.current.at > 700;
    typed.current = { text: `${isNew ? '' : typed.current.text}${key.toLowerCase()}`, at: timeStamp };
    const { text } = typed.current;
    const fits = ({ name }: KnownServer): boolean => name.toLowerCase().startsWith(text);
    const after = servers.findIndex((server, index) => index > (text.length > 1 ? at - 1 : at) && fits(server));
    return after < 0 ? servers.findIndex(fits) : after;
  };

  return (
    <ul className="service-tiles" aria-label={label} ref={list} onKeyDown={move}>
      {servers.map((server, index) => (
        <li key={server.name}>
          <button
            type="button"
            className={`service-tile${server === marked ? ' marked' : ''}`}
            tabIndex={index === 0 ? 0 : -1}
            onFocus={(event) => moveTabStop(list.current, event.currentTarget)}
            onClick={() => onChoose(server)}
          >
            <ServiceIcon name={server.name} brand={{ service: server.name }} />
            <span className="service-tile-text">
              <span className="service-tile-name">{server.name}</span>
              <span className="soft small">
                {words.catalog.tile[server.signIn] || words.catalog.translate(server.description)}
              </span>
            </span>
          </button>
        </li>
      ))}
      {more && (
        <li>
          <button
            type="button"
            className="service-tile"
            tabIndex={-1}
            onFocus={(event) => moveTabStop(list.current, event.currentTarget)}
            onClick={() => {
              flushSync(more.onShow);
              list.current?.querySelector('button')?.focus();
            }}
          >
            <span className="service-more" aria-hidden="true">
              <Ellipsis size={20} />
            </span>
            <span className="service-tile-text">
              <span className="service-tile-name">{words.catalog.more(more.count)}</span>
              <span className="soft small">{words.catalog.moreText}</span>
            </span>
          </button>
        </li>
      )}
    </ul>
  );
}

/** Tab returns to the tile that the arrow keys reached. */
function moveTabStop(list: HTMLUListElement | null, focused: HTMLButtonElement): void {
  for (const tile of list?.querySelectorAll('button') ?? []) tile.tabIndex = tile === focused ? 0 : -1;
}

interface SimilarServicesProps {
  /** A name or address that matched nothing. */
  readonly text: string;
  readonly onChoose: (server: KnownServer) => void;
}

/** Services with similar names, in case of a typo. */
export function SimilarServices({ text, onChoose }: SimilarServicesProps) {
  const catalog = useCatalog();
  const similar = useMemo(() => catalog?.findNearServers(text) ?? [], [catalog, text]);
  if (similar.length === 0) return null;
  return (
    <section className="section" aria-labelledby="near-title">
      <h2 id="near-title">{words.catalog.didYouMean}</h2>
      <ServiceTiles servers={similar} label={words.catalog.didYouMean} onChoose={onChoose} />
    </section>
  );
}
