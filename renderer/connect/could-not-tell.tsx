import type { ConnectionView } from '../../shared/connection-view.ts';
import { ErrorNotice } from '../errors/error-notice.tsx';
import { Button } from '../parts/button.tsx';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { words } from '../words.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { KeyForm } from './key-form.tsx';
import { KnownEndpoints } from './known-endpoints.tsx';

interface CouldNotTellProps {
  readonly connection: ConnectionView;
  /** Servers from before mid-2025 name none, so that theirs are not the usual addresses (MCP 2025-03-26). */
  readonly namesService: boolean;
}

/** A server that wants a sign-in of which nothing is known: the addresses of older servers, a key, or addresses by hand. */
export function CouldNotTell({ connection, namesService }: CouldNotTellProps) {
  const { id, url, options } = connection;
  const legacy = useCall<{ id: string }>();
  return (
    <div className="ways">
      <KnownEndpoints connection={connection} />
      {!namesService && (
        <section className="way">
          <h2>{words.connect.legacyTitle}</h2>
          <p className="soft">{words.connect.legacyText}</p>
          {legacy.error && <ErrorNotice error={legacy.error} />}
          <Button
            busy={legacy.busy}
            onClick={() =>
              void legacy.run(() =>
                postern.connection.discover({ id, url, options: { ...options, legacyEndpoints: true } }),
              )
            }
          >
            {words.connect.legacyButton}
          </Button>
        </section>
      )}
      <KeyForm connection={connection} />
      <EndpointForm connection={connection} />
    </div>
  );
}
