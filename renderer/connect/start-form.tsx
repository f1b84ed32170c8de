import { useEffect, useRef, useState } from 'react';
import type { FormEvent } from 'react';
import type { ConnectionView, VerdictView } from '../../shared/connection-view.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { useKnownServer } from '../catalogue/catalogue.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { PkceField } from '../credentials/credential-fields.tsx';
import { Button } from '../parts/button.tsx';
import { ScopeChips } from '../parts/chips.tsx';
import { Disclosure } from '../parts/disclosure.tsx';
import { Choice, Field, TextInput } from '../parts/field.tsx';
import { postern, useCall } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useKept } from '../use-kept.ts';
import { useView } from '../view.ts';
import { words } from '../words.ts';
import { isAddressTyped } from './use-address.ts';
import { WaysPart } from './ways-part.tsx';
import { listWaysRound } from './ways-round.ts';
import type { WayRound } from './ways-round.ts';

interface StartFormProps {
  readonly connection: ConnectionView;
  readonly verdict: VerdictView;
  /** The person said yes to the hosts of the verdict. */
  readonly agreed: boolean;
}

interface Typed {
  readonly name?: string;
  readonly options: Partial<IntegrationOptions>;
}

const nothing: Typed = { options: {} };

/** The main button; it says what will happen. */
export function StartForm({ connection, verdict, agreed }: StartFormProps) {
  const usual = useSnapshots((state) => state.app?.settings.signInSurface ?? 'popup');
  const known = useKnownServer(connection.url);
  const isDemo = useSnapshots((state) => state.app?.demo?.url === connection.url);
  const [typed, keep] = useKept(connection.id, `start of ${connection.url}`, nothing);
  const { options } = typed;
  // Until somebody names it, main calls it by its host.
  const isUnnamed = connection.name === connection.host || URL.parse(connection.url)?.hostname === connection.name;
  const name =
    typed.name ??
    (isUnnamed ? (known?.name ?? (isDemo ? words.connect.demoName : undefined)) : undefined) ??
    connection.name;
  const { hosts } = verdict;
  const call = useCall<null>();
  const button = useRef<HTMLButtonElement>(null);
  // Enter goes on; the verdict stays in sight. Whoever types another address meanwhile goes on typing, and a link comes
  // while keys are pressed that were meant for something else.
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
        ...given,
        ...(hosts && agreed && { agreesTo: hosts.hosts }),
      }),
    );
  };
  const [way, setWay] = useState<WayRound>();
  const given = { options, ...(name.trim() && { name: name.trim() }) };
  const signsIn = verdict.kind !== 'noSignIn' && verdict.kind !== 'usesKey';
  return (
    <>
      <form className="start-form" onSubmit={start}>
        <Field label={words.connect.name}>
          {(control) => (
            <TextInput
              {...control}
              className="name-input"
              maxLength={80}
              value={name}
              onChange={(event) => keep({ ...typed, name: event.target.value })}
            />
          )}
        </Field>
        {signsIn && (
          <Disclosure label={words.connect.options}>
            <StartOptions
              connection={connection}
              verdict={verdict}
              options={options}
              onChange={(changed) => keep({ ...typed, options: changed })}
            />
          </Disclosure>
        )}
        {call.error && <ErrorNotice error={call.error} />}
        <div className="row start-row">
          <Button type="submit" kind="primary" busy={call.busy} disabled={hosts !== undefined && !agreed} ref={button}>
            {words.connect.start[verdict.kind]}
          </Button>
          <span className="soft small start-words">
            {describeStart(verdict, connection.options.signInSurface ?? usual)}
          </span>
          <Button kind="quiet" className="push" onClick={() => void postern.connection.cancel({ id })}>
            {words.connect.discard}
          </Button>
        </div>
      </form>
      <WaysPart connection={connection} ways={listWaysRound(connection)} given={given} open={way} onOpen={setWay} />
    </>
  );
}

function describeStart(
  { kind, authorizationServerHost, serverHost, browserOnly }: VerdictView,
  surface: 'popup' | 'browser',
): string {
  if (kind === 'noSignIn' || kind === 'usesKey') return words.connect.after.noSignIn;
  if (kind === 'needsApp') return words.connect.after.needsApp;
  return words.connect.after[browserOnly ? 'browser' : surface](authorizationServerHost ?? serverHost);
}

interface StartOptionsProps {
  readonly connection: ConnectionView;
  readonly verdict: VerdictView;
  readonly options: Partial<IntegrationOptions>;
  readonly onChange: (options: Partial<IntegrationOptions>) => void;
}

function StartOptions({ connection, verdict, options, onChange }: StartOptionsProps) {
  const { id, url, options: earlier } = connection;
  const offered = [...verdict.scopes, ...verdict.otherScopes];
  const chosen = options.scope === undefined ? verdict.scopes : options.scope.split(' ').filter(Boolean);
  return (
    <>
      {offered.length > 0 && (
        <div className="field">
          <span className="field-label">{words.credentials.scopes}</span>
          <ScopeChips
            label={words.credentials.scopes}
            offered={offered}
            chosen={chosen}
            onChange={(scopes) => onChange({ ...options, scope: scopes.join(' ') })}
          />
        </div>
      )}
      <PkceField value={options.pkce ?? earlier.pkce} onChoose={(pkce) => onChange({ ...options, pkce })} />
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
                void postern.connection.discover({ id, url, options: { ...earlier, authorizationServer } })
              }
            />
          )}
        </Field>
      )}
    </>
  );
}
