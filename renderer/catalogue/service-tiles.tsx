import { useRef } from 'react';
import type { KeyboardEvent } from 'react';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { words } from '../words.ts';
import './service-tiles.css';

interface ServiceTilesProps {
  readonly servers: readonly KnownServer[];
  readonly label: string;
  readonly onChoose: (server: KnownServer) => void;
}

/** One stop for the Tab key; arrows, Home, End and the first letters of a name move within. */
export function ServiceTiles({ servers, label, onChoose }: ServiceTilesProps) {
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
    const target = steps[event.key] ?? (event.ctrlKey || event.metaKey || event.altKey ? -1 : byLetters(event, at));
    if (tiles[target] === undefined) {
      // From the first row back to where names are typed.
      if (event.key === 'ArrowUp') document.querySelector<HTMLInputElement>('#address')?.focus();
      return;
    }
    event.preventDefault();
    tiles[target].focus();
  };

  const byLetters = ({ key, timeStamp }: KeyboardEvent, at: number): number => {
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
            className="service-tile"
            tabIndex={index === 0 ? 0 : -1}
            onFocus={(event) => keepStop(list.current, event.currentTarget)}
            onClick={() => onChoose(server)}
          >
            <ServiceIcon name={server.name} />
            <span className="service-tile-text">
              <span className="service-tile-name">{server.name}</span>
              <span className="soft small">
                {words.catalogue.tile[server.signIn] || words.catalogue.told(server.does)}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The Tab key comes back to where the arrows have led. */
function keepStop(list: HTMLUListElement | null, focused: HTMLButtonElement): void {
  for (const tile of list?.querySelectorAll('button') ?? []) tile.tabIndex = tile === focused ? 0 : -1;
}
