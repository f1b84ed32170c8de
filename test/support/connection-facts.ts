import type { ConnectionView } from '../../shared/connection-view.ts';
import type { PlainError } from '../../shared/error-codes.ts';

/** The ticket that waits to be redeemed. */
export const ticketOf = ({ state }: Pick<ConnectionView, 'state'>): string | undefined =>
  state.name === 'ticketIssued' ? state.ticketId : undefined;

export const hasTicket = (view: ConnectionView): boolean => ticketOf(view) !== undefined;

/** Why the attempt ended. */
export function endErrorOf({ state }: Pick<ConnectionView, 'state'>): PlainError | undefined {
  switch (state.name) {
    case 'urlEntered':
      return state.cancelled;
    case 'failed':
      return state.error;
    default:
      return undefined;
  }
}

/** Why credentials are being requested. */
export const credentialsErrorOf = ({ state, credentialsRequest }: ConnectionView): PlainError | undefined =>
  credentialsRequest && state.name === 'awaitingCredentials' ? state.error : undefined;
