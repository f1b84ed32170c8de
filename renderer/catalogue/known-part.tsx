import { ExternalLink } from 'lucide-react';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { authorityOf } from '../../shared/web-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button, CopyLine } from '../parts/button.tsx';
import { Choice, Field, TextInput } from '../parts/field.tsx';
import { Notice } from '../parts/notice.tsx';
import { ServiceIcon } from '../parts/service-icon.tsx';
import { postern, useCall } from '../postern.ts';
import { useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import './recipe.css';

interface KnownPartProps {
  readonly server: KnownServer;
  /** The person gave an address that it has left. */
  readonly hasMoved: boolean;
  readonly busy: boolean;
  readonly onCheck: (url: string) => void;
  readonly onBack: () => void;
}

interface Filled {
  /** Another than the usual one. */
  readonly address?: string;
  /** Its parts in braces. */
  readonly parts: Readonly<Record<string, string>>;
}

const nothing: Filled = { parts: {} };

/** What is known of a service before it is asked, and the button that asks it. */
export function KnownPart({ server, hasMoved, busy, onCheck, onBack }: KnownPartProps) {
  const [entered, keep] = useKept('page', `service ${server.name}`, nothing);
  const { address = server.address, parts: filled } = entered;
  const { name, does, others = [], know = [], admits, home } = server;
  const { url, blanks, isWhole } = fillAddress(address, filled);
  return (
    <section className="known-service stack" aria-labelledby="service-title">
      <div className="known-head">
        <ServiceIcon name={name} size="large" />
        <div>
          <h2 id="service-title">{name}</h2>
          <p className="soft">{words.catalogue.told(does)}</p>
        </div>
      </div>
      {hasMoved && <p>{words.catalogue.moved(name)}</p>}
      {admits && <Notice tone="ask" title={words.catalogue.admits[admits](name)} />}
      <ul className="known-facts">
        {!admits && <li>{describeSignIn(server)}</li>}
        {server.key && server.signIn === 'registers' && <li>{words.catalogue.keyToo}</li>}
        {know.map((fact) => (
          <li key={fact}>{words.catalogue.told(fact)}</li>
        ))}
      </ul>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole) onCheck(url);
        }}
      >
        {others.length > 0 && (
          <Field label={words.catalogue.address}>
            {(control) => (
              <Choice
                {...control}
                value={address}
                options={[
                  { value: server.address, label: words.catalogue.usual },
                  ...others.map((other) => ({ value: other.address, label: words.catalogue.told(other.of) })),
                ]}
                onChoose={(chosen) => keep({ ...entered, address: chosen })}
              />
            )}
          </Field>
        )}
        {blanks.map((placed) => (
          <Field key={placed} label={words.catalogue.told(server.fill?.[placed] ?? placed)}>
            {(control) => (
              <TextInput
                {...control}
                maxLength={253}
                value={filled[placed] ?? ''}
                onChange={(event) => keep({ ...entered, parts: { ...filled, [placed]: event.target.value } })}
              />
            )}
          </Field>
        ))}
        <p className="soft small known-address">{url}</p>
        <div className="row">
          <Button type="submit" kind="primary" busy={busy} disabled={!isWhole} autoFocus>
            {words.catalogue.check}
          </Button>
          {home !== undefined && <OpenPage server={server} page="home" label={words.catalogue.openHome(name)} />}
          <Button kind="quiet" onClick={onBack}>
            {words.catalogue.back}
          </Button>
        </div>
        <p className="soft small">{words.catalogue.guess}</p>
      </form>
      <Recipe server={server} />
    </section>
  );
}

function describeSignIn({ signIn, app, key }: KnownServer): string {
  if (signIn !== 'app') return words.catalogue.signIn[signIn];
  if (key) return words.catalogue.signIn.appOrKey;
  return words.catalogue.signIn[app ? 'app' : 'appOnly'];
}

interface RecipeProps {
  readonly server: KnownServer;
  /** Of the sign-in that asks for the app; without it there is nothing to copy yet. */
  readonly connectionId?: string;
}

/** How an app of one's own is created at a service that is known. */
export function Recipe({ server, connectionId }: RecipeProps) {
  const { app, name } = server;
  if (!app) return null;
  return (
    <section className="recipe" aria-label={words.catalogue.recipe(name)}>
      <h3>{words.catalogue.recipe(name)}</h3>
      <ol>
        {app.steps.map((step) => (
          <li key={step}>{words.catalogue.told(step)}</li>
        ))}
      </ol>
      {app.scopes && connectionId !== undefined && (
        <CopyLine
          label={words.catalogue.scopes}
          value={app.scopes.join(' ')}
          onCopy={async () => (await postern.app.copy({ kind: 'scopes', id: connectionId })).ok}
        />
      )}
      {connectionId === undefined ? (
        <p className="soft small">{words.catalogue.recipeLater}</p>
      ) : (
        <div className="row">
          <OpenPage server={server} page="app" label={words.catalogue.openApp(name)} />
        </div>
      )}
    </section>
  );
}

interface OpenPageProps {
  readonly server: KnownServer;
  /** Main knows the address. */
  readonly page: 'home' | 'app' | 'key';
  readonly label: string;
}

/** Opens a page of the service in the person's browser. */
export function OpenPage({ server: { name }, page, label }: OpenPageProps) {
  const call = useCall<null>();
  return (
    <>
      <Button
        icon={ExternalLink}
        busy={call.busy}
        onClick={() => void call.run(() => postern.app.openPage({ service: name, page }))}
      >
        {label}
      </Button>
      {call.error && <ErrorNotice error={call.error} />}
    </>
  );
}

interface FilledAddress {
  readonly url: string;
  /** Names of what has to be filled in. */
  readonly blanks: readonly string[];
  readonly isWhole: boolean;
}

/** An address with `{name}` for what a person fills in; no value makes another address of it. */
export function fillAddress(address: string, filled: Readonly<Record<string, string>>): FilledAddress {
  const blanks = [...new Set([...address.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name))];
  const valueOf = (name: string): string =>
    clean(Object.hasOwn(filled, name) ? (filled[name] ?? '') : '', isOfHost(address, name));
  const url = address.replaceAll(/\{(\w+)\}/gu, (blank, name: string) => valueOf(name) || blank);
  return { url, blanks, isWhole: blanks.every((name) => valueOf(name) !== '') };
}

const isOfHost = (address: string, name: string): boolean => authorityOf(address).includes(`{${name}}`);

/** A part of a host or path, without what would make another address of it. */
function clean(text: string, isHost: boolean): string {
  const plain = text.trim().replace(/^https?:\/\//iu, '');
  return (isHost ? plain.replace(/\/.*$/su, '') : plain).replaceAll(/[^\w./-]/gu, '').replace(/\/+$/u, '');
}
