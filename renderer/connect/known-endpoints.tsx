import type { ConnectionView } from '../../shared/connection-view.ts';
import { useKnownServer } from '../catalogue/catalogue.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';

/** The endpoints of a service that publishes none, as the catalogue has them: shown, and taken by a click alone. */
export function KnownEndpoints({ connection: { id, url, options } }: { readonly connection: ConnectionView }) {
  const known = useKnownServer(url);
  const call = useCall<{ id: string }>();
  const { endpoints } = known ?? {};
  if (!known || !endpoints || options.endpoints) return null;
  const chosen = { ...known.options, ...options, endpoints };
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
