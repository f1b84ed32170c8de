import { describe, expect, it } from 'vitest';
import type { FlowEvent } from '../../../../../main/integration/sign-in/flow-state.ts';
import type { FlowState } from '../../../../../shared/flow-state.ts';
import { transition } from '../../../../../main/integration/sign-in/flow-state.ts';
import { PosternError } from '../../../../../main/postern-error.ts';
import { toPlainError } from '../../../../../main/plain-error.ts';

const error = toPlainError(new PosternError('TOKEN_ERROR', { stage: 'token' }));
const states: Record<string, FlowState> = {
  urlEntered: { name: 'urlEntered' },
  discovering: { name: 'discovering' },
  noAuth: { name: 'discovered', method: 'NoAuth' },
  oauth: { name: 'discovered', method: 'OAuth' },
  dcr: { name: 'discovered', method: 'OAuthWithDCR' },
  cimd: { name: 'discovered', method: 'OAuthWithCIMD' },
  registering: { name: 'registering' },
  awaitingCredentials: { name: 'awaitingCredentials' },
  authorizationPending: { name: 'authorizationPending', expiresAt: 1 },
  exchanging: { name: 'exchanging' },
  ticketIssued: { name: 'ticketIssued', ticketId: 't' },
  integrated: { name: 'integrated', integrationId: 'i' },
  reauthenticationRequired: { name: 'reauthenticationRequired', integrationId: 'i' },
  failed: { name: 'failed', error, retryFrom: 'urlEntered' },
};
const events: Record<FlowEvent['type'], FlowEvent> = {
  discover: { type: 'discover' },
  methodDecided: { type: 'methodDecided', method: 'OAuth' },
  register: { type: 'register' },
  credentialsNeeded: { type: 'credentialsNeeded', error },
  authorizationRequested: { type: 'authorizationRequested', expiresAt: 2 },
  callbackAccepted: { type: 'callbackAccepted' },
  tokensReceived: { type: 'tokensReceived', ticketId: 'u' },
  installed: { type: 'installed', integrationId: 'i' },
  signInNeeded: { type: 'signInNeeded', integrationId: 'i' },
  failed: { type: 'failed', error },
  cancelled: { type: 'cancelled' },
};

/** Every pair that changes the state; all others must leave the very same object (design, state machine). */
const table: Record<string, Partial<Record<FlowEvent['type'], FlowState['name']>>> = {
  urlEntered: { discover: 'discovering', failed: 'failed', cancelled: 'urlEntered' },
  discovering: { methodDecided: 'discovered', failed: 'failed', cancelled: 'urlEntered' },
  noAuth: { installed: 'integrated', failed: 'failed', cancelled: 'urlEntered' },
  oauth: {
    credentialsNeeded: 'awaitingCredentials',
    authorizationRequested: 'authorizationPending',
    failed: 'failed',
    cancelled: 'urlEntered',
  },
  dcr: {
    register: 'registering',
    credentialsNeeded: 'awaitingCredentials',
    authorizationRequested: 'authorizationPending',
    failed: 'failed',
    cancelled: 'urlEntered',
  },
  cimd: {
    credentialsNeeded: 'awaitingCredentials',
    authorizationRequested: 'authorizationPending',
    failed: 'failed',
    cancelled: 'urlEntered',
  },
  registering: {
    credentialsNeeded: 'awaitingCredentials',
    authorizationRequested: 'authorizationPending',
    failed: 'failed',
    cancelled: 'urlEntered',
  },
  awaitingCredentials: {
    register: 'registering',
    authorizationRequested: 'authorizationPending',
    failed: 'failed',
    cancelled: 'urlEntered',
  },
  authorizationPending: {
    register: 'registering',
    authorizationRequested: 'authorizationPending',
    callbackAccepted: 'exchanging',
    credentialsNeeded: 'awaitingCredentials',
    failed: 'failed',
    cancelled: 'urlEntered',
  },
  exchanging: {
    register: 'registering',
    credentialsNeeded: 'awaitingCredentials',
    authorizationRequested: 'authorizationPending',
    tokensReceived: 'ticketIssued',
    failed: 'failed',
    cancelled: 'urlEntered',
  },
  ticketIssued: { installed: 'integrated', failed: 'failed', cancelled: 'urlEntered' },
  integrated: { signInNeeded: 'reauthenticationRequired' },
  reauthenticationRequired: { discover: 'discovering' },
  failed: {},
};

describe('transition', () => {
  const pairs = Object.keys(states).flatMap((from) =>
    (Object.keys(events) as FlowEvent['type'][]).map((type) => ({ from, type, to: table[from]?.[type] })),
  );

  it.each(pairs)('$from + $type → $to', ({ from, type, to }) => {
    const state = states[from];
    if (!state) throw new Error(from);
    const next = transition(state, events[type]);
    if (to === undefined) expect(next).toBe(state);
    else expect(next.name).toBe(to);
  });

  it('keeps what was typed when a failure comes from the dialog on (spec 3.2)', () => {
    for (const from of ['awaitingCredentials', 'exchanging']) {
      expect(transition(states[from]!, events.failed)).toMatchObject({ retryFrom: 'awaitingCredentials' });
    }
    expect(transition({ name: 'discovering' }, events.failed)).toMatchObject({ retryFrom: 'urlEntered' });
  });
});
