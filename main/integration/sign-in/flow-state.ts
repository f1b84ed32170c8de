import type { AuthenticationMethod } from '../../../shared/authentication-method.ts';
import type { PlainError } from '../../../shared/error-codes.ts';
import type { FlowState, RetryPoint } from '../../../shared/flow-state.ts';

export type FlowEvent =
  | { readonly type: 'discover' }
  | { readonly type: 'methodDecided'; readonly method: AuthenticationMethod }
  | { readonly type: 'register' }
  | { readonly type: 'credentialsNeeded'; readonly error?: PlainError }
  | { readonly type: 'authorizationRequested'; readonly expiresAt: number }
  | { readonly type: 'callbackAccepted' }
  | { readonly type: 'tokensReceived'; readonly ticketId: string }
  | { readonly type: 'installed'; readonly integrationId: string }
  | { readonly type: 'signInNeeded'; readonly integrationId: string }
  | { readonly type: 'failed'; readonly error: PlainError }
  | { readonly type: 'cancelled' };

/** The whole table. An event that does not fit leaves the state as it is: the same object, so a caller can log it. */
export function transition(state: FlowState, event: FlowEvent): FlowState {
  switch (event.type) {
    case 'discover':
      return state.name === 'urlEntered' || state.name === 'reauthenticationRequired' ? { name: 'discovering' } : state;
    case 'methodDecided':
      return state.name === 'discovering' ? { name: 'discovered', method: event.method } : state;
    case 'register':
      // A registration that the authorization server has forgotten is made anew, once.
      return (state.name === 'discovered' && state.method === 'OAuthWithDCR') ||
        state.name === 'authorizationPending' ||
        state.name === 'exchanging' ||
        state.name === 'awaitingCredentials'
        ? { name: 'registering' }
        : state;
    case 'credentialsNeeded':
      // Spec 3.1 and 3.2: a failed registration and a failed exchange both lead to the dialog.
      return (state.name === 'discovered' && state.method !== 'NoAuth') ||
        state.name === 'registering' ||
        state.name === 'authorizationPending' ||
        state.name === 'exchanging'
        ? { name: 'awaitingCredentials', ...(event.error && { error: event.error }) }
        : state;
    case 'authorizationRequested':
      // From a request that was refused to the next one, with PKCE or another client.
      return (state.name === 'discovered' && state.method !== 'NoAuth') ||
        state.name === 'authorizationPending' ||
        state.name === 'registering' ||
        state.name === 'awaitingCredentials' ||
        state.name === 'exchanging'
        ? { name: 'authorizationPending', expiresAt: event.expiresAt }
        : state;
    case 'callbackAccepted':
      return state.name === 'authorizationPending' ? { name: 'exchanging' } : state;
    case 'tokensReceived':
      return state.name === 'exchanging' ? { name: 'ticketIssued', ticketId: event.ticketId } : state;
    case 'installed':
      return state.name === 'ticketIssued' || (state.name === 'discovered' && state.method === 'NoAuth')
        ? { name: 'integrated', integrationId: event.integrationId }
        : state;
    case 'signInNeeded':
      return state.name === 'integrated'
        ? { name: 'reauthenticationRequired', integrationId: event.integrationId }
        : state;
    case 'failed':
      return isResting(state) ? state : { name: 'failed', error: event.error, retryFrom: retryPoint(state) };
    case 'cancelled':
      return isResting(state) ? state : { name: 'urlEntered' };
  }
}

function isResting(state: FlowState): boolean {
  return state.name === 'integrated' || state.name === 'reauthenticationRequired' || state.name === 'failed';
}

/** What a person typed is worth keeping from the dialog on; before it there is only the address. */
function retryPoint(state: FlowState): RetryPoint {
  return state.name === 'awaitingCredentials' || state.name === 'exchanging' ? 'awaitingCredentials' : 'urlEntered';
}
