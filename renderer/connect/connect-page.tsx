import { useEffect, useRef } from 'react';
import { KnownPart } from '../catalogue/known-part.tsx';
import { NearServices } from '../catalogue/near-services.tsx';
import { RegistryPart } from '../catalogue/registry-part.tsx';
import { ServiceCatalogue } from '../catalogue/service-catalogue.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { isCheck, isFailedCheck, useCheck, useConnection, useSnapshots } from '../store.ts';
import { type Dropped, type LinkedAddress, show, stayAt } from '../view.ts';
import { words } from '../words.ts';
import { AddressForm } from './address-form.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
import { GivenPart } from './given-part.tsx';
import { FirstTry, HereAlready } from './here-already.tsx';
import { LocalPart } from './local-part.tsx';
import { useLocalDraft } from './use-local-draft.ts';
import { ImportList } from './import-list.tsx';
import { useImported } from './imported-list.ts';
import { leadsElsewhere, useAddress } from './use-address.ts';
import { useDiscover } from './use-discover.ts';
import { useGiven } from './use-given.ts';
import './connect.css';
import './route-drawing.css';

interface ConnectPageProps {
  /** The discovery or sign-in that is looked at. */
  readonly connectionId: string | undefined;
  /** What was dropped on the window, and led here. */
  readonly dropped: Dropped | undefined;
  /** The same of a link. */
  readonly linked: LinkedAddress | undefined;
}

export function ConnectPage({ connectionId, dropped, linked }: ConnectPageProps) {
  const check = useCheck();
  const chosen = useConnection(connectionId);
  const looked = connectionId === undefined ? check : chosen;
  const isFirst = useSnapshots((state) => state.integrations?.length === 0);
  const discovery = useDiscover(looked);
  const given = useGiven(discovery, looked);
  const address = useAddress(looked, connectionId ?? check?.id);
  const { chosen: service } = given;
  // What a check came to is of its own address, and nothing to whoever types another or chooses a service. The address
  // of a link stands in no field.
  const isElsewhere = linked === undefined && looked !== undefined && leadsElsewhere(looked, address.text);
  const isLeft = looked !== undefined && isFailedCheck(looked) && (service !== undefined || isElsewhere);
  const connection = isLeft ? undefined : looked;
  const [localDraft, changeLocal] = useLocalDraft();
  const showsLocal = localDraft.isOpen && !connection?.isUnderWay;
  const list = useImported();
  const imported = list.entries;
  // Whatever is checked beside it; one server that has answered, or is of the list, has the page to itself.
  const showsList =
    imported.length + (list.unread?.length ?? 0) > 0 &&
    (!connection || (isCheck(connection) && connection.importEntry === undefined));

  // Nothing is under way here: there is room for what could be.
  const isFree = !connection && !showsList && !service && !showsLocal;
  const isEmpty = address.text.trim() === '';

  // A check that found nothing waits here to be mended, and goes on to its verdict here.
  const checkId = check?.id;
  useEffect(() => {
    if (connectionId === undefined && checkId !== undefined) stayAt(checkId);
  }, [connectionId, checkId]);

  // What was dropped, or came by a link, is looked at once, by what is known of the services.
  const taken = useRef<Dropped | LinkedAddress>(undefined);
  useEffect(() => {
    const next = dropped ?? linked;
    if (!given.isReady || next === undefined || taken.current === next) return;
    taken.current = next;
    if (dropped) given.give(dropped.text);
    else if (linked) given.follow(linked);
  });

  return (
    <div className="page connect" data-at-work={showsList || service || given.note || showsLocal ? '' : undefined}>
      <header className="stack-tight">
        {imported.some(({ id }) => id === connection?.importEntry) && (
          <div>
            <Button kind="quiet" onClick={() => show({ name: 'connect' })}>
              {words.connect.importBack}
            </Button>
          </div>
        )}
        <h1>
          {connection?.isUnderWay
            ? connection.name || connection.host
            : words.connect[isFirst ? 'firstTitle' : 'title']}
        </h1>
        {connection?.isUnderWay && <p className="address soft small">{connection.url}</p>}
        {!looked && <p className="soft intro">{words.connect.intro}</p>}
      </header>
      <AddressForm
        connection={connection}
        address={address}
        given={given}
        busy={discovery.busy || given.busy}
        isAside={service !== undefined || showsLocal}
      />
      {discovery.error && <ErrorNotice error={discovery.error} />}
      {!localDraft.isOpen && !connection && (
        <div>
          <Button kind="quiet" className="at-edge" onClick={() => changeLocal({ isOpen: true })}>
            {words.local.open}
          </Button>
        </div>
      )}
      {showsLocal && (
        <LocalPart
          onRemote={(url) => {
            changeLocal({ isOpen: false });
            given.give(url);
          }}
        />
      )}
      {given.note && (
        <GivenPart
          note={given.note}
          onChoose={given.give}
          onLocal={(draft) => {
            given.forget();
            address.enter({ text: '' });
            changeLocal(draft);
          }}
        />
      )}
      {given.error && <ErrorNotice error={given.error} actions={{ dismiss: given.forget }} />}
      {connection && <ConnectionPanel key={`${connection.id} ${connection.url}`} connection={connection} />}
      {connection && isFailedCheck(connection) && (
        <NearServices text={connection.url} onChoose={(server) => given.choose({ server, hasMoved: false })} />
      )}
      {showsList && <ImportList {...list} />}
      {service && (!connection || isCheck(connection)) && (
        <KnownPart
          key={service.server.name}
          {...service}
          busy={discovery.busy}
          onCheck={given.check}
          onBack={() => {
            given.choose(undefined);
            document.querySelector<HTMLInputElement>('#address')?.focus();
          }}
        />
      )}
      {isFree && isEmpty && <HereAlready isFirst={isFirst} onTry={(url) => discovery.discover(url, { local: true })} />}
      {isFree && isEmpty && isFirst && <FirstTry onCheck={given.check} />}
      {isFree && (
        <ServiceCatalogue search={address.text} onChoose={(server) => given.choose({ server, hasMoved: false })} />
      )}
      {isFree && (
        <RegistryPart
          typed={address.text}
          onCheck={given.check}
          onKnown={(server) => given.choose({ server, hasMoved: false })}
        />
      )}
      {isFree && isFirst && <HowItGoes />}
    </div>
  );
}

/** For the first time: the way from an address to a connection, in three stops. */
function HowItGoes() {
  const { ask, signIn, keep, keepInMemory } = words.connect.how;
  const memoryOnly = useSnapshots((state) => state.app?.storage.memoryOnly);
  return (
    <ol className="route how" aria-label={words.connect.howTitle}>
      {[ask, signIn, memoryOnly ? keepInMemory : keep].map(([title, text], index, stops) => (
        <li className="route-stop" key={title}>
          <span className={`route-node${index === stops.length - 1 ? ' home' : ''}`} aria-hidden="true" />
          {index < stops.length - 1 && <span className="route-wire" aria-hidden="true" />}
          <span className="how-title">{title}</span>
          <span className="soft small">{text}</span>
        </li>
      ))}
    </ol>
  );
}
