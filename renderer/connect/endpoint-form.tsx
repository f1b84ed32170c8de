import { useState } from 'react';
import type { FormEvent } from 'react';
import type { ChosenOptions, ConnectionView } from '../../shared/connection-view.ts';
import { useKnownServer } from '../catalogue/catalogue.ts';
import { EndpointFields, EndpointNotice } from '../credentials/credential-fields.tsx';
import { findEndpointMistakes, givenEndpoints, noEndpoints } from '../credentials/credential-values.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern, useCall } from '../postern.ts';
import { forget, useKept } from '../use-kept.ts';
import { words } from '../words.ts';
import type { Given } from './ways-round.ts';

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
