import { describe, expect, it } from 'vitest';
import { AuthorizationSession, submitAddress } from '../../../../../main/engine/sign-in/authorizer.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import type { AuthorizationRequest } from '../../../../../main/oauth/authorization/authorization-request.ts';
import { SignInEnd } from '../../../../../main/ports.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { countComparisons } from '../../../../support/count-comparisons.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';

const callbackUrl = 'http://127.0.0.1:40000/integration/oauth/callback';

function createSession(timeout?: number, assertNewest?: () => void, onAnswer?: () => void) {
  const clock = createFakeClock();
  const request: AuthorizationRequest = {
    url: asChecked('https://as.example/authorize'),
    parameters: new Map(),
    state: 'right-state',
    clientId: 'client',
    redirectUri: callbackUrl,
    issuerKey: 'https://as.example',
    expectedIss: 'https://as.example',
    issExpected: false,
    tokenEndpoint: 'https://as.example/token',
    createdAt: { wall: clock.now(), monotonic: clock.monotonic() },
  };
  return { clock, session: new AuthorizationSession(clock, request, timeout, assertNewest, onAnswer) };
}

async function codeOf({ response }: AuthorizationSession): Promise<string | null | undefined> {
  const received = await response;
  return received.kind === 'code' ? received.code.reveal().get('code') : undefined;
}

describe('AuthorizationSession', () => {
  it('accepts the right state once (spec 2.7, AZ-03)', async () => {
    const { session } = createSession();
    expect(session.receive('code=c&state=right-state')).toBe('done');
    expect(await codeOf(session)).toBe('c');
    expect(session.receive('code=d&state=right-state')).toBe('used');
    expect(await codeOf(session)).toBe('c');
    expect(session.receive('code=c&state=wrong')).toBe('not-valid');
  });

  it.each(['code=c', 'error=access_denied', 'code=c&iss=https%3A%2F%2Fother.example'])(
    'reports the first callback with the right state, whatever its content: %s',
    async (content) => {
      let notified = 0;
      const { session } = createSession(undefined, undefined, () => (notified += 1));
      session.receive(`${content}&state=wrong`);
      expect(notified).toBe(0);
      session.receive(`${content}&state=right-state`);
      session.receive(`${content}&state=right-state`);
      session.end(new PosternError('USER_CANCELLED', { stage: 'authorization' }));
      expect(notified).toBe(1);
      await session.response.catch(() => {});
    },
  );

  it.each(['wrong', 'right-stat', 'right-state2', ''])(
    'compares %j with its state in constant time (AZ-04)',
    (guess) => {
      const { session } = createSession();
      const comparisons = countComparisons();
      expect(session.receive(`state=${guess}&code=c`)).toBe('not-valid');
      expect(comparisons()).toBe(1);
    },
  );

  it('opens its page once per link, and ends when a link is used twice', async () => {
    const { session, clock } = createSession();
    session.addLink('one');
    session.addLink('two');
    expect(session.openLink('three')).toBe('not-valid');
    for (const word of ['one', 'two']) expect(session.openLink(word)).toEqual({ url: 'https://as.example/authorize' });
    expect(session.openLink('one')).toBe('opened-twice');
    await expect(session.response).rejects.toMatchObject({ code: 'LINK_REUSED', stage: 'authorization' });
    expect(session.receive('code=c&state=right-state')).toBe('opened-twice');
    expect(clock.timers).toBe(0);
  });

  it('detects the second use of a link even after the response', () => {
    const { session } = createSession();
    session.addLink('one');
    session.openLink('one');
    session.receive('code=c&state=right-state');
    session.assertOpenedOnce();
    expect(session.openLink('one')).toBe('opened-twice');
    expect(() => session.assertOpenedOnce()).toThrow(expect.objectContaining({ code: 'LINK_REUSED' }));
  });

  it('opens no link after it has ended, and reports why', () => {
    const { session: finished } = createSession();
    finished.addLink('one');
    finished.receive('code=c&state=right-state');
    expect(finished.openLink('one')).toBe('used');
    const { session: expired, clock } = createSession(60_000);
    expired.addLink('one');
    clock.advance(60_000);
    expect(expired.openLink('one')).toBe('expired');
  });

  it('returns no code once a newer sign-in has started, and reports it each time (AZ-06)', async () => {
    const { session, clock } = createSession(undefined, () => {
      throw new SignInEnd('superseded', { stage: 'authorization' });
    });
    expect(session.receive('code=c&state=wrong')).toBe('not-valid');
    expect(session.receive('code=c&state=right-state')).toBe('superseded');
    await expect(session.response).rejects.toMatchObject({ code: 'FLOW_SUPERSEDED' });
    expect(session.receive('code=c&state=right-state')).toBe('superseded');
    expect(clock.timers).toBe(0);
  });

  it('reports why the callback of an ended sign-in is rejected (AZ-06)', async () => {
    const { session } = createSession();
    session.end(new SignInEnd('superseded', { stage: 'authorization' }));
    session.end(new PosternError('USER_CANCELLED', { stage: 'authorization' }));
    expect(session.receive('code=c&state=right-state')).toBe('superseded');
    await expect(session.response).rejects.toMatchObject({ code: 'FLOW_SUPERSEDED' });
  });

  it.each([
    'code=c',
    'code=c&state=',
    'code=c&state=wrong',
    'code=c&state=Right-State',
    'code=c&state=right-state%20',
    'code=c&state=right-stat',
    'code=c&state=right-state&state=right-state',
    'error=access_denied&state=wrong',
  ])('continues after a callback with another state: %s (RFC 9700 4.7)', async (query) => {
    const { session } = createSession();
    expect(session.receive(query)).toBe('not-valid');
    expect(session.receive('code=c&state=right-state')).toBe('done');
    await session.response;
  });

  it('ends if the user refuses', async () => {
    const { session } = createSession();
    expect(session.receive('error=access_denied&state=right-state')).toBe('refused');
    await expect(session.response).rejects.toMatchObject({ code: 'USER_DENIED' });
  });

  it('returns the error of the authorization server', async () => {
    const { session, clock } = createSession();
    expect(session.receive('error=invalid_scope&state=right-state')).toBe('refused');
    expect(await session.response).toMatchObject({ kind: 'authorization-refused', name: 'invalid_scope' });
    expect(session.receive('code=c&state=right-state')).toBe('used');
    expect(clock.timers).toBe(0);
  });

  it.each([
    { timeout: undefined, wait: 600_000, code: 'STATE_EXPIRED' },
    { timeout: 3_600_000, wait: 600_000, code: 'STATE_EXPIRED' },
    { timeout: 5_000, wait: 5_000, code: 'STATE_EXPIRED' },
  ])('expires after $wait ms with $code (spec 3.3)', async ({ timeout, wait, code }) => {
    const { clock, session } = createSession(timeout);
    expect(session.expiresAt).toBe(clock.now() + wait);
    clock.advance(wait);
    await expect(session.response).rejects.toMatchObject({ code, detail: { seconds: wait / 1_000 } });
    expect(session.receive('code=c&state=right-state')).toBe('expired');
  });

  it('stays cancelled (AZ-25)', async () => {
    const { clock, session } = createSession();
    session.end(new Error('cancelled'));
    clock.advance(1);
    expect(session.receive('code=c&state=right-state')).toBe('expired');
    await expect(session.response).rejects.toThrow('cancelled');
    expect(clock.timers).toBe(0);
  });

  it('leaves no timer behind after it has a code', async () => {
    const { clock, session } = createSession();
    session.receive('code=c&state=right-state');
    await session.response;
    expect(clock.timers).toBe(0);
  });
});

describe('submitAddress', () => {
  it('accepts the pasted callback address', async () => {
    const { session } = createSession();
    expect(submitAddress(session, callbackUrl, ` ${callbackUrl}?code=c&state=right-state \n`)).toBe('done');
    await session.response;
  });

  it.each([
    'not an address',
    'https://evil.example/integration/oauth/callback?code=c&state=right-state',
    'http://127.0.0.1:40001/integration/oauth/callback?code=c&state=right-state',
    'http://localhost:40000/integration/oauth/callback?code=c&state=right-state',
    'http://127.0.0.1:40000/integration/oauth/callback/?code=c&state=right-state',
    `${callbackUrl}?code=c&state=wrong`,
  ])('ignores another address: %s', async (address) => {
    const { session } = createSession();
    expect(submitAddress(session, callbackUrl, address)).toBe('not-valid');
    expect(session.receive('code=c&state=right-state')).toBe('done');
    await session.response;
  });
});
