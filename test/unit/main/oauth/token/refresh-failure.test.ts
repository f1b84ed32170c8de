import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import {
  classifyRefreshResponse,
  classifyRefreshError,
  withRetryTime,
  transientRefreshError,
} from '../../../../../main/oauth/token/refresh-failure.ts';
import type { TokenResponse } from '../../../../../main/oauth/token/token-response.ts';

const endpoint = 'https://as.example/token';
const cause = new PosternError('TOKEN_ERROR', { stage: 'token' });

type Refused = Extract<TokenResponse, { readonly kind: 'refused' }>;
const refusal = (status: number, name: Refused['name'], body: Refused['body'] = 'json'): Refused => ({
  kind: 'refused',
  status,
  name,
  sent: name,
  body,
  error: cause,
});

describe('a refused refresh (RFC 6749 5.2)', () => {
  it.each<[number, Refused['name'], Refused['body'], string]>([
    [400, 'invalid_grant', 'json', 'revoked'],
    [401, 'invalid_grant', 'json', 'revoked'],
    [403, 'invalid_grant', 'json', 'revoked'],
    [401, 'invalid_client', 'json', 'client-rejected'],
    [401, 'invalid_client', 'empty', 'client-rejected'],
    [401, 'invalid_client', 'other', 'refused'],
    [400, 'unauthorized_client', 'json', 'refused'],
    [400, 'unknown', 'json', 'refused'],
    [401, 'unknown', 'json', 'refused'],
    // Not from a token endpoint: a gateway, a firewall, a proxy, a portal.
    [402, 'unknown', 'json', 'busy'],
    [404, 'unknown', 'empty', 'busy'],
    [400, 'unknown', 'page', 'busy'],
    [400, 'invalid_grant', 'page', 'busy'],
    [300, 'invalid_grant', 'json', 'busy'],
    [399, 'invalid_grant', 'json', 'busy'],
    [407, 'invalid_grant', 'json', 'busy'],
    [408, 'invalid_grant', 'json', 'busy'],
    [425, 'invalid_grant', 'json', 'busy'],
    [500, 'invalid_grant', 'json', 'busy'],
    [503, 'invalid_client', 'json', 'busy'],
    // Some servers send errors with a 2xx status.
    [200, 'invalid_grant', 'json', 'revoked'],
  ])('with %i, %s and a %s body is %s', (status, name, body, kind) => {
    expect(classifyRefreshResponse(refusal(status, name, body), endpoint).kind).toBe(kind);
  });

  it('keeps the sign-in after a rejected assertion, which can be replaced', () => {
    expect(classifyRefreshResponse(refusal(400, 'invalid_grant'), endpoint, true).kind).toBe('refused');
  });

  it('keeps the sign-in if only the proof was refused (RFC 9449 5)', () => {
    const response = { kind: 'proof-refused', error: cause } as Extract<TokenResponse, { kind: 'proof-refused' }>;
    expect(classifyRefreshResponse(response, endpoint).kind).toBe('busy');
  });
});

describe('a refresh without a response', () => {
  it.each([
    ['was never sent', new UnsentRequest('CONNECT_FAIL', { stage: 'token', fault: 'refused' }), false, 'unsent'],
    ['may have been processed', new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' }), false, 'lost'],
    ['may have been processed', new LostRequest('DEADLINE', { stage: 'token' }), false, 'lost'],
    ['can be sent again', new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' }), true, 'busy'],
    ['was answered by something else', new PosternError('BODY_TOO_LARGE', { stage: 'token' }), false, 'busy'],
    ['was cancelled', new PosternError('USER_CANCELLED', { stage: 'token' }), false, 'unsent'],
  ])('%s: %o (repeatable: %s) is %s', (_, error, isRepeatable, kind) => {
    expect(classifyRefreshError(error, endpoint, isRepeatable).kind).toBe(kind);
  });

  it('distinguishes a broken connection from a time-out', () => {
    const broken = new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' });
    expect(classifyRefreshError(broken, endpoint)).toMatchObject({ isCut: true });
    expect(classifyRefreshError(new LostRequest('DEADLINE', { stage: 'token' }), endpoint)).toMatchObject({
      isCut: false,
    });
  });

  it('rethrows our own bugs', () => {
    expect(() => classifyRefreshError(new TypeError('x'), endpoint)).toThrow(TypeError);
  });
});

describe('the error of a refresh that has to wait', () => {
  it.each([
    [{}, false],
    [{ isRefusal: true }, true],
    [{ status: 429 }, false],
    [{ status: 500 }, true],
  ])('reports after %j that it may last: %s', (why, mayLast) => {
    expect(transientRefreshError(endpoint, why).remedy).toMatchObject({ kind: 'await-renewal', mayLast });
  });

  it('names the time of the next retry, unless the clock must be fixed first', () => {
    const until = 1_000;
    expect(withRetryTime(transientRefreshError(endpoint, {}), until).remedy).toMatchObject({ until });
    const wrongClock = transientRefreshError(endpoint, { first: { kind: 'check-clock' } as never });
    expect(withRetryTime(wrongClock, until).remedy).toEqual(wrongClock.remedy);
    expect(withRetryTime(cause, until).remedy).toEqual(cause.remedy);
  });
});
