import { useState } from 'react';
import type { FormEvent } from 'react';
import type { ChosenOptions, ConnectionView } from '../../shared/connection-view.ts';
import { useKnownServer } from '../catalog/catalog.ts';
import { OpenPageButton } from '../catalog/service-details.tsx';
import { EndpointFields, EndpointNotice } from '../credentials/credential-fields.tsx';
import { findEndpointMistakes, endpointsOrNull, noEndpoints } from '../credentials/credential-values.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../components/button.tsx';
import { Field, TextInput } from '../components/field.tsx';
import { postern, useCall } from '../postern.ts';
import { forget, useRetainedState } from '../use-retained-state.ts';
import { words } from '../words.ts';
import type { ConnectionOverrides } from './list-alternatives.ts';

interface KeyFormProps {
  readonly connection: ConnectionView;
  readonly overrides?: ConnectionOverrides;
  readonly autoFocus?: boolean;
}

interface TypedKey {
  readonly name?: string;
  readonly value: string;
}

const noKey: TypedKey = { value: '' };

/** A fixed header instead of a sign-in. */
export function KeyForm({ connection, overrides = {}, autoFocus = false }: KeyFormProps) {
  const { id, url, keyName } = connection;
  const known = useKnownServer(url);
  const key = known?.key;
  // The key is for this address only.
  const stateKey = `key for ${url}`;
  const [typed, setTyped] = useRetainedState(id, stateKey, noKey);
  const { name = keyName ?? key?.header ?? 'Authorization', value } = typed;
  const call = useCall<null>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const scheme = name === key?.header && !value.trim().includes(' ') ? key.scheme : undefined;
    const header = { name: name.trim(), value: scheme === undefined ? value : `${scheme} ${value.trim()}` };
    void call
      .run(() => postern.connection.start({ id, header, ...overrides }))
      // Drop the key once main has accepted it; keep it if main refused.
      .then((accepted) => accepted === null && forget(id, stateKey));
  };
  return (
    <section className="option-card">
      <h2>{words.connect.keyTitle}</h2>
      <p className="soft">{words.connect.keyText}</p>
      {key?.what !== undefined && <p>{words.catalog.translate(key.what)}</p>}
      {known && key?.page !== undefined && (
        <div>
          <OpenPageButton server={known} page="key" label={words.catalog.openKey(known.name)} />
        </div>
      )}
      <form className="stack" onSubmit={submit}>
        <Field label={words.connect.keyName}>
          {(control) => (
            <TextInput
              {...control}
              mono
              required
              maxLength={128}
              value={name}
              onChange={(event) => {
                call.clear();
                setTyped({ ...typed, name: event.target.value });
              }}
            />
          )}
        </Field>
        <Field
          label={words.connect.keyValue}
          hint={key?.scheme === undefined ? words.connect.keyValueHint : words.catalog.keyScheme(key.scheme)}
        >
          {(control) => (
            <TextInput
              {...control}
              type="password"
              autoFocus={autoFocus}
              mono
              required
              maxLength={8_192}
              value={value}
              onChange={(event) => {
                call.clear();
                setTyped({ ...typed, value: event.target.value });
              }}
            />
          )}
        </Field>
        {call.error && <ErrorNotice error={call.error} />}
        <Button type="submit" busy={call.busy} disabled={value === '' || name.trim() === ''}>
          {words.connect.keyStart}
        </Button>
      </form>
    </section>
  );
}

interface EndpointFormProps {
  readonly connection: ConnectionView;
  readonly overrides?: ConnectionOverrides;
  readonly autoFocus?: boolean;
}

/**
 * Endpoints entered by hand, from the service's documentation. They are then used as if the service had published them.
 */
export function EndpointForm({ connection, overrides = {}, autoFocus = false }: EndpointFormProps) {
  const { id, url } = connection;
  const options = { ...connection.options, ...overrides.options };
  const stateKey = `endpoints for ${url}`;
  const [endpoints, setEndpoints] = useRetainedState(id, stateKey, connection.options.endpoints ?? noEndpoints);
  const [wasTried, setWasTried] = useState(false);
  const mistakes = wasTried ? findEndpointMistakes(endpoints) : undefined;
  const call = useCall<{ id: string }>();
  const discover = (allowed: ChosenOptions = {}): void => {
    setWasTried(true);
    const typed = endpointsOrNull(endpoints);
    if (findEndpointMistakes(endpoints) || !typed) return;
    const { name } = overrides;
    void call
      .run(() =>
        postern.connection.discover({
          id,
          url,
          options: { ...options, ...allowed, endpoints: typed },
          ...(name !== undefined && { name }),
        }),
      )
      .then((started) => started && forget(id, stateKey));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    discover();
  };
  return (
    <section className="option-card wide">
      <h2>{words.connect.endpointsTitle}</h2>
      <p className="soft">{words.connect.endpointsText}</p>
      <form className="stack" onSubmit={submit}>
        <EndpointFields values={endpoints} onChange={setEndpoints} mistakes={mistakes} autoFocus={autoFocus} />
        {call.error && <EndpointNotice error={call.error} options={options} onAllow={discover} />}
        <Button type="submit" busy={call.busy} disabled={endpointsOrNull(endpoints) === null}>
          {words.connect.endpointsButton}
        </Button>
      </form>
    </section>
  );
}

/** The catalog's endpoints for a service that publishes none. Used only after a click. */
export function KnownEndpoints({ connection: { id, url, options } }: { readonly connection: ConnectionView }) {
  const known = useKnownServer(url);
  const call = useCall<{ id: string }>();
  const { endpoints } = known ?? {};
  if (!known || !endpoints || options.endpoints) return null;
  const chosen = { ...options, endpoints };
  return (
    <section className="option-card wide">
      <h2>{words.catalog.endpointsTitle(known.name)}</h2>
      <p>{words.catalog.endpointsText(hostOf(endpoints.authorization), hostOf(endpoints.token))}</p>
      {call.error && <ErrorNotice error={call.error} />}
      <Button
        kind="primary"
        busy={call.busy}
        onClick={() => void call.run(() => postern.connection.discover({ id, url, options: chosen }))}
      >
        {words.catalog.endpointsButton}
      </Button>
    </section>
  );
}

const hostOf = (address: string): string => new URL(address).host;
