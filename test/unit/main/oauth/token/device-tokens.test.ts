import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest } from '../../../../../main/errors/request-error.ts';
import { pollForTokens } from '../../../../../main/oauth/token/device-grant.ts';
import { Secret } from '../../../../../main/secret.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { basicPair, clientCredentials, policy } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const url = 'https://as.example/token';
const metadata = {
  issuer: 'https://as.example',
  authorization_endpoint: asChecked('https://as.example/authorize'),
  token_endpoint: asChecked(url),
};
const pending = { status: 400, json: { error: 'authorization_pending' } };
const slower = { status: 400, json: { error: 'slow_down' } };
const tokens = { json: { access_token: 'token', token_type: 'Bearer' } };
const away = { error: new PosternError('CONNECT_FAIL', { stage: 'token' }) };

type ScriptedResponse = Omit<ScriptedExchange, 'method' | 'url'>;

/** Polls with these responses; `at`: the time of each request in seconds. */
async function poll(
  answers: readonly ScriptedResponse[],
  more: {
    readonly lifetime?: number;
    readonly timeout?: number;
    readonly cancelAfter?: number;
    readonly isSettled?: boolean;
  } = {},
) {
  const clock = createFakeClock(0);
  const at: number[] = [];
  let learned: { way?: string | undefined; notes: readonly string[] } | undefined;
  const controller = new AbortController();
  const http = scriptedHttp(
    answers.map((response) => ({
      method: 'POST',
      url,
      ...response,
      onRequest: () => void at.push(clock.now() / 1_000),
    })),
  );
  const { lifetime = 600_000, timeout, cancelAfter, isSettled = true } = more;
  const polling = pollForTokens(
    { http, clock },
    {
      credentials: clientCredentials({ authentication: 'client_secret_basic', settled: isSettled }),
      metadata,
      issuerKey: 'https://as.example',
      deviceCode: new Secret('device-code'),
      interval: 5_000,
      lifetime,
      timeout,
      policy,
      signal: controller.signal,
    },
  );
  const end = polling.then(
    ({ tokens: set, credentials }) => {
      learned = { way: credentials.authentication, notes: set.notes };
      return { token: set.accessToken.reveal() };
    },
    (error: unknown) => ({ error }),
  );
  const state = { isOver: false };
  void end.then(() => (state.isOver = true));
  while (!state.isOver) {
    if (clock.now() === cancelAfter) controller.abort();
    clock.advance(1_000);
    // Every response arrives before the next second begins.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  }
  http.assertDone();
  const ways = http.requests.map(({ headers }) => (basicPair(headers) === undefined ? 'post' : 'basic'));
  return { at, timers: clock.timers, ways, learned, ...(await end) };
}

describe('pollForTokens', () => {
  it('polls at the given interval until the user is done (RFC 8628 section 3.5)', async () => {
    const { at, timers, ...end } = await poll([pending, pending, tokens]);
    expect(end).toMatchObject({ token: 'token' });
    expect(at).toEqual([5, 10, 15]);
    expect(timers).toBe(0);
  });

  it('adds five seconds to the interval after each slow_down', async () => {
    const { at } = await poll([slower, pending, slower, pending, tokens]);
    expect(at).toEqual([5, 15, 25, 40, 55]);
  });

  it('backs off during an outage, and returns to the interval afterwards', async () => {
    const { at } = await poll([away, away, away, away, away, pending, tokens]);
    expect(at).toEqual([5, 15, 35, 75, 135, 195, 200]);
  });

  it.each([
    [{ status: 429, headers: { 'retry-after': '90' } }, 95],
    [{ status: 503, headers: { 'retry-after': '2' } }, 15],
    [{ status: 500, text: 'oops' }, 15],
  ])('waits as long as a busy service asks: %j', async (busy, next) => {
    const { at } = await poll([busy, tokens]);
    expect(at).toEqual([5, next]);
  });

  it.each<[string, ScriptedResponse]>([
    ['invalid_grant', { status: 400, json: { error: 'invalid_grant' } }],
    ['invalid_client', { status: 401, json: { error: 'invalid_client' } }],
    ['a non-OAuth error', { status: 422, json: { detail: [] } }],
    ['a server error', { status: 500 }],
    ['a closed connection', { error: new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' }) }],
  ])('tries the other client authentication after a first response of %s (spec 5.3)', async (_, response) => {
    const found = await poll([response, pending, tokens], { isSettled: false });
    expect(found).toMatchObject({ token: 'token', ways: ['basic', 'post', 'post'] });
    expect(found.learned).toEqual({ way: 'client_secret_post', notes: ['other-client-authentication'] });
    const { ways } = await poll([pending, { status: 500 }, tokens], { isSettled: false });
    expect(ways).toEqual(['basic', 'basic', 'basic']);
  });

  it('tries the other method once, and returns to the first if that fails too', async () => {
    const { ways } = await poll([{ status: 500 }, { status: 500 }, pending, tokens], { isSettled: false });
    expect(ways).toEqual(['basic', 'post', 'basic', 'basic']);
    const used = { status: 400, json: { error: 'invalid_grant' } };
    expect(await poll([used, used], { isSettled: false })).toMatchObject({ error: { code: 'STATE_EXPIRED' } });
  });

  it('reads a response with an error as an error, whatever its status', async () => {
    const { at } = await poll([{ status: 200, json: { error: 'authorization_pending' } }, tokens]);
    expect(at).toEqual([5, 10]);
  });

  it.each([
    ['access_denied', 'USER_DENIED'],
    ['authorization_declined', 'USER_DENIED'],
    ['expired_token', 'STATE_EXPIRED'],
    ['invalid_grant', 'STATE_EXPIRED'],
    ['invalid_client', 'TOKEN_ERROR'],
    ['of their own', 'TOKEN_ERROR'],
  ])('stops at the error %s', async (error, code) => {
    expect(await poll([{ status: 400, json: { error } }])).toMatchObject({ error: { code } });
  });

  it.each([
    [{ lifetime: 12_000 }, [5, 10], false],
    [{ lifetime: 600_000, timeout: 7_000 }, [5], true],
  ])('stops with %j even if the service never says so (DG-03)', async (bound, at, tooShort) => {
    const end = await poll(
      at.map(() => pending),
      bound,
    );
    expect(end).toMatchObject({ at, error: { code: 'STATE_EXPIRED', remedy: { kind: 'start-again', tooShort } } });
    expect(end.timers).toBe(0);
  });

  it('stops at once when the user cancels', async () => {
    const end = await poll([pending], { cancelAfter: 7_000 });
    expect(end).toMatchObject({ at: [5], error: { code: 'USER_CANCELLED' } });
    expect(end.timers).toBe(0);
  });
});
