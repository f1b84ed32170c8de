import { Blocks } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { useShallow } from 'zustand/shallow';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { useCatalog } from '../catalog/catalog.ts';
import { ServiceDetails } from '../catalog/service-details.tsx';
import { RegistrySearch } from '../catalog/registry-search.tsx';
import { SimilarServices, ServiceCatalog } from '../catalog/service-catalog.tsx';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { postern, useCall } from '../postern.ts';
import { checkOf, isCheck, isFailedCheck, useConnection, useSnapshots } from '../store.ts';
import { show, showIntegration, pinConnection } from '../view.ts';
import type { DroppedText, LinkedAddress } from '../view.ts';
import { words } from '../words.ts';
import { AddressForm } from './address-form.tsx';
import './connect.css';
import { FirstStartPicture } from './connect-card.tsx';
import { ConnectionPanel } from './connection-panel.tsx';
import { ImportList, useImported } from './import-list.tsx';
import { LocalServerForm } from './local-server-form.tsx';
import './route-drawing.css';
import { pointsElsewhere, useAddress, useDiscover } from './use-address.ts';
import { onlyEntry, useConnectInput } from './use-connect-input.ts';
import type { InputNote } from './use-connect-input.ts';
import { draftOf, useLocalDraft } from './use-local-draft.ts';
import type { LocalDraft } from './use-local-draft.ts';

interface ConnectPageProps {
  /** The discovery or sign-in being shown. */
  readonly connectionId: string | undefined;
  /** Dropped text that opened this page. */
  readonly dropped: DroppedText | undefined;
  /** Link that opened this page. */
  readonly linked: LinkedAddress | undefined;
}

export function ConnectPage({ connectionId, dropped, linked }: ConnectPageProps) {
  const list = useImported();
  const only = onlyEntry(list);
  const check = useSnapshots(
    (state) =>
      checkOf(state) ?? state.connections?.findLast((one) => isCheck(one) && only && one.importEntry === only.id),
  );
  const chosen = useConnection(connectionId);
  const current = connectionId === undefined ? check : chosen;
  const isFirst = useSnapshots((state) => state.integrations?.length === 0);
  const apps = useSnapshots(useShallow((state) => state.apps?.map(({ name }) => name))) ?? [];
  const discovery = useDiscover(current);
  const input = useConnectInput(discovery, current);
  const address = useAddress(current, connectionId ?? check?.id);
  const { chosen: service } = input;
  // A check result belongs to its own address; typing another address or choosing a service hides it. The address of a
  // link is never in the field.
  const isElsewhere = linked === undefined && current !== undefined && pointsElsewhere(current, address.text);
  const isUnused = current !== undefined && (isFailedCheck(current) || current.state.name === 'discovered');
  const isStale = isUnused && (service !== undefined || (isFailedCheck(current) && isElsewhere));
  const connection = isStale ? undefined : current;
  const [localDraft, changeLocal] = useLocalDraft();
  const showsLocal = localDraft.isOpen && !connection?.hasStarted;
  const imported = list.entries;
  // Alongside a check; a server that has responded, or is from the list, gets the page to itself.
  const showsList =
    !only &&
    imported.length + (list.unreadable?.length ?? 0) > 0 &&
    (!connection || (isCheck(connection) && connection.importEntry === undefined));

  // Nothing in progress: room for suggestions.
  const isFree = !connection && !showsList && !service && !showsLocal;
  const isEmpty = address.text.trim() === '';
  const marked = isFree && !isEmpty ? input.findNamed(address.text)[0] : undefined;

  // Stay with the check: a failed one can be fixed here, and a running one shows its verdict here.
  const checkId = check?.id;
  useEffect(() => {
    if (connectionId === undefined && checkId !== undefined) pinConnection(checkId);
  }, [connectionId, checkId]);

  const quickStart = isFree && isEmpty && (
    <QuickStart isFirst={isFirst} onTry={(url) => discovery.discover(url, { local: true })} />
  );

  // Process a drop or a link once, and only when the catalog is loaded.
  const handled = useRef<DroppedText | LinkedAddress>(undefined);
  useEffect(() => {
    const next = dropped ?? linked;
    if (!input.isReady || next === undefined || handled.current === next) return;
    handled.current = next;
    if (dropped) input.submitText(dropped.text);
    else if (linked) input.openLink(linked);
  });

  return (
    <div className="page connect" data-in-progress={showsList || service || input.note || showsLocal ? '' : undefined}>
      <header className="stack-tight">
        {!only && imported.some(({ id }) => id === connection?.importEntry) && (
          <div>
            <Button kind="quiet" onClick={() => show({ name: 'connect' })}>
              {words.connect.importBack}
            </Button>
          </div>
        )}
        <h1>{isFirst ? words.connect.firstTitle(apps) : words.connect.title}</h1>
        {!current && <p className="soft intro">{words.connect[isFirst ? 'firstIntro' : 'intro']}</p>}
        {isFree && isEmpty && isFirst && <FirstStartPicture />}
      </header>
      <AddressForm
        connection={connection}
        address={address}
        input={input}
        busy={discovery.busy || input.busy}
        marked={marked}
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
        <LocalServerForm
          onRemote={(url) => {
            changeLocal({ isOpen: false });
            input.submitText(url);
          }}
        />
      )}
      {input.note && (
        <InputNotice
          note={input.note}
          onChoose={input.submitText}
          onService={(server) => {
            input.forget();
            input.choose({ server, hasMoved: false });
          }}
          onLocal={(draft) => {
            input.forget();
            address.enter({ text: '' });
            changeLocal(draft);
          }}
        />
      )}
      {input.error && <ErrorNotice error={input.error} actions={{ dismiss: input.forget }} />}
      {connection && <ConnectionPanel key={`${connection.id} ${connection.url}`} connection={connection} />}
      {connection && isFailedCheck(connection) && (
        <SimilarServices text={connection.url} onChoose={(server) => input.choose({ server, hasMoved: false })} />
      )}
      {showsList && <ImportList {...list} />}
      {service && (!connection || isCheck(connection)) && (
        <ServiceDetails
          key={service.server.name}
          {...service}
          busy={discovery.busy}
          onCheck={input.check}
          onBack={() => {
            input.choose(undefined);
            document.querySelector<HTMLInputElement>('#address')?.focus();
          }}
        />
      )}
      {!isFirst && quickStart}
      {isFree && (
        <ServiceCatalog
          search={address.text}
          isFirst={isFirst}
          marked={marked}
          onChoose={(server) => input.choose({ server, hasMoved: false })}
        />
      )}
      {isFirst && quickStart}
      {isFree && isEmpty && isFirst && <TryWithoutSignIn onCheck={input.check} />}
      {isFree && (
        <RegistrySearch
          typed={address.text}
          onCheck={input.check}
          onKnown={(server) => input.choose({ server, hasMoved: false })}
        />
      )}
      {isFree && isFirst && <HowItWorks />}
    </div>
  );
}

/** First-run overview: from an address to a connection in three steps. */
function HowItWorks() {
  const { ask, signIn, keep, keepInMemory } = words.connect.how;
  const memoryOnly = useSnapshots((state) => state.desktop?.storage.memoryOnly);
  return (
    <ol className="route how" aria-label={words.connect.howTitle}>
      {[ask, signIn, memoryOnly ? keepInMemory : keep].map(([title, text], index, stops) => (
        <li className="route-stop" key={title}>
          <span className={`route-node${index === stops.length - 1 ? ' home' : ''}`} aria-hidden="true" />
          {index < stops.length - 1 && <span className="route-line" aria-hidden="true" />}
          <span className="how-title">{title}</span>
          <span className="soft small">{text}</span>
        </li>
      ))}
    </ol>
  );
}

/** Services to choose from in a notice. */
const maxNamed = 8;

interface InputNoticeProps {
  readonly note: InputNote;
  readonly onChoose: (url: string) => void;
  readonly onService: (server: KnownServer) => void;
  /** Continues with a command. */
  readonly onLocal: (draft: Partial<LocalDraft>) => void;
}

/** Why the input led to no check (or not to a single one), and what to do next. */
function InputNotice({ note, onChoose, onService, onLocal }: InputNoticeProps) {
  const { inputNotes } = words.connect;
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
              <Button onClick={note.proceed}>{inputNotes.another}</Button>
            </>
          }
        />
      );
    case 'several':
      return (
        <Notice
          urgent
          title={inputNotes.several}
          actions={note.urls.map((url) => (
            <Button key={url} onClick={() => onChoose(url)}>
              {url}
            </Button>
          ))}
        />
      );
    case 'services':
      return (
        <Notice
          urgent
          title={inputNotes.services(note.name)}
          actions={note.servers.slice(0, maxNamed).map((server) => (
            <Button key={server.name} onClick={() => onService(server)}>
              {server.name}
            </Button>
          ))}
        />
      );
    case 'local':
      return (
        <Notice
          urgent
          title={inputNotes.local(note.app)}
          actions={<Button onClick={() => onLocal(draftOf(note))}>{inputNotes.reviewCommand}</Button>}
        >
          <p>{inputNotes.localMore}</p>
        </Notice>
      );
    case 'unknownName':
      return (
        <Notice urgent tone="ask" title={inputNotes.unknownName(note.name)}>
          <p>{inputNotes.unknownNameMore}</p>
        </Notice>
      );
    case 'text':
      return (
        <Notice urgent tone="ask" title={inputNotes.text}>
          <p>{inputNotes.textMore}</p>
        </Notice>
      );
  }
}

interface QuickStartProps {
  /** No server is connected yet. */
  readonly isFirst: boolean;
  readonly onTry: (url: string) => void;
}

/** What can be connected without an address at hand: the demo server, and servers that AI apps on this computer have. */
function QuickStart({ isFirst, onTry }: QuickStartProps) {
  const { quickStart } = words.connect;
  const demo = useSnapshots((state) =>
    state.integrations?.some(({ url }) => url === state.desktop?.demo?.url) ? undefined : state.desktop?.demo,
  );
  const found = useFoundServers(isFirst);
  if (!demo && !found) return null;
  const [only, ...others] = found?.apps ?? [];
  const target = only && others.length === 0 ? ({ name: 'app', id: only.id } as const) : ({ name: 'apps' } as const);
  return (
    <section className="section" aria-labelledby="quick-start-title">
      <h2 id="quick-start-title">{quickStart.title}</h2>
      <ul className="quick-start-list">
        {found && (
          <QuickStartRow
            icon={<Blocks aria-hidden="true" size={20} />}
            title={quickStart.servers(
              found.servers,
              found.apps.map(({ name }) => name),
            )}
            text={quickStart.serversText}
            button={quickStart.bring(found.servers)}
            onPress={() => show(target)}
          />
        )}
        {demo && (
          <QuickStartRow
            icon={<ServiceIcon name={words.connect.demoName} />}
            title={isFirst ? quickStart.demoTitle : words.connect.demoName}
            text={quickStart.demo}
            button={quickStart.tryDemo}
            onPress={() => onTry(demo.url)}
          />
        )}
      </ul>
    </section>
  );
}

/** What AI apps have that Postern does not; `undefined` until their files were read, or if that is nothing. */
function useFoundServers(isFirst: boolean) {
  const apps = useSnapshots((state) => state.apps);
  const counting = useCall<IpcOutput<'app:countServers'>>();
  // An app that the user added has no known file.
  const ids = isFirst && apps ? apps.filter(({ path }) => path !== '').map(({ id }) => id) : [];
  const wanted = ids.join(' ');
  useEffect(() => {
    if (wanted !== '') void counting.run(() => postern.app.countServers({ apps: ids }));
  }, [wanted]);
  const { servers = 0, apps: having = [] } = (isFirst && counting.value) || {};
  const named = (apps ?? []).filter(({ id }) => having.includes(id));
  return servers > 0 && named.length > 0 ? { servers, apps: named } : undefined;
}

interface TryWithoutSignInProps {
  /** Checks the server at this address. */
  readonly onCheck: (url: string) => void;
}

/** Without a demo server, as in installed builds: a service that needs no sign-in. */
function TryWithoutSignIn({ onCheck }: TryWithoutSignInProps) {
  const { quickStart } = words.connect;
  const hasDemo = useSnapshots((state) => state.desktop?.demo !== undefined);
  const service = useCatalog()
    ?.searchKnownServers('')
    .find(({ forTryingOut }) => forTryingOut);
  if (hasDemo || !service) return null;
  return (
    <section className="section" aria-labelledby="first-try-title">
      <h2 id="first-try-title">{quickStart.firstTry}</h2>
      <ul className="quick-start-list">
        <QuickStartRow
          icon={<ServiceIcon name={service.name} brand={{ service: service.name }} />}
          title={service.name}
          text={quickStart.firstTryText(words.catalog.translate(service.description))}
          button={quickStart.tryDemo}
          onPress={() => onCheck(service.address)}
        />
      </ul>
    </section>
  );
}

interface QuickStartRowProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly onPress: () => void;
}

function QuickStartRow({ icon, title, text, button, onPress }: QuickStartRowProps) {
  return (
    <li className="quick-start-row">
      <span className="quick-start-icon">{icon}</span>
      <div className="quick-start-text">
        <p className="quick-start-name">{title}</p>
        <p className="soft small">{text}</p>
      </div>
      <Button onClick={onPress}>{button}</Button>
    </li>
  );
}
