import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import {
  judgeRefreshAnswer,
  judgeRefreshError,
  renewAfter,
  renewLater,
} from '../../../../../main/oauth/token/refresh-failure.ts';
import type { TokenAnswer } from '../../../../../main/oauth/token/token-response.ts';

const endpoint = 'https://as.example/token';
const cause = new PosternError('TOKEN_ERROR', { stage: 'token' });

type Refused = Extract<TokenAnswer, { readonly kind: 'refused' }>;
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
    // Not of a token endpoint: a gateway, a firewall, a proxy, a portal.
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
    // As some answer under 2xx.
    [200, 'invalid_grant', 'json', 'revoked'],
  ])('with %i, %s and a body of %s is %s', (status, name, body, kind) => {
    expect(judgeRefreshAnswer(refusal(status, name, body), endpoint).kind).toBe(kind);
  });

  it('ends no sign-in by a dead assertion, which another one follows', () => {
    expect(judgeRefreshAnswer(refusal(400, 'invalid_grant'), endpoint, true).kind).toBe('refused');
  });

  it('keeps the sign-in where only the proof was refused (RFC 9449 5)', () => {
    const answer = { kind: 'proof-refused', error: cause } as Extract<TokenAnswer, { kind: 'proof-refused' }>;
    expect(judgeRefreshAnswer(answer, endpoint).kind).toBe('busy');
  });
});

describe('a refresh without an answer', () => {
  it.each([
    ['never left', new UnsentRequest('CONNECT_FAIL', { stage: 'token', fault: 'refused' }), false, 'unsent'],
    ['may have been obeyed', new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' }), false, 'lost'],
    ['may have been obeyed', new LostRequest('DEADLINE', { stage: 'token' }), false, 'lost'],
    ['can be sent again', new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' }), true, 'busy'],
    ['was answered by something else', new PosternError('BODY_TOO_LARGE', { stage: 'token' }), false, 'busy'],
    ['was called off', new PosternError('USER_CANCELLED', { stage: 'token' }), false, 'unsent'],
  ])('%s: %o (repeatable: %s) is %s', (_, error, isRepeatable, kind) => {
    expect(judgeRefreshError(error, endpoint, isRepeatable).kind).toBe(kind);
  });

  it('tells a connection that broke from a time that was over', () => {
    const broken = new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' });
    expect(judgeRefreshError(broken, endpoint)).toMatchObject({ isCut: true });
    expect(judgeRefreshError(new LostRequest('DEADLINE', { stage: 'token' }), endpoint)).toMatchObject({
      isCut: false,
    });
  });

  it('is no failure of a refresh where it is a mistake of ours', () => {
    expect(() => judgeRefreshError(new TypeError('x'), endpoint)).toThrow(TypeError);
  });
});

describe('what is said of a refresh that has to wait', () => {
  it.each([
    [{}, false],
    [{ isRefusal: true }, true],
    [{ status: 429 }, false],
    [{ status: 500 }, true],
  ])('after %j may last: %s', (why, mayLast) => {
    expect(renewLater(endpoint, why).remedy).toMatchObject({ kind: 'await-renewal', mayLast });
  });

  it('names the time of the next one, but not where the clock has to be put right first', () => {
    const until = 1_000;
    expect(renewAfter(renewLater(endpoint, {}), until).remedy).toMatchObject({ until });
    const wrongClock = renewLater(endpoint, { first: { kind: 'check-clock' } as never });
    expect(renewAfter(wrongClock, until).remedy).toEqual(wrongClock.remedy);
    expect(renewAfter(cause, until).remedy).toEqual(cause.remedy);
  });
});
