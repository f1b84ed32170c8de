import { useState } from 'react';
import type { FormEvent } from 'react';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { ChosenOptions } from '../../shared/integration.ts';
import { EndpointNotice } from '../credentials/credential-notice.tsx';
import { EndpointFields } from '../credentials/endpoint-fields.tsx';
import { findEndpointMistakes, givenEndpoints, noEndpoints } from '../credentials/typed-endpoints.ts';
import type { EndpointMistakes } from '../credentials/typed-endpoints.ts';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/** The endpoints by hand, from the documentation of the service; then everything is as if it had published them. */
export function EndpointForm({ connection: { id, url, options } }: { readonly connection: ConnectionView }) {
  const [endpoints, setEndpoints] = useState(noEndpoints);
  const [mistakes, setMistakes] = useState<EndpointMistakes>();
  const call = useCall<{ id: string }>();
  const look = (allowed: ChosenOptions = {}): void => {
    const found = findEndpointMistakes(endpoints);
    setMistakes(found);
    const given = givenEndpoints(endpoints);
    if (found || !given) return;
    void call.run(() =>
      postern.connection.discover({ id, url, options: { ...options, ...allowed, endpoints: given } }),
    );
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
        <EndpointFields values={endpoints} onChange={setEndpoints} mistakes={mistakes} />
        {call.error && <EndpointNotice error={call.error} options={options} onAllow={look} />}
        <Button type="submit" busy={call.busy} disabled={givenEndpoints(endpoints) === null}>
          {words.connect.endpointsButton}
        </Button>
      </form>
    </section>
  );
}
