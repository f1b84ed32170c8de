import { Globe } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import type { RegistryRemote, RegistryServer } from '../../shared/list-calls.ts';
import { readPasted } from '../../shared/pasted/read-pasted.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { CheckBox } from '../parts/check-box.tsx';
import { HostName, placeOfAddress } from '../parts/facts.tsx';
import { Choice, Field, TextInput } from '../parts/field.tsx';
import { Working } from '../parts/notice.tsx';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { lookedAt, useKept } from '../use-kept.ts';
import { locale, words } from '../words.ts';
import { useCatalogue } from './catalogue.ts';
import { fillAddress } from './known-part.tsx';
import './registry.css';

interface RegistryPartProps {
  /** What stands in the field; of it a name alone is sent anywhere. */
  readonly typed: string;
  readonly onCheck: (url: string) => void;
  readonly onKnown: (server: KnownServer) => void;
}

/** The same search in the MCP registry: off until the person chooses it, and asked at a press alone. */
export function RegistryPart({ typed, ...rest }: RegistryPartProps) {
  const read = readPasted(typed);
  if (read.kind !== 'name' || read.name.length < 2) return null;
  // Another name is another search: the one before ends.
  return <RegistrySection key={read.name} name={read.name} {...rest} />;
}

function RegistrySection({ name, onCheck, onKnown }: Omit<RegistryPartProps, 'typed'> & { readonly name: string }) {
  const settings = useSnapshots((state) => state.app?.settings);
  const choosing = useCall<null>();
  const { busy, found, error, search, stop } = useRegistrySearch(settings?.registry ?? '', name);
  if (!settings) return null;
  const { searchesRegistry: isOn, registry } = settings;
  const place = placeOfAddress(registry, '');
  const own = words.registry;
  const choose = (searchesRegistry: boolean): void => {
    stop();
    void choosing.run(() => postern.settings.update({ searchesRegistry }));
  };
  return (
    <section className="section" aria-labelledby="registry-title">
      <h2 id="registry-title">{own.title}</h2>
      <CheckBox checked={isOn} onChange={choose} label={own.choose} hint={own.sends(place)} />
      {choosing.error && <ErrorNotice error={choosing.error} actions={{ dismiss: choosing.clear }} />}
      {isOn && !busy && !found && (
        <div>
          <Button onClick={() => void search()}>{own.search(name, place)}</Button>
        </div>
      )}
      {busy && (
        <div className="row">
          <Working>{own.asking(place)}</Working>
          <Button kind="quiet" onClick={stop}>
            {own.stop}
          </Button>
        </div>
      )}
      {error && <ErrorNotice error={error} actions={{ dismiss: stop }} />}
      {isOn && found && <RegistryResults found={found} place={place} onCheck={onCheck} onKnown={onKnown} />}
    </section>
  );
}

type FoundServers = IpcOutput<'registry:search'>;

interface Kept {
  readonly found?: FoundServers;
}

const nothingFound: Kept = {};

interface RegistrySearch {
  readonly busy: boolean;
  readonly error?: PlainError;
}

/**
 * One search of `registry` for `words` at a time; what was found is still there when the page is shown again. Whoever leaves, or stops it, hears nothing of it any more, and main asks
 * no further.
 */
function useRegistrySearch(registry: string, searched: string) {
  const [{ found }, keep] = useKept('page', lookedAt(`found in ${registry} for ${searched}`), nothingFound);
  const [shown, show] = useState<RegistrySearch>({ busy: false });
  const waiting = useRef<string>(undefined);
  const leave = (): void => {
    const call = waiting.current;
    waiting.current = undefined;
    if (call !== undefined) void postern.registry.stop({ call });
  };
  useEffect(() => leave, []);

  const search = async (): Promise<void> => {
    leave();
    const call = crypto.randomUUID();
    waiting.current = call;
    show({ busy: true });
    const result = await postern.registry.search({ call, words: searched });
    if (waiting.current !== call) return;
    waiting.current = undefined;
    if (result.ok) keep({ found: result.value });
    show(result.ok ? { busy: false } : { busy: false, error: result.error });
  };
  const stop = (): void => {
    leave();
    keep(nothingFound);
    show({ busy: false });
  };
  return { ...shown, found, search, stop };
}

interface RegistryResultsProps {
  readonly found: FoundServers;
  readonly place: string;
  readonly onCheck: (url: string) => void;
  readonly onKnown: (server: KnownServer) => void;
}

/** What strangers have published. At the address of a service that is known stands that service, whoever names it. */
function RegistryResults({ found, place, onCheck, onKnown }: RegistryResultsProps) {
  const catalogue = useCatalogue();
  if (!catalogue) return null;
  const own = words.registry;
  const rows = found.servers.map((server) => ({
    server,
    known: server.remotes.map(({ url }) => catalogue.findKnownServer(url)).find((each) => each !== undefined),
  }));
  const known = [...new Set(rows.flatMap((row) => row.known ?? []))];
  const strangers = rows.filter((row) => row.known === undefined);
  const time = new Date(found.askedAt).toLocaleTimeString(locale, { timeStyle: 'short' });
  return (
    <div className="stack-tight">
      <p className="soft small" role="status">
        {found.servers.length === 0 ? own.nothing(place) : own.found(found.servers.length, place, time)}{' '}
        {found.leftOut > 0 && `${own.leftOut(found.leftOut)} `}
        {found.isPartial && own.partial}
      </p>
      {rows.length > 0 && (
        <ul className="registry-rows" aria-label={own.title}>
          {known.map((server) => (
            <KnownRow key={server.name} server={server} onChoose={() => onKnown(server)} />
          ))}
          {strangers.map(({ server }) => (
            <RegistryRow
              key={server.name}
              server={server}
              lookAlike={catalogue.findLookAlike(`${server.title ?? ''} ${server.name.split('/')[1]}`)}
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
  /** The service of the catalogue whose name it bears, at another address. */
  readonly lookAlike: KnownServer | undefined;
  readonly onCheck: (url: string) => void;
}

const closed = { isOpen: false };

/** A server as a stranger published it: beside its host, without an icon, and never by the name of another one. */
function RegistryRow({ server, lookAlike, onCheck }: RegistryRowProps) {
  const id = useId();
  const own = words.registry;
  const { name, title, does, remotes } = server;
  const [{ isOpen }, keep] = useKept('page', lookedAt(`registry row of ${name}`), closed);
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
          <span className="registry-tag">{own.unverified}</span>
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
          <p className="small registry-warning">{own.notThe(lookAlike.name, placeOfAddress(lookAlike.address, ''))}</p>
        )}
        {isOld && <p className="small">{own.old}</p>}
        {isOpen && <RegistryForm server={server} onCheck={onCheck} />}
      </div>
      <Button
        aria-expanded={isOpen}
        aria-label={isOpen ? own.closeOf(heading) : own.openOf(heading)}
        onClick={() => keep({ isOpen: !isOpen })}
      >
        {isOpen ? own.close : own.open}
      </Button>
    </li>
  );
}

/** What the registry names and Postern knows: by the name and the look that it has here. */
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
  /** Which of the addresses. */
  readonly chosen: number;
  /** By the names of the blanks. */
  readonly typed: Readonly<Record<string, string>>;
}

const nothingEntered: Entered = { chosen: 0, typed: {} };

/** What the publisher says is needed, what has to be filled in, and the button that asks the server. */
function RegistryForm({ server: { name, remotes }, onCheck }: RegistryFormProps) {
  const newer = remotes.filter(({ transport }) => transport === 'http');
  const offered = newer.length > 0 ? newer : remotes;
  const [entered, keep] = useKept('page', `registry form of ${name}`, nothingEntered);
  const { chosen, typed } = entered;
  const remote = offered[chosen];
  if (!remote) return null;
  const usual = Object.fromEntries(remote.blanks.map((blank) => [blank.name, blank.usual ?? blank.choices?.[0] ?? '']));
  const filled = { ...usual, ...typed };
  const { url, isWhole } = fillAddress(remote.url, filled);
  const fill = (blank: string, value: string): void => keep({ ...entered, typed: { ...typed, [blank]: value } });
  const own = words.registry;
  return (
    <form
      className="stack registry-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) onCheck(url);
      }}
    >
      <ul className="known-facts small">
        {listFacts(name, remote).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {offered.length > 1 && (
        <Field label={own.which}>
          {(control) => (
            <Choice
              {...control}
              value={String(chosen)}
              options={offered.map(({ url: address }, index) => ({ value: String(index), label: address }))}
              onChoose={(value) => keep({ ...entered, chosen: Number(value) })}
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
        <Button type="submit" disabled={!isWhole}>
          {own.check}
        </Button>
      </div>
      <p className="soft small">{own.checkHint}</p>
    </form>
  );
}

function listFacts(name: string, { place, isAtOwnDomain, headers, blanks }: RegistryRemote): readonly string[] {
  const own = words.registry;
  const [header] = headers;
  return [
    isAtOwnDomain ? own.ownDomain(name) : own.otherDomain(name, place),
    ...(header && headers.length === 1 ? [own.wantsKey(header.name, header.what)] : []),
    ...(headers.length > 1 ? [own.wantsHeaders(headers.map((each) => each.name))] : []),
    ...(blanks.some(({ isSecret }) => isSecret) ? [own.secretInAddress] : []),
  ];
}
