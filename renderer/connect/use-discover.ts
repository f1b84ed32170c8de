import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { postern } from '../postern.ts';
import { useCall } from '../use-call.ts';
import { show } from '../view.ts';
import { sendForCheck } from './use-address.ts';

export interface Discover {
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  /** Asks the server how to sign in, and shows what comes of it. Opens nothing. */
  readonly discover: (url: string, options?: Partial<IntegrationOptions>, importEntry?: string) => void;
}

/** A further address takes the place of the one that is looked at, unless a sign-in is under way there. */
export function useDiscover(connection: ConnectionView | undefined): Discover {
  const call = useCall<{ id: string }>();
  const id = connection?.id;
  const discover: Discover['discover'] = (url, options = {}, importEntry) => {
    const input = { url: url.trim(), options, ...(id !== undefined && { id }), ...(importEntry && { importEntry }) };
    const arrived = sendForCheck(connection, input.url);
    void call
      .run(() => postern.connection.discover(input))
      .then((started) => {
        if (!started) return;
        arrived(started.id);
        show({ name: 'connect', connectionId: started.id });
      });
  };
  return { busy: call.busy, error: call.error, discover };
}
