import { RefreshCw, TriangleAlert } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { IconButton } from '../parts/button.tsx';
import { TextInput } from '../parts/field.tsx';
import { Working } from '../parts/notice.tsx';
import { targetOfKey } from '../parts/rows.ts';
import { postern, useCall } from '../postern.ts';
import type { Call } from '../postern.ts';
import { lookedAt, useKept } from '../use-kept.ts';
import { formatMoment, words } from '../words.ts';
import { OfferDetail } from './offer-detail.tsx';
import { listOffers, noteTools, offerKinds } from './offers.ts';
import type { Looking, Offer, OfferKind, Offers } from './offers.ts';
import { UnusableParts } from './result-view.tsx';
import './tools-tab.css';
import { followServer } from './trials.ts';

const atFirst: Looking = { kind: 'tools', search: '' };

/** What the server offers: on one side the list, on the other what one of it does, and a way to try it. */
export function ToolsTab({ integration }: { readonly integration: IntegrationView }) {
  const { id } = integration;
  const [{ kind, search, chosen }, look] = useKept(id, lookedAt('tools'), atFirst);
  const { list, changedAt, readAgain, isSignedOut } = useOffers(integration, kind, (found) => {
    // Beside the list where there is room for both (tools-tab.css), the first stands ready to run.
    if (matchMedia('(width >= 860px)').matches)
      look((before) => ({ ...before, chosen: before.chosen ?? found.offers[0]?.name }));
  });
  const choose = (next: OfferKind): void => {
    list.clear();
    look({ ...atFirst, kind: next });
  };
  if (isSignedOut) return <p className="soft">{words.tools.signInFirst}</p>;
  const wanted = search.toLowerCase();
  const offers = (list.value?.offers ?? []).filter((offer) => offer.kind === kind);
  const found = offers.filter((offer) =>
    `${offer.name} ${offer.title} ${offer.description}`.toLowerCase().includes(wanted),
  );
  const current = offers.find((offer) => offer.name === chosen);
  return (
    <div className="stack">
      <div className="row tools-bar">
        <div className="segments" role="radiogroup" aria-label={words.tools.kindsLabel}>
          {offerKinds.map((name) => (
            <label className="segment" key={name}>
              <input type="radio" name="offer-kind" checked={kind === name} onChange={() => choose(name)} />
              {words.tools.kinds[name]}
            </label>
          ))}
        </div>
        <TextInput
          type="search"
          className="push tools-search"
          value={search}
          placeholder={words.tools.search}
          aria-label={`${words.tools.search}: ${words.tools.kinds[kind]}`}
          onChange={(event) => look((before) => ({ ...before, search: event.target.value }))}
        />
        <IconButton icon={RefreshCw} label={words.tools.refresh} disabled={list.busy} onClick={readAgain} />
      </div>
      {changedAt !== undefined && (
        <p role="status" className="faint small">
          {words.tools.listChanged(formatMoment(changedAt, Date.now()))}
        </p>
      )}
      {list.error && list.error.message !== integration.status.error?.message && (
        <ErrorNotice
          error={list.error}
          actions={{
            retry: readAgain,
            signIn: () => void postern.integration.signInAgain({ id }),
            grant: () => void postern.integration.signInAgain({ id }),
          }}
        />
      )}
      {list.busy && offers.length === 0 && <Working>{words.common.loading}</Working>}
      {!list.busy && list.value && offers.length === 0 && <p className="soft">{words.tools.none[kind]}</p>}
      {list.value?.isPartial === true && <p className="soft">{words.tools.partial[kind]}</p>}
      <UnusableParts parts={list.value?.unusable} />
      {offers.length > 0 && (
        <div className={`offers${current ? ' chosen' : ''}`}>
          <OfferList
            offers={found}
            chosen={chosen}
            onChoose={(name) => look((before) => ({ ...before, chosen: name }))}
          />
          <div className="offer-side">
            {current ? (
              <OfferDetail
                key={current.name}
                integrationId={id}
                signedInAt={integration.signedInAt}
                offer={current}
                onBack={() => look((before) => ({ ...before, chosen: undefined }))}
              />
            ) : (
              <p className="faint offer-hint">{words.tools.choose}</p>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

interface OfferListProps {
  readonly offers: readonly Offer[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/** One stop for the Tab key; arrows move the choice. */
function OfferList({ offers, chosen, onChoose }: OfferListProps) {
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

interface ListedOffers {
  readonly list: Call<Offers>;
  /** When the server last said that this list is another one, in milliseconds since 1970. */
  readonly changedAt: number | undefined;
  readonly readAgain: () => void;
  readonly isSignedOut: boolean;
}

/** What a server offers of one kind, read anew each time that the server says that it has changed. */
function useOffers(integration: IntegrationView, kind: OfferKind, onListed: (found: Offers) => void): ListedOffers {
  const { id } = integration;
  const list = useCall<Offers>();
  const { run } = list;
  const wanted = `${id} ${kind}`;
  const [change, setChange] = useState({ wanted, at: 0 });
  const { name: status } = integration.status;
  const isSignedOut = status === 'signIn' || status === 'signInAgain';
  const listed = useRef('');
  const shown = useRef<Offers>(undefined);
  const take = (found: Offers | undefined): void => {
    if (!found) return;
    listed.current = wanted;
    shown.current = found;
    if (kind === 'tools') noteTools(id, found.offers);
    onListed(found);
  };
  // Before the list is read, or a change that came between would be missed.
  useEffect(() => {
    if (isSignedOut || status === 'offline') return undefined;
    return followServer(id, { list: kind }, (occasion) => {
      if (occasion === 'first') return;
      void listOffers(kind, id, true).then(async (result) => {
        // One that fails leaves what is in sight; the state of the server says what is wrong.
        if (!result.ok || listed.current !== wanted) return;
        const isOther = occasion === 'said' || JSON.stringify(result.value) !== JSON.stringify(shown.current);
        if (isOther) setChange({ wanted, at: Date.now() });
        take(await run(async () => result));
      });
    });
  }, [run, kind, id, status, isSignedOut]);
  useEffect(() => {
    // What was listed stays in sight while the server is out of reach.
    if (isSignedOut || (status === 'offline' && listed.current === wanted)) return;
    void run(() => listOffers(kind, id)).then(take);
  }, [run, kind, id, status, isSignedOut]);
  return {
    list,
    changedAt: change.wanted === wanted && change.at > 0 ? change.at : undefined,
    readAgain: () => void run(() => listOffers(kind, id)),
    isSignedOut,
  };
}
