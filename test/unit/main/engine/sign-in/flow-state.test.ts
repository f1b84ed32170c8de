import { describe, expect, it } from 'vitest';
import { transition, whoseTurn } from '../../../../../main/engine/sign-in/flow-state.ts';
import type { FlowEvent, FlowState } from '../../../../../main/engine/sign-in/flow-state.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';

const error = new PosternError('TOKEN_ERROR', { stage: 'token' });
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
  failed: { name: 'failed', error },
};
const events: Record<FlowEvent['type'], FlowEvent> = {
  discover: { type: 'discover' },
  methodDecided: { type: 'methodDecided', method: 'OAuth' },
  register: { type: 'register' },
  credentialsNeeded: { type: 'credentialsNeeded', error },
  authorizationRequested: { type: 'authorizationRequested', expiresAt: 2 },
  callbackAccepted: { type: 'callbackAccepted' },
  tokensRequested: { type: 'tokensRequested' },
  tokensReceived: { type: 'tokensReceived', ticketId: 'u' },
  installed: { type: 'installed', integrationId: 'i' },
  keyAccepted: { type: 'keyAccepted', integrationId: 'k' },
  warned: { type: 'warned', warning: error },
  failed: { type: 'failed', error },
  cancelled: { type: 'cancelled', error: new PosternError('USER_CANCELLED', { stage: 'authorization' }) },
};

/** Every pair that changes the state; all others must return the same object (design, state machine). */
const table: Record<string, Partial<Record<FlowEvent['type'], FlowState['name']>>> = {
  urlEntered: { discover: 'discovering', keyAccepted: 'integrated', failed: 'failed', cancelled: 'urlEntered' },
  discovering: { methodDecided: 'discovered', failed: 'failed', cancelled: 'urlEntered' },
  noAuth: { installed: 'integrated', keyAccepted: 'integrated', failed: 'failed', cancelled: 'urlEntered' },
  oauth: {
    keyAccepted: 'integrated',
    credentialsNeeded: 'awaitingCredentials',
    authorizationRequested: 'authorizationPending',
    tokensRequested: 'exchanging',
    failed: 'failed',
    cancelled: 'urlEntered',
  },
  dcr: {
    keyAccepted: 'integrated',
    register: 'registering',
    credentialsNeeded: 'awaitingCredentials',
    authorizationRequested: 'authorizationPending',
    tokensRequested: 'exchanging',
    failed: 'failed',
    cancelled: 'urlEntered',
  },
  cimd: {
    keyAccepted: 'integrated',
    credentialsNeeded: 'awaitingCredentials',
    authorizationRequested: 'authorizationPending',
    tokensRequested: 'exchanging',
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
    tokensRequested: 'exchanging',
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
  integrated: { warned: 'integrated', failed: 'failed' },
  reauthenticationRequired: { discover: 'discovering' },
  failed: { keyAccepted: 'integrated', failed: 'failed' },
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
});

describe('whoseTurn', () => {
  it.each([
    ['discovering', 'postern'],
    ['registering', 'postern'],
    ['exchanging', 'postern'],
    ['ticketIssued', 'postern'],
    ['discovered', 'user'],
    ['awaitingCredentials', 'user'],
    ['authorizationPending', 'user'],
    ['failed', 'stopped'],
    ['integrated', 'over'],
  ] as const)('%s: %s', (name, turn) => {
    expect(whoseTurn({ name })).toBe(turn);
  });
});
