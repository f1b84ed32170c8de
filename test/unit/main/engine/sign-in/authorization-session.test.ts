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
  const answer = await response;
  return answer.kind === 'code' ? answer.code.reveal().get('code') : undefined;
}

describe('AuthorizationSession', () => {
  it('takes the right state once and never again (spec 2.7, AZ-03)', async () => {
    const { session } = createSession();
    expect(session.receive('code=c&state=right-state')).toBe('done');
    expect(await codeOf(session)).toBe('c');
    expect(session.receive('code=d&state=right-state')).toBe('used');
    expect(await codeOf(session)).toBe('c');
    expect(session.receive('code=c&state=wrong')).toBe('not-valid');
  });

  it.each(['code=c', 'error=access_denied', 'code=c&iss=https%3A%2F%2Fother.example'])(
    'tells of the one callback that counts, whatever it says: %s',
    async (says) => {
      let told = 0;
      const { session } = createSession(undefined, undefined, () => (told += 1));
      session.receive(`${says}&state=wrong`);
      expect(told).toBe(0);
      session.receive(`${says}&state=right-state`);
      session.receive(`${says}&state=right-state`);
      session.end(new PosternError('USER_CANCELLED', { stage: 'authorization' }));
      expect(told).toBe(1);
      await session.response.catch(() => {});
    },
  );

  it.each(['wrong', 'right-stat', 'right-state2', ''])(
    'tells by no time where %j differs from its state (AZ-04)',
    (guess) => {
      const { session } = createSession();
      const comparisons = countComparisons();
      expect(session.receive(`state=${guess}&code=c`)).toBe('not-valid');
      expect(comparisons()).toBe(1);
    },
  );

  it('leads to its page once by each link, and the second use of one ends it', async () => {
    const { session, clock } = createSession();
    session.addLink('one');
    session.addLink('two');
    expect(session.follow('three')).toBe('not-valid');
    for (const word of ['one', 'two']) expect(session.follow(word)).toEqual({ url: 'https://as.example/authorize' });
    expect(session.follow('one')).toBe('opened-twice');
    await expect(session.response).rejects.toMatchObject({ code: 'LINK_REUSED', stage: 'authorization' });
    expect(session.receive('code=c&state=right-state')).toBe('opened-twice');
    expect(clock.timers).toBe(0);
  });

  it('counts the second use of a link after the answer, too', () => {
    const { session } = createSession();
    session.addLink('one');
    session.follow('one');
    session.receive('code=c&state=right-state');
    session.assertOpenedOnce();
    expect(session.follow('one')).toBe('opened-twice');
    expect(() => session.assertOpenedOnce()).toThrow(expect.objectContaining({ code: 'LINK_REUSED' }));
  });

  it('leads nowhere by a link once it has ended, and says why', () => {
    const { session: answered } = createSession();
    answered.addLink('one');
    answered.receive('code=c&state=right-state');
    expect(answered.follow('one')).toBe('used');
    const { session: expired, clock } = createSession(60_000);
    expired.addLink('one');
    clock.advance(60_000);
    expect(expired.follow('one')).toBe('expired');
  });

  it('gives no code away once a newer sign-in was started, and says so each time (AZ-06)', async () => {
    const { session, clock } = createSession(undefined, () => {
      throw new SignInEnd('superseded', { stage: 'authorization' });
    });
    expect(session.receive('code=c&state=wrong')).toBe('not-valid');
    expect(session.receive('code=c&state=right-state')).toBe('superseded');
    await expect(session.response).rejects.toMatchObject({ code: 'FLOW_SUPERSEDED' });
    expect(session.receive('code=c&state=right-state')).toBe('superseded');
    expect(clock.timers).toBe(0);
  });

  it('says of an ended wait why its callback comes to nothing (AZ-06)', async () => {
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
  ])('goes on after a callback with another state: %s (RFC 9700 4.7)', async (query) => {
    const { session } = createSession();
    expect(session.receive(query)).toBe('not-valid');
    expect(session.receive('code=c&state=right-state')).toBe('done');
    await session.response;
  });

  it('ends with the refusal of the person', async () => {
    const { session } = createSession();
    expect(session.receive('error=access_denied&state=right-state')).toBe('refused');
    await expect(session.response).rejects.toMatchObject({ code: 'USER_DENIED' });
  });

  it('passes on what the authorization server refuses it for', async () => {
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

  it('is dead once it was cancelled, one millisecond later too (AZ-25)', async () => {
    const { clock, session } = createSession();
    session.end(new Error('cancelled'));
    clock.advance(1);
    expect(session.receive('code=c&state=right-state')).toBe('expired');
    await expect(session.response).rejects.toThrow('cancelled');
    expect(clock.timers).toBe(0);
  });

  it('leaves no timer behind once it has its code', async () => {
    const { clock, session } = createSession();
    session.receive('code=c&state=right-state');
    await session.response;
    expect(clock.timers).toBe(0);
  });
});

describe('submitAddress', () => {
  it('takes the pasted callback address', async () => {
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
