import { Globe } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import type { RegistryRemote, RegistryServer } from '../../shared/list-calls.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { HostName, hostOfAddress } from '../components/facts.tsx';
import { Choice, Field, TextInput } from '../components/field.tsx';
import { Working } from '../components/notice.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { viewStateKey, useRetainedState } from '../use-retained-state.ts';
import { locale, words } from '../words.ts';
import { useCatalog } from './catalog.ts';
import { fillAddress } from './service-details.tsx';
import './registry.css';

interface RegistrySearchProps {
  /** Content of the address field. Only a plain name is ever sent to the registry. */
  readonly typed: string;
  readonly onCheck: (url: string) => void;
  readonly onKnown: (server: KnownServer) => void;
}

/** Searches the MCP registry for the typed name: off until the user enables it, and sent only on a click. */
export function RegistrySearch({ typed, ...rest }: RegistrySearchProps) {
  const read = readPasted(typed);
  if (read.kind !== 'name' || read.name.length < 2) return null;
  // Another name is another search: the key ends the previous one.
  return <RegistrySearchSection key={read.name} name={read.name} {...rest} />;
}

function RegistrySearchSection({
  name,
  onCheck,
  onKnown,
}: Omit<RegistrySearchProps, 'typed'> & { readonly name: string }) {
  const settings = useSnapshots((state) => state.desktop?.settings);
  const choosing = useCall<null>();
  const { busy, found, error, search, stop } = useRegistrySearch(settings?.registry ?? '', name);
  if (!settings) return null;
  const { searchesRegistry: isOn, registry } = settings;
  const host = hostOfAddress(registry, '');
  const texts = words.registry;
  const choose = (searchesRegistry: boolean): void => {
    stop();
    void choosing.run(() => postern.settings.update({ searchesRegistry }));
  };
  return (
    <section className="section" aria-labelledby="registry-title">
      <h2 id="registry-title">{texts.title}</h2>
      <CheckBox checked={isOn} onChange={choose} label={texts.choose} hint={texts.sends(host)} />
      {choosing.error && <ErrorNotice error={choosing.error} actions={{ dismiss: choosing.clear }} />}
      {isOn && !busy && !found && (
        <div>
          <Button onClick={() => void search()}>{texts.search(name, host)}</Button>
        </div>
      )}
      {busy && (
        <div className="row">
          <Working>{texts.searching(host)}</Working>
          <Button kind="quiet" onClick={stop}>
            {texts.stop}
          </Button>
        </div>
      )}
      {error && <ErrorNotice error={error} actions={{ dismiss: stop }} />}
      {isOn && found && <RegistryResults found={found} host={host} onCheck={onCheck} onKnown={onKnown} />}
    </section>
  );
}

type FoundServers = IpcOutput<'registry:search'>;

interface SavedResults {
  readonly found?: FoundServers;
}

const nothingFound: SavedResults = {};

interface SearchState {
  readonly busy: boolean;
  readonly error?: PlainError;
}

/**
 * One search at a time of `registry` for `searched`. Results survive leaving the page. Leaving or stopping cancels the
 * request in main.
 */
function useRegistrySearch(registry: string, query: string) {
  const [{ found }, setSaved] = useRetainedState(
    'page',
    viewStateKey(`found in ${registry} for ${query}`),
    nothingFound,
  );
  const [state, setState] = useState<SearchState>({ busy: false });
  const waiting = useRef<string>(undefined);
  const cancelPending = (): void => {
    const call = waiting.current;
    waiting.current = undefined;
    if (call !== undefined) void postern.registry.stop({ call });
  };
  useEffect(() => cancelPending, []);

  const search = async (): Promise<void> => {
    cancelPending();
    const call = crypto.randomUUID();
    waiting.current = call;
    setState({ busy: true });
    const result = await postern.registry.search({ call, words: query });
    if (waiting.current !== call) return;
    waiting.current = undefined;
    if (result.ok) setSaved({ found: result.value });
    setState(result.ok ? { busy: false } : { busy: false, error: result.error });
  };
  const stop = (): void => {
    cancelPending();
    setSaved(nothingFound);
    setState({ busy: false });
  };
  return { ...state, found, search, stop };
}

interface RegistryResultsProps {
  readonly found: FoundServers;
  readonly host: string;
  readonly onCheck: (url: string) => void;
  readonly onKnown: (server: KnownServer) => void;
}

/**
 * Unverified registry entries. An entry at the address of a known service shows that service instead, regardless of its
 * publisher.
 */
function RegistryResults({ found, host, onCheck, onKnown }: RegistryResultsProps) {
  const catalog = useCatalog();
  if (!catalog) return null;
  const texts = words.registry;
  const rows = found.servers.map((server) => ({
    server,
    known: server.remotes.map(({ url }) => catalog.findKnownServer(url)).find((each) => each !== undefined),
  }));
  const known = [...new Set(rows.flatMap((row) => row.known ?? []))];
  const unverified = rows.filter((row) => row.known === undefined);
  const time = new Date(found.askedAt).toLocaleTimeString(locale, { timeStyle: 'short' });
  return (
    <div className="stack-tight">
      <p className="soft small" role="status">
        {found.servers.length === 0 ? texts.nothing(host) : texts.found(found.servers.length, host, time)}{' '}
        {found.leftOut > 0 && `${texts.leftOut(found.leftOut)} `}
        {found.isPartial && texts.partial}
      </p>
      {rows.length > 0 && (
        <ul className="registry-rows" aria-label={texts.title}>
          {known.map((server) => (
            <KnownRow key={server.name} server={server} onChoose={() => onKnown(server)} />
          ))}
          {unverified.map(({ server }) => (
            <RegistryRow
              key={server.name}
              server={server}
              lookAlike={catalog.findLookAlike(`${server.title ?? ''} ${server.name.split('/')[1]}`)}
              onCheck={onCheck}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface RegistryRowProps {
  readonly server: RegistryServer;
  /** The catalog service whose name this entry imitates at another address. */
  readonly lookAlike: KnownServer | undefined;
  readonly onCheck: (url: string) => void;
}

const closed = { isOpen: false };

/** An unverified registry entry: shown with its host, without an icon, and never under a known service's name. */
function RegistryRow({ server, lookAlike, onCheck }: RegistryRowProps) {
  const id = useId();
  const texts = words.registry;
  const { name, title, does, remotes } = server;
  const [{ isOpen }, setSaved] = useRetainedState('page', viewStateKey(`registry row of ${name}`), closed);
  const [first] = remotes;
  const heading = lookAlike ? name : (title ?? name);
  const isOld = remotes.every(({ transport }) => transport === 'sse');
  return (
    <li className="registry-row">
      <Globe className="registry-mark" aria-hidden="true" size={20} />
      <div className="registry-text">
        <div className="row">
          <h3 id={id}>
            <bdi>{heading}</bdi>
          </h3>
          <span className="registry-tag">{texts.unverified}</span>
        </div>
        <p className="small registry-place">
          <HostName>{first?.place ?? ''}</HostName>
        </p>
        {does !== undefined && (
          <p className="soft small">
            <bdi>{does}</bdi>
          </p>
        )}
        {lookAlike && (
          <p className="small registry-warning">{texts.notThe(lookAlike.name, hostOfAddress(lookAlike.address, ''))}</p>
        )}
        {isOld && <p className="small">{texts.old}</p>}
        {isOpen && <RegistryForm server={server} onCheck={onCheck} />}
      </div>
      <Button
        aria-expanded={isOpen}
        aria-label={isOpen ? texts.closeOf(heading) : texts.openOf(heading)}
        onClick={() => setSaved({ isOpen: !isOpen })}
      >
        {isOpen ? texts.close : texts.open}
      </Button>
    </li>
  );
}

/** A registry entry that Postern knows, with its name and icon from the catalog. */
function KnownRow({ server, onChoose }: { readonly server: KnownServer; readonly onChoose: () => void }) {
  return (
    <li className="registry-row">
      <ServiceIcon name={server.name} />
      <div className="registry-text">
        <h3>{server.name}</h3>
        <p className="soft small">{words.registry.known}</p>
      </div>
      <Button aria-label={words.registry.openOf(server.name)} onClick={onChoose}>
        {words.registry.open}
      </Button>
    </li>
  );
}

interface RegistryFormProps {
  readonly server: RegistryServer;
  readonly onCheck: (url: string) => void;
}

interface Entered {
  /** Index into the remotes. */
  readonly chosen: number;
  /** By placeholder name. */
  readonly typed: Readonly<Record<string, string>>;
}

const nothingEntered: Entered = { chosen: 0, typed: {} };

/** What the publisher says is needed, the placeholders to fill in, and the button that checks the server. */
function RegistryForm({ server: { name, remotes }, onCheck }: RegistryFormProps) {
  const streamable = remotes.filter(({ transport }) => transport === 'http');
  const selectable = streamable.length > 0 ? streamable : remotes;
  const [entered, setSaved] = useRetainedState('page', `registry form of ${name}`, nothingEntered);
  const { chosen, typed } = entered;
  const remote = selectable[chosen];
  if (!remote) return null;
  const defaults = Object.fromEntries(
    remote.blanks.map((blank) => [blank.name, blank.usual ?? blank.choices?.[0] ?? '']),
  );
  const filled = { ...defaults, ...typed };
  const { url, isComplete } = fillAddress(remote.url, filled);
  const fill = (blank: string, value: string): void => setSaved({ ...entered, typed: { ...typed, [blank]: value } });
  const texts = words.registry;
  return (
    <form
      className="stack registry-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) onCheck(url);
      }}
    >
      <ul className="known-facts small">
        {listFacts(name, remote).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {selectable.length > 1 && (
        <Field label={texts.which}>
          {(control) => (
            <Choice
              {...control}
              value={String(chosen)}
              options={selectable.map(({ url: address }, index) => ({ value: String(index), label: address }))}
              onChoose={(value) => setSaved({ ...entered, chosen: Number(value) })}
            />
          )}
        </Field>
      )}
      {remote.blanks.map(({ name: blank, what, choices }) => (
        <Field key={blank} label={blank} hint={what}>
          {(control) =>
            choices ? (
              <Choice
                {...control}
                value={filled[blank] ?? ''}
                options={choices.map((value) => ({ value, label: value }))}
                onChoose={(value) => fill(blank, value)}
              />
            ) : (
              <TextInput
                {...control}
                maxLength={253}
                value={filled[blank] ?? ''}
                onChange={(event) => fill(blank, event.target.value)}
              />
            )
          }
        </Field>
      ))}
      <p className="soft small known-address">{url}</p>
      <div>
        <Button type="submit" disabled={!isComplete}>
          {texts.check}
        </Button>
      </div>
      <p className="soft small">{texts.checkHint}</p>
    </form>
  );
}

function listFacts(name: string, { place, isAtOwnDomain, headers, blanks }: RegistryRemote): readonly string[] {
  const texts = words.registry;
  const [header] = headers;
  return [
    isAtOwnDomain ? texts.ownDomain(name) : texts.otherDomain(name, place),
    ...(header && headers.length === 1 ? [texts.needsKey(header.name, header.what)] : []),
    ...(headers.length > 1 ? [texts.wantsHeaders(headers.map((each) => each.name))] : []),
    ...(blanks.some(({ isSecret }) => isSecret) ? [texts.secretInAddress] : []),
  ];
}
