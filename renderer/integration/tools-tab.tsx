import { RefreshCw } from 'lucide-react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { formatMoment } from '../moments.ts';
import { IconButton } from '../parts/icon-button.tsx';
import { TextInput } from '../parts/text-input.tsx';
import { postern } from '../postern.ts';
import { lookedAt, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import { Working } from '../parts/working.tsx';
import { OfferDetail } from './offer-detail.tsx';
import { OfferList } from './offer-list.tsx';
import { offerKinds } from './offers.ts';
import type { OfferKind } from './offers.ts';
import type { Looking } from './listed-tools.ts';
import { useOffers } from './use-offers.ts';

import './tools-tab.css';

/** Lines about entries that nobody can use. */
const mostUnusable = 5;
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
      {list.value !== undefined && list.value.unusable.length > 0 && (
        <ul className="soft" role="status">
          {list.value.unusable.slice(0, mostUnusable).map((part) => (
            <li key={`${part.list} ${part.index} ${part.member}`}>{words.tools.unusable(part)}</li>
          ))}
        </ul>
      )}
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
