import { ExternalLink } from 'lucide-react';
import type { KnownServer } from '../../shared/known-servers/known-server.ts';
import { authorityOf } from '../../shared/web-address.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Choice, Field, TextInput } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { ServiceIcon } from '../components/service-icon.tsx';
import { postern, useCall } from '../postern.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { words } from '../words.ts';
import './oauth-app-steps.css';

interface ServiceDetailsProps {
  readonly server: KnownServer;
  /** The user entered an address that the service has moved away from. */
  readonly hasMoved: boolean;
  readonly busy: boolean;
  readonly onCheck: (url: string) => void;
  readonly onBack: () => void;
}

interface AddressDraft {
  /** One other than the default. */
  readonly address?: string;
  /** Values for the placeholders in braces. */
  readonly parts: Readonly<Record<string, string>>;
}

const emptyDraft: AddressDraft = { parts: {} };

/** What the catalog knows about a service before any request, and the button that checks it. */
export function ServiceDetails({ server, hasMoved, busy, onCheck, onBack }: ServiceDetailsProps) {
  const [entered, setEntered] = useRetainedState('page', `service ${server.name}`, emptyDraft);
  const { address = server.address, parts: filled } = entered;
  const { name, description, otherAddresses = [], hints = [], accepts, homepage } = server;
  const { url, blanks, isComplete } = fillAddress(address, filled);
  return (
    <section className="known-service stack" aria-labelledby="service-title">
      <div className="known-head">
        <ServiceIcon name={name} brand={{ service: name }} size="large" />
        <div>
          <h2 id="service-title">{name}</h2>
          <p className="soft">{words.catalog.translate(description)}</p>
        </div>
      </div>
      {hasMoved && <p>{words.catalog.moved(name)}</p>}
      {accepts && <Notice tone="ask" title={words.catalog.accepts[accepts](name)} />}
      <ul className="known-facts">
        {!accepts && <li>{describeSignIn(server)}</li>}
        {server.key && server.signIn === 'registers' && <li>{words.catalog.keyToo}</li>}
        {hints.map((fact) => (
          <li key={fact}>{words.catalog.translate(fact)}</li>
        ))}
      </ul>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete) onCheck(url);
        }}
      >
        {otherAddresses.length > 0 && (
          <Field label={words.catalog.address}>
            {(control) => (
              <Choice
                {...control}
                value={address}
                options={[
                  { value: server.address, label: words.catalog.defaultServer },
                  ...otherAddresses.map((other) => ({
                    value: other.address,
                    label: words.catalog.translate(other.of),
                  })),
                ]}
                onChoose={(chosen) => setEntered({ ...entered, address: chosen })}
              />
            )}
          </Field>
        )}
        {blanks.map((placed) => (
          <Field key={placed} label={words.catalog.translate(server.placeholders?.[placed] ?? placed)}>
            {(control) => (
              <TextInput
                {...control}
                maxLength={253}
                value={filled[placed] ?? ''}
                onChange={(event) => setEntered({ ...entered, parts: { ...filled, [placed]: event.target.value } })}
              />
            )}
          </Field>
        ))}
        <p className="soft small known-address">{url}</p>
        <div className="row">
          <Button type="submit" kind="primary" busy={busy} disabled={!isComplete} autoFocus>
            {words.catalog.check}
          </Button>
          {homepage !== undefined && (
            <OpenPageButton server={server} page="home" label={words.catalog.openHome(name)} />
          )}
          <Button kind="quiet" onClick={onBack}>
            {words.catalog.back}
          </Button>
        </div>
        <p className="soft small">{words.catalog.checkFirst}</p>
      </form>
      {server.oauthApp && (
        <section className="oauth-app-steps" aria-label={words.catalog.recipe(name)}>
          <h3>{words.catalog.recipe(name)}</h3>
          <OAuthAppRecipe server={server} />
          <p className="soft small">{words.catalog.recipeLater}</p>
        </section>
      )}
    </section>
  );
}

function describeSignIn({ signIn, oauthApp, key }: KnownServer): string {
  if (signIn !== 'oauthApp') return words.catalog.signIn[signIn];
  if (key) return words.catalog.signIn.oauthAppOrKey;
  return words.catalog.signIn[oauthApp ? 'oauthApp' : 'oauthAppOnly'];
}

/** How to create an OAuth app at a known service. */
export function OAuthAppRecipe({ server: { oauthApp } }: Pick<ServiceDetailsProps, 'server'>) {
  return (
    <ol className="oauth-app-recipe">
      {oauthApp?.steps.map((step) => (
        <li key={step}>{words.catalog.translate(step)}</li>
      ))}
    </ol>
  );
}

interface OpenPageProps {
  readonly server: KnownServer;
  /** Main knows the address. */
  readonly page: 'home' | 'oauthApp' | 'key';
  readonly label: string;
}

/** Opens a page of the service in the user's browser. */
export function OpenPageButton({ server: { name }, page, label }: OpenPageProps) {
  const call = useCall<null>();
  return (
    <>
      <Button
        icon={ExternalLink}
        busy={call.busy}
        onClick={() => void call.run(() => postern.desktop.openPage({ service: name, page }))}
      >
        {label}
      </Button>
      {call.error && <ErrorNotice error={call.error} />}
    </>
  );
}

interface FilledAddress {
  readonly url: string;
  /** Names of the placeholders to fill in. */
  readonly blanks: readonly string[];
  readonly isComplete: boolean;
}

/** Fills the `{name}` placeholders of an address. A value cannot change which host the address points to. */
export function fillAddress(address: string, filled: Readonly<Record<string, string>>): FilledAddress {
  const blanks = [...new Set([...address.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name))];
  const valueOf = (name: string): string =>
    sanitize(Object.hasOwn(filled, name) ? (filled[name] ?? '') : '', isInHost(address, name));
  const url = address.replaceAll(/\{(\w+)\}/gu, (blank, name: string) => valueOf(name) || blank);
  return { url, blanks, isComplete: blanks.every((name) => valueOf(name) !== '') };
}

const isInHost = (address: string, name: string): boolean => authorityOf(address).includes(`{${name}}`);

/** A host or path segment without characters that would change the address. */
function sanitize(text: string, isHost: boolean): string {
  const plain = text.trim().replace(/^https?:\/\//iu, '');
  return (isHost ? plain.replace(/\/.*$/su, '') : plain).replaceAll(/[^\w./-]/gu, '').replace(/\/+$/u, '');
}
