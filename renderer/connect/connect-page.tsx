import { Blocks } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useCatalogue } from '../catalogue/catalogue.ts';
import { KnownPart } from '../catalogue/known-part.tsx';
import { RegistryPart } from '../catalogue/registry-part.tsx';
import { NearServices, ServiceCatalogue } from '../catalogue/service-catalogue.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { isCheck, isFailedCheck, useCheck, useConnection, useSnapshots } from '../store.ts';
import { show, showIntegration, stayAt } from '../view.ts';
import type { Dropped, LinkedAddress } from '../view.ts';
import { words } from '../words.ts';
import { AddressForm } from './address-form.tsx';
import './connect.css';
import { ConnectionPanel } from './connection-panel.tsx';
import { ImportList, useImported } from './import-list.tsx';
import { LocalPart } from './local-part.tsx';
import './route-drawing.css';
import { leadsElsewhere, useAddress, useDiscover } from './use-address.ts';
import { useGiven } from './use-given.ts';
import type { GivenNote } from './use-given.ts';
import { draftOf, useLocalDraft } from './use-local-draft.ts';
import type { LocalDraft } from './use-local-draft.ts';

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

interface GivenPartProps {
  readonly note: GivenNote;
  readonly onChoose: (url: string) => void;
  /** Goes on with a command. */
  readonly onLocal: (draft: Partial<LocalDraft>) => void;
}

/** What was given leads to no check, or not to one alone: why, and what to do next. */
function GivenPart({ note, onChoose, onLocal }: GivenPartProps) {
  const { given } = words.connect;
  switch (note.kind) {
    case 'known':
      return (
        <Notice
          urgent
          title={words.connect.known(note.integration.name)}
          actions={
            <>
              <Button kind="primary" onClick={() => showIntegration(note.integration.id)}>
                {words.connect.openKnown}
              </Button>
              <Button onClick={note.goOn}>{given.another}</Button>
            </>
          }
        />
      );
    case 'several':
      return (
        <Notice
          urgent
          title={given.several}
          actions={note.urls.map((url) => (
            <Button key={url} onClick={() => onChoose(url)}>
              {url}
            </Button>
          ))}
        />
      );
    case 'local':
      return (
        <Notice
          urgent
          title={given.local(note.program)}
          actions={<Button onClick={() => onLocal(draftOf(note))}>{given.localLook}</Button>}
        >
          <p>{given.localMore}</p>
        </Notice>
      );
    case 'unknownName':
      return (
        <Notice urgent tone="ask" title={given.unknownName(note.name)}>
          <p>{given.unknownNameMore}</p>
        </Notice>
      );
    case 'text':
      return (
        <Notice urgent tone="ask" title={given.text}>
          <p>{given.textMore}</p>
        </Notice>
      );
  }
}

interface HereAlreadyProps {
  /** No server is connected yet. */
  readonly isFirst: boolean;
  readonly onTry: (url: string) => void;
}

/** What can be connected without an address at hand: a practice server, and the servers of programs found here. */
function HereAlready({ isFirst, onTry }: HereAlreadyProps) {
  const { here } = words.connect;
  const demo = useSnapshots((state) =>
    state.integrations?.some(({ url }) => url === state.app?.demo?.url) ? undefined : state.app?.demo,
  );
  const programs = useSnapshots((state) => state.programs) ?? [];
  const showsPrograms = isFirst && programs.length > 0;
  if (!demo && !showsPrograms) return null;
  return (
    <section className="section" aria-labelledby="here-title">
      <h2 id="here-title">{here.title}</h2>
      <ul className="here-list">
        {demo && (
          <HereRow
            icon={<ServiceIcon name={words.connect.demoName} />}
            title={words.connect.demoName}
            text={here.demo}
            button={here.tryDemo}
            onPress={() => onTry(demo.url)}
          />
        )}
        {showsPrograms && (
          <HereRow
            icon={<Blocks aria-hidden="true" size={20} />}
            title={here.programs(programs.map(({ name }) => name))}
            text={here.programsText}
            button={words.activity.toPrograms}
            onPress={() => show({ name: 'programs' })}
          />
        )}
      </ul>
    </section>
  );
}

interface FirstTryProps {
  /** Asks the server at this address. */
  readonly onCheck: (url: string) => void;
}

/** Where there is no practice server, as in a program that was installed: a service that asks nobody to sign in. */
function FirstTry({ onCheck }: FirstTryProps) {
  const { here } = words.connect;
  const hasDemo = useSnapshots((state) => state.app?.demo !== undefined);
  const service = useCatalogue()
    ?.searchKnownServers('')
    .find(({ forPractice }) => forPractice);
  if (hasDemo || !service) return null;
  return (
    <section className="section" aria-labelledby="first-try-title">
      <h2 id="first-try-title">{here.firstTry}</h2>
      <ul className="here-list">
        <HereRow
          icon={<ServiceIcon name={service.name} />}
          title={service.name}
          text={here.firstTryText(words.catalogue.told(service.does))}
          button={here.tryDemo}
          onPress={() => onCheck(service.address)}
        />
      </ul>
    </section>
  );
}

interface HereRowProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly onPress: () => void;
}

function HereRow({ icon, title, text, button, onPress }: HereRowProps) {
  return (
    <li className="here-row">
      <span className="here-icon">{icon}</span>
      <div className="here-text">
        <p className="here-name">{title}</p>
        <p className="soft small">{text}</p>
      </div>
      <Button onClick={onPress}>{button}</Button>
    </li>
  );
}
