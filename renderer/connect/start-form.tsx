import { useEffect, useId, useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ConnectionView, VerdictView } from '../../shared/connection-view.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { useKnownServer } from '../catalog/catalog.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { PkceField } from '../credentials/credential-fields.tsx';
import { Button } from '../components/button.tsx';
import { ScopeChips } from '../components/chips.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { Choice, Field, TextInput } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useRetainedState } from '../use-retained-state.ts';
import { useView } from '../view.ts';
import { words } from '../words.ts';
import { isAddressTyped } from './use-address.ts';
import { SignInAlternatives } from './sign-in-alternatives.tsx';
import { listAlternatives } from './list-alternatives.ts';
import type { Alternative } from './list-alternatives.ts';

/** A verdict with a next step. */
export type SettledVerdict = VerdictView & { readonly kind: Exclude<VerdictView['kind'], 'couldNotTell'> };

interface StartFormProps {
  readonly connection: ConnectionView;
  readonly verdict: SettledVerdict;
  /** Of the service, on the button. */
  readonly service: string;
  /** The user agreed to the verdict's hosts. */
  readonly agreed: boolean;
  /** Further details. */
  readonly children: ReactNode;
}

interface StartDraft {
  readonly name?: string;
  readonly options: Partial<IntegrationOptions>;
}

const nothing: StartDraft = { options: {} };

/** The primary button, labeled with what will happen; below it other ways, and the details. */
export function StartForm({ connection, verdict, service, agreed, children }: StartFormProps) {
  const formId = useId();
  const defaultSurface = useSnapshots((state) => state.desktop?.settings.signInSurface ?? 'popup');
  const known = useKnownServer(connection.url);
  const isDemo = useSnapshots((state) => state.desktop?.demo?.url === connection.url);
  const [typed, setTyped] = useRetainedState(connection.id, `start of ${connection.url}`, nothing);
  const { options } = typed;
  // Left empty, the server gets the name that it calls itself.
  const name = typed.name ?? (connection.name || (known?.name ?? (isDemo ? words.connect.demoName : '')));
  const { hosts } = verdict;
  const call = useCall<null>();
  const button = useRef<HTMLButtonElement>(null);
  // Focus the button so that Enter continues, without scrolling. Not while the user types another address, and not
  // after a link, when a keystroke may belong to what was focused before.
  useEffect(() => {
    const { view } = useView.getState();
    if (view.name === 'connect' && view.linked) return;
    if (!isAddressTyped(connection)) button.current?.focus({ preventScroll: true });
  }, []);
  const { id } = connection;
  const start = (event: FormEvent): void => {
    event.preventDefault();
    void call.run(() =>
      postern.connection.start({
        id,
        ...overrides,
        ...(hosts && agreed && { agreesTo: hosts.hosts }),
      }),
    );
  };
  const [openAlternative, setOpenAlternative] = useState<Alternative>();
  const overrides = { options, ...(name.trim() && { name: name.trim() }) };
  const signsIn = verdict.kind !== 'noSignIn' && verdict.kind !== 'usesKey';
  const alternatives = listAlternatives(connection);
  return (
    <>
      {call.error && <ErrorNotice error={call.error} />}
      <form id={formId} className="start-row" onSubmit={start}>
        <Button type="submit" kind="primary" busy={call.busy} disabled={hosts !== undefined && !agreed} ref={button}>
          {words.connect.start[verdict.kind](service)}
        </Button>
        <span className="soft small start-words">
          {describeStart(verdict, connection.options.signInSurface ?? defaultSurface)}
        </span>
      </form>
      <div className="connect-card-more">
        {alternatives.length > 0 && (
          <Disclosure label={words.connect.otherOptions}>
            <SignInAlternatives
              connection={connection}
              alternatives={alternatives}
              overrides={overrides}
              open={openAlternative}
              onOpen={setOpenAlternative}
            />
          </Disclosure>
        )}
        <Disclosure label={words.connect.card.details}>
          {children}
          <Field label={words.connect.name}>
            {(control) => (
              <TextInput
                {...control}
                form={formId}
                className="name-input"
                maxLength={80}
                placeholder={words.connect.ownName}
                value={name}
                onChange={(event) => setTyped({ ...typed, name: event.target.value })}
              />
            )}
          </Field>
          {signsIn && (
            <Disclosure label={words.connect.options}>
              <StartOptions
                connection={connection}
                verdict={verdict}
                options={options}
                onChange={(changed) => setTyped({ ...typed, options: changed })}
              />
            </Disclosure>
          )}
        </Disclosure>
        <Button kind="quiet" onClick={() => void postern.connection.cancel({ id })}>
          {words.connect.discard}
        </Button>
      </div>
    </>
  );
}

function describeStart(
  { kind, authorizationServerHost, serverHost, browserOnly }: VerdictView,
  surface: 'popup' | 'browser',
): string {
  if (kind === 'noSignIn' || kind === 'usesKey') return words.connect.after.noSignIn;
  if (kind === 'needsOAuthApp') return words.connect.after.needsOAuthApp;
  return words.connect.after[browserOnly ? 'browser' : surface](authorizationServerHost ?? serverHost);
}

interface StartOptionsProps {
  readonly connection: ConnectionView;
  readonly verdict: VerdictView;
  readonly options: Partial<IntegrationOptions>;
  readonly onChange: (options: Partial<IntegrationOptions>) => void;
}

function StartOptions({ connection, verdict, options, onChange }: StartOptionsProps) {
  const { id, url, options: savedOptions } = connection;
  const allScopes = [...verdict.scopes, ...verdict.otherScopes];
  const chosen = options.scope === undefined ? verdict.scopes : options.scope.split(' ').filter(Boolean);
  return (
    <>
      {allScopes.length > 0 && (
        <div className="field">
          <span className="field-label">{words.credentials.scopes}</span>
          <ScopeChips
            label={words.credentials.scopes}
            available={allScopes}
            chosen={chosen}
            onChange={(scopes) => onChange({ ...options, scope: scopes.join(' ') })}
          />
        </div>
      )}
      <PkceField value={options.pkce ?? savedOptions.pkce} onChoose={(pkce) => onChange({ ...options, pkce })} />
      {verdict.alternatives.length > 0 && (
        <Field label={words.connect.another} hint={words.connect.anotherHint}>
          {(control) => (
            <Choice
              {...control}
              value={verdict.issuer ?? ''}
              options={[...(verdict.issuer === undefined ? [] : [verdict.issuer]), ...verdict.alternatives].map(
                (value) => ({
                  value,
                  label: value,
                }),
              )}
              onChoose={(authorizationServer) =>
                void postern.connection.discover({ id, url, options: { ...savedOptions, authorizationServer } })
              }
            />
          )}
        </Field>
      )}
    </>
  );
}
