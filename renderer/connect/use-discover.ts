import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';
import type { IntegrationOptions } from '../../shared/integration.ts';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { useCall } from '../use-call.ts';
import { type LinkedAddress, show } from '../view.ts';
import { sendForCheck } from './use-address.ts';

/** Where an address comes from that nobody typed. */
interface Source {
  readonly importEntry?: string;
  /** What the person typed stays. */
  readonly linked?: LinkedAddress;
  /** What the service is called, where it is known. */
  readonly name?: string | undefined;
}

export interface Discover {
  readonly busy: boolean;
  readonly error: PlainError | undefined;
  /** Asks the server how to sign in, and shows what comes of it. Opens nothing, unless *Connect at once* is on. */
  readonly discover: (url: string, options?: Partial<IntegrationOptions>, source?: Source) => void;
}

/** A further address takes the place of the one that is looked at, unless a sign-in is under way there. */
export function useDiscover(connection: ConnectionView | undefined): Discover {
  const call = useCall<{ id: string }>();
  const id = connection?.id;
  const connectAtOnce = useSnapshots((state) => state.app?.settings.connectAtOnce ?? false);
  const discover: Discover['discover'] = (url, options = {}, { importEntry, linked, name } = {}) => {
    // A link is somebody else's word: it waits for a press, whatever is set.
    const atOnce = connectAtOnce && !linked && ({ atOnce: true, ...(name !== undefined && { name }) } as const);
    const input = {
      url: url.trim(),
      options,
      ...(id !== undefined && { id }),
      ...(importEntry && { importEntry }),
      ...atOnce,
    };
    const arrived = linked ? () => {} : sendForCheck(connection, input.url);
    void call
      .run(() => postern.connection.discover(input))
      .then((started) => {
        if (!started) return;
        arrived(started.id);
        show({ name: 'connect', connectionId: started.id, ...(linked && { linked }) });
      });
  };
  return { busy: call.busy, error: call.error, discover };
}
