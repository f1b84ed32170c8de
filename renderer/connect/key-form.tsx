import { useState } from 'react';
import type { FormEvent } from 'react';
import type { ChosenOptions, ConnectionView } from '../../shared/connection-view.ts';
import { useKnownServer } from '../catalogue/catalogue.ts';
import { OpenPage } from '../catalogue/known-part.tsx';
import { EndpointFields, EndpointNotice } from '../credentials/credential-fields.tsx';
import { findEndpointMistakes, givenEndpoints, noEndpoints } from '../credentials/credential-values.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { Field, TextInput } from '../parts/field.tsx';
import { postern, useCall } from '../postern.ts';
import { forget, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import type { Given } from './ways-round.ts';

interface KeyFormProps {
  readonly connection: ConnectionView;
  readonly given?: Given;
  readonly autoFocus?: boolean;
}

interface TypedKey {
  readonly name?: string;
  readonly value: string;
}

const noKey: TypedKey = { value: '' };

/** A fixed header instead of a sign-in. */
export function KeyForm({ connection, given = {}, autoFocus = false }: KeyFormProps) {
  const { id, url, keyName } = connection;
  const known = useKnownServer(url);
  const key = known?.key;
  // It is meant for this address, and for no other that is looked at later.
  const place = `key for ${url}`;
  const [typed, keep] = useKept(id, place, noKey);
  const { name = keyName ?? key?.header ?? 'Authorization', value } = typed;
  const call = useCall<null>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const scheme = name === key?.header && !value.trim().includes(' ') ? key.scheme : undefined;
    const header = { name: name.trim(), value: scheme === undefined ? value : `${scheme} ${value.trim()}` };
    void call
      .run(() => postern.connection.start({ id, header, ...given }))
      // What main has taken stands here no longer; what it refused does.
      .then((taken) => taken === null && forget(id, place));
  };
  return (
    <section className="way">
      <h2>{words.connect.keyTitle}</h2>
      <p className="soft">{words.connect.keyText}</p>
      {key?.what !== undefined && <p>{words.catalogue.told(key.what)}</p>}
      {known && key?.page !== undefined && (
        <div>
          <OpenPage server={known} page="key" label={words.catalogue.openKey(known.name)} />
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
                keep({ ...typed, name: event.target.value });
              }}
            />
          )}
        </Field>
        <Field
          label={words.connect.keyValue}
          hint={key?.scheme === undefined ? words.connect.keyValueHint : words.catalogue.keyScheme(key.scheme)}
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
                keep({ ...typed, value: event.target.value });
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
  readonly given?: Given;
  readonly autoFocus?: boolean;
}

/** The endpoints by hand, from the documentation of the service; then everything is as if it had published them. */
export function EndpointForm({ connection, given = {}, autoFocus = false }: EndpointFormProps) {
  const { id, url } = connection;
  const options = { ...connection.options, ...given.options };
  const place = `endpoints for ${url}`;
  const [endpoints, keep] = useKept(id, place, connection.options.endpoints ?? noEndpoints);
  const [wasTried, setWasTried] = useState(false);
  const mistakes = wasTried ? findEndpointMistakes(endpoints) : undefined;
  const call = useCall<{ id: string }>();
  const look = (allowed: ChosenOptions = {}): void => {
    setWasTried(true);
    const typed = givenEndpoints(endpoints);
    if (findEndpointMistakes(endpoints) || !typed) return;
    const { name } = given;
    void call
      .run(() =>
        postern.connection.discover({
          id,
          url,
          options: { ...options, ...allowed, endpoints: typed },
          ...(name !== undefined && { name }),
        }),
      )
      .then((started) => started && forget(id, place));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    look();
  };
  return (
    <section className="way wide">
      <h2>{words.connect.endpointsTitle}</h2>
      <p className="soft">{words.connect.endpointsText}</p>
      <form className="stack" onSubmit={submit}>
        <EndpointFields values={endpoints} onChange={keep} mistakes={mistakes} autoFocus={autoFocus} />
        {call.error && <EndpointNotice error={call.error} options={options} onAllow={look} />}
        <Button type="submit" busy={call.busy} disabled={givenEndpoints(endpoints) === null}>
          {words.connect.endpointsButton}
        </Button>
      </form>
    </section>
  );
}

/** The endpoints of a service that publishes none, as the catalogue has them: shown, and taken by a click alone. */
export function KnownEndpoints({ connection: { id, url, options } }: { readonly connection: ConnectionView }) {
  const known = useKnownServer(url);
  const call = useCall<{ id: string }>();
  const { endpoints } = known ?? {};
  if (!known || !endpoints || options.endpoints) return null;
  const chosen = { ...options, endpoints };
  return (
    <section className="way wide">
      <h2>{words.catalogue.endpointsTitle(known.name)}</h2>
      <p>{words.catalogue.endpointsText(hostOf(endpoints.authorization), hostOf(endpoints.token))}</p>
      {call.error && <ErrorNotice error={call.error} />}
      <Button
        kind="primary"
        busy={call.busy}
        onClick={() => void call.run(() => postern.connection.discover({ id, url, options: chosen }))}
      >
        {words.catalogue.endpointsButton}
      </Button>
    </section>
  );
}

const hostOf = (address: string): string => new URL(address).host;
