import { TriangleAlert } from 'lucide-react';
import { useId, useRef } from 'react';
import type { KeyboardEvent } from 'react';
import { targetOfKey } from '../parts/target-of-key.ts';
import { words } from '../words.ts';
import type { Offer } from './offers.ts';

interface OfferListProps {
  readonly offers: readonly Offer[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/** One stop for the Tab key; arrows move the choice. */
export function OfferList({ offers, chosen, onChoose }: OfferListProps) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  if (offers.length === 0) return <p className="soft">{words.tools.nothingFound}</p>;
  const current = offers.findIndex((offer) => offer.name === chosen);
  const move = (event: KeyboardEvent): void => {
    const target = targetOfKey(event.key, current, undefined, offers.length);
    const offer = target === undefined ? undefined : offers[target];
    if (target === undefined || offer === undefined) return;
    event.preventDefault();
    onChoose(offer.name);
    list.current?.children[target]?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <ul
      ref={list}
      className="offer-list"
      role="listbox"
      tabIndex={0}
      aria-label={words.tools.kinds[offers[0]?.kind ?? 'tools']}
      aria-activedescendant={current === -1 ? undefined : `${listId}-${current}`}
      onKeyDown={move}
    >
      {offers.map((offer, index) => (
        <li
          id={`${listId}-${index}`}
          key={offer.name}
          role="option"
          aria-selected={index === current}
          className="offer"
          onClick={() => onChoose(offer.name)}
        >
          <span className="offer-title">
            {offer.title}
            {offer.destructive && (
              <span className="offer-danger" title={words.tools.destructive}>
                <TriangleAlert aria-hidden="true" size={13} />
                <span className="hidden">, {words.tools.destructive}</span>
              </span>
            )}
          </span>
          {offer.title !== offer.name && <span className="offer-name">{offer.name}</span>}
        </li>
      ))}
    </ul>
  );
}
