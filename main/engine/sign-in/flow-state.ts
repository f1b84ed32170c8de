import type { Turn } from '../../../shared/connection-view.ts';
import type { AuthenticationMethod } from '../../../shared/oauth.ts';
import type { PosternError } from '../../errors/postern-error.ts';

/** State of one sign-in (spec 3, design "state machine"). The window sees it as `FlowStateView`. */
export type FlowState =
  /** `cancelled`: the user ended an attempt. */
  | { readonly name: 'urlEntered'; readonly cancelled?: PosternError }
  | { readonly name: 'discovering' }
  | { readonly name: 'discovered'; readonly method: AuthenticationMethod }
  | { readonly name: 'registering' }
  /** `error`: why the user is asked. */
  | { readonly name: 'awaitingCredentials'; readonly error?: PosternError }
  /** `expiresAt` in milliseconds since 1970. */
  | { readonly name: 'authorizationPending'; readonly expiresAt: number }
  | { readonly name: 'exchanging' }
  | { readonly name: 'ticketIssued'; readonly ticketId: string }
  /** `warning`: what failed after the tokens were stored. */
  | { readonly name: 'integrated'; readonly integrationId: string; readonly warning?: PosternError }
  | { readonly name: 'reauthenticationRequired'; readonly integrationId: string }
  | { readonly name: 'failed'; readonly error: unknown };

export type FlowEvent =
  | { readonly type: 'discover' }
  | { readonly type: 'methodDecided'; readonly method: AuthenticationMethod }
  | { readonly type: 'register' }
  | { readonly type: 'credentialsNeeded'; readonly error?: PosternError }
  | { readonly type: 'authorizationRequested'; readonly expiresAt: number }
  | { readonly type: 'callbackAccepted' }
  /** Tokens are requested without a user. */
  | { readonly type: 'tokensRequested' }
  | { readonly type: 'tokensReceived'; readonly ticketId: string }
  | { readonly type: 'installed'; readonly integrationId: string }
  | { readonly type: 'keyAccepted'; readonly integrationId: string }
  | { readonly type: 'warned'; readonly warning: PosternError }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'cancelled'; readonly error: PosternError };

/** The transition table. An event that does not apply returns the same object, so a caller can log it. */
export function transition(state: FlowState, event: FlowEvent): FlowState {
  switch (event.type) {
    case 'discover':
      return state.name === 'urlEntered' || state.name === 'reauthenticationRequired' ? { name: 'discovering' } : state;
    case 'methodDecided':
      return state.name === 'discovering' ? { name: 'discovered', method: event.method } : state;
    case 'register':
      // A registration that the authorization server no longer knows is made again, once.
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
      // Also from a refused request to the next one, with PKCE or another client.
      return (state.name === 'discovered' && state.method !== 'NoAuth') ||
        state.name === 'authorizationPending' ||
        state.name === 'registering' ||
        state.name === 'awaitingCredentials' ||
        state.name === 'exchanging'
        ? { name: 'authorizationPending', expiresAt: event.expiresAt }
        : state;
    case 'callbackAccepted':
      return state.name === 'authorizationPending' ? { name: 'exchanging' } : state;
    case 'tokensRequested':
      return (state.name === 'discovered' && state.method !== 'NoAuth') || state.name === 'awaitingCredentials'
        ? { name: 'exchanging' }
        : state;
    case 'tokensReceived':
      return state.name === 'exchanging' ? { name: 'ticketIssued', ticketId: event.ticketId } : state;
    case 'installed':
      return state.name === 'ticketIssued' || (state.name === 'discovered' && state.method === 'NoAuth')
        ? { name: 'integrated', integrationId: event.integrationId }
        : state;
    case 'keyAccepted':
      // A fixed key needs no discovery, and can replace a sign-in that failed.
      return state.name === 'urlEntered' || state.name === 'discovered' || state.name === 'failed'
        ? { name: 'integrated', integrationId: event.integrationId }
        : state;
    case 'warned':
      return state.name === 'integrated' ? { ...state, warning: event.warning } : state;
    case 'failed':
      // Also after the install: some servers turn out to be unusable only then.
      return state.name === 'reauthenticationRequired' ? state : { name: 'failed', error: event.error };
    case 'cancelled':
      return isResting(state) ? state : { name: 'urlEntered', cancelled: event.error };
  }
}

/** Why the flow ended, or the warning of a finished install. */
export function errorOf(state: FlowState): unknown {
  switch (state.name) {
    case 'urlEntered':
      return state.cancelled;
    case 'integrated':
      return state.warning;
    case 'failed':
      return state.error;
    default:
      return undefined;
  }
}

/** Who acts next. */
export function whoseTurn({ name }: Pick<FlowState, 'name'>): Turn {
  switch (name) {
    case 'discovering':
    case 'registering':
    case 'exchanging':
    case 'ticketIssued':
      return 'postern';
    case 'urlEntered':
    case 'discovered':
    case 'awaitingCredentials':
    case 'authorizationPending':
    case 'reauthenticationRequired':
      return 'user';
    case 'failed':
      return 'stopped';
    case 'integrated':
      return 'over';
  }
}

/** True once a sign-in at this address has begun: until then the user may still change the address. */
export function isAddressFixed({ name }: Pick<FlowState, 'name'>): boolean {
  return name !== 'urlEntered' && name !== 'discovering' && name !== 'discovered' && name !== 'failed';
}

function isResting(state: FlowState): boolean {
  return state.name === 'integrated' || state.name === 'reauthenticationRequired' || state.name === 'failed';
}
