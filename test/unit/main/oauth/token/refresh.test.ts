import { inspect } from 'node:util';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import { refreshTokens } from '../../../../../main/oauth/token/refresh.ts';
import type { Refresh } from '../../../../../main/oauth/token/refresh.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import {
  basicPair,
  clientCredentials,
  failureOf,
  formFields,
  policy,
  publicClient,
  start,
  tokenEndpoint,
  tokenSet,
} from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

type ScriptedResponse = Omit<ScriptedExchange, 'method' | 'url'>;

const granted = { access_token: 'new-access', token_type: 'bearer', expires_in: 60 };

const prepare = (answers: readonly ScriptedResponse[], over: Partial<Refresh> = {}) => {
  const http = scriptedHttp(answers.map((response) => ({ method: 'POST', url: tokenEndpoint, ...response })));
  const answerTo = () =>
    refreshTokens(
      { http, clock: createFakeClock(start) },
      {
        tokens: tokenSet(),
        credentials: clientCredentials({ authentication: 'client_secret_post' }),
        sendResource: true,
        policy,
        ...over,
      },
    );
  /** Throws the error of any other result. */
  const refresh = async () => {
    const result = await answerTo();
    if (result.kind === 'renewed') return result;
    throw result.kind === 'other-holder' ? new Error(result.kind) : result.error;
  };
  return { http, answerTo, refresh };
};

const network = (
  code:
    | 'DNS_FAIL'
    | 'CONNECT_FAIL'
    | 'DEADLINE'
    | 'TLS_FAIL'
    | 'REDIRECT_REFUSED'
    | 'BODY_TOO_LARGE'
    | 'HOST_BLOCKED'
    | 'USER_CANCELLED',
  sent?: 'no' | 'maybe',
): ScriptedResponse => ({
  error:
    sent === undefined
      ? new PosternError(code, { stage: 'refresh' })
      : new (sent === 'no' ? UnsentRequest : LostRequest)(code, { stage: 'refresh' }),
});
const html = { headers: { 'content-type': 'text/html' }, text: '<html>Log in to the network</html>' };
const error = (name: string, status = 400): ScriptedResponse => ({ status, json: { error: name } });

describe('refreshTokens', () => {
  it('sends the form of spec 4.5 with the resource (RFC 6749 section 6, RFC 8707 section 2.2)', async () => {
    const { http, refresh } = prepare([{ json: granted }]);
    await refresh();
    http.assertDone();
    expect(formFields(http.requests[0]?.body)).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'old-refresh',
      client_id: 'client-1',
      client_secret: 'secret-1',
      resource: 'https://mcp.example/mcp',
    });
    expect(http.requests[0]).toMatchObject({
      purpose: 'refresh',
      stage: 'refresh',
      redirects: 'none',
      deadline: 30_000,
    });
  });

  it('uses the remembered client authentication, including raw Basic', async () => {
    const credentials = clientCredentials({ clientId: 'a+b', authentication: 'client_secret_basic', rawBasic: true });
    const { http, refresh } = prepare([{ json: granted }], { credentials });
    await refresh();
    expect(basicPair(http.requests[0]?.headers)).toBe('a+b:secret-1');
  });

  it('omits a resource that the server refuses, and the secret of a public client', async () => {
    const { http, refresh } = prepare([{ json: granted }], { sendResource: false, credentials: publicClient() });
    await refresh();
    expect(formFields(http.requests[0]?.body)).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'old-refresh',
      client_id: 'client-1',
    });
  });

  it('stores the new pair (RFC 6749 section 6)', async () => {
    const { tokens } = await prepare([{ json: { ...granted, refresh_token: 'new-refresh', scope: 'less' } }]).refresh();
    expect(tokens).toMatchObject({
      ...tokenSet({ scope: 'less', expiresAt: start + 60_000 }),
      receivedAt: { wall: start },
    });
    expect(tokens.accessToken.reveal()).toBe('new-access');
    expect(tokens.refreshToken?.reveal()).toBe('new-refresh');
  });

  it('keeps the old refresh token and scope when none come (RF-12)', async () => {
    const { tokens } = await prepare([{ json: granted }]).refresh();
    expect(tokens.refreshToken?.reveal()).toBe('old-refresh');
    expect(tokens.scope).toBe('notes:read');
  });

  it.each(['invalid_request', 'invalid_target'])(
    'retries once without resource after %s, and notes it',
    async (name) => {
      const { http, refresh } = prepare([error(name), { json: granted }]);
      const { tokens } = await refresh();
      http.assertDone();
      expect(http.requests.map(({ body }) => 'resource' in formFields(body))).toEqual([true, false]);
      expect(tokens.notes).toEqual(['resource-refused']);
    },
  );

  it.each([
    ['the same error', error('invalid_request'), 'REFRESH_TRANSIENT'],
    ['invalid_grant, which only the first response could prove', error('invalid_grant'), 'REFRESH_TRANSIENT'],
    ['lost, since the token may have been rotated', network('CONNECT_FAIL', 'maybe'), 'REFRESH_TRANSIENT'],
  ])('keeps the sign-in if the response without resource is %s', async (_, last, code) => {
    const { http, refresh } = prepare([error('invalid_request'), last]);
    expect((await failureOf(refresh)).code).toBe(code);
    http.assertDone();
  });

  it('forgets the old expiry if the new one is unknown (TK-04)', async () => {
    const { tokens } = await prepare([{ json: { access_token: 'new-access' } }]).refresh();
    expect(tokens).not.toHaveProperty('expiresAt');
  });

  it.each([
    ['invalid_grant', error('invalid_grant'), 'REFRESH_REVOKED'],
    ['invalid_grant with status 200', error('invalid_grant', 200), 'REFRESH_REVOKED'],
    ['invalid_grant with status 500', error('invalid_grant', 500), 'REFRESH_TRANSIENT'],
    ['a synonym of invalid_grant', error('bad_refresh_token', 200), 'REFRESH_REVOKED'],
    ['an unknown error', error('E_TOKEN_DEAD'), 'REFRESH_TRANSIENT'],
    ['an unknown error with status 200', error('E_TOKEN_DEAD', 200), 'REFRESH_TRANSIENT'],
    ['an empty 400', { status: 400 }, 'REFRESH_TRANSIENT'],
    ['an empty 403', { status: 403 }, 'REFRESH_TRANSIENT'],
    ['invalid_scope', error('invalid_scope'), 'REFRESH_TRANSIENT'],
    ['unsupported_grant_type', error('unsupported_grant_type'), 'REFRESH_TRANSIENT'],
    ['access_denied', error('access_denied', 403), 'REFRESH_TRANSIENT'],
    ['invalid_client', error('invalid_client', 401), 'CLIENT_REJECTED'],
    ['unauthorized_client', error('unauthorized_client'), 'REFRESH_TRANSIENT'],
    ['invalid_token', error('invalid_token', 401), 'REFRESH_TRANSIENT'],
    ['an empty 401', { status: 401 }, 'CLIENT_REJECTED'],
    ['DNS failure', network('DNS_FAIL'), 'REFRESH_TRANSIENT'],
    ['TLS failure', network('TLS_FAIL'), 'REFRESH_TRANSIENT'],
    ['offline', network('CONNECT_FAIL', 'no'), 'REFRESH_TRANSIENT'],
    ['a connect that timed out', network('DEADLINE', 'no'), 'REFRESH_TRANSIENT'],
    ['a captive portal that redirects', network('REDIRECT_REFUSED'), 'REFRESH_TRANSIENT'],
    ['a captive portal with status 200', html, 'REFRESH_TRANSIENT'],
    ['a captive portal with status 401', { ...html, status: 401 }, 'REFRESH_TRANSIENT'],
    ['a captive portal with status 403', { ...html, status: 403 }, 'REFRESH_TRANSIENT'],
    ['a captive portal with status 511', { ...html, status: 511 }, 'REFRESH_TRANSIENT'],
    ['a captive portal of a megabyte', network('BODY_TOO_LARGE'), 'REFRESH_TRANSIENT'],
    ['500', { status: 500 }, 'REFRESH_TRANSIENT'],
    ['503', { status: 503 }, 'REFRESH_TRANSIENT'],
    ['429', { status: 429 }, 'REFRESH_TRANSIENT'],
    ['temporarily_unavailable', error('temporarily_unavailable'), 'REFRESH_TRANSIENT'],
    ['a reset after it was sent', network('CONNECT_FAIL', 'maybe'), 'REFRESH_TRANSIENT'],
    ['a reset at an unknown time', network('CONNECT_FAIL'), 'REFRESH_TRANSIENT'],
    ['no response in time', network('DEADLINE'), 'REFRESH_TRANSIENT'],
    ['an access token that is not a string', { json: { ...granted, access_token: 7 } }, 'TOKEN_RESPONSE_INVALID'],
    [
      'truncated JSON',
      { headers: { 'content-type': 'application/json' }, text: '{"access_to' },
      'TOKEN_RESPONSE_INVALID',
    ],
    ['a DPoP token', { json: { ...granted, token_type: 'DPoP' } }, 'TOKEN_TYPE'],
    ['a blocked host (NW-12)', network('HOST_BLOCKED'), 'HOST_BLOCKED'],
    ['a cancel', network('USER_CANCELLED'), 'USER_CANCELLED'],
  ] as [string, ScriptedResponse, string][])(
    'reads %s as %s, and sends the token once (RF-09, RF-10)',
    async (_, response, code) => {
      const { http, refresh } = prepare([response]);
      expect(await failureOf(refresh)).toMatchObject({ code, stage: 'refresh' });
      http.assertDone();
    },
  );

  it('returns how long to wait and the specific code (TK-10)', async () => {
    const failure = await prepare([{ status: 429, headers: { 'retry-after': '120' } }]).answerTo();
    expect(failure).toMatchObject({
      kind: 'busy',
      retryAfter: 120,
      error: { detail: { status: 429 }, cause: { code: 'TOKEN_RATE_LIMITED' } },
    });
  });

  it.each([
    ['DNS failure', network('DNS_FAIL', 'no'), 'unsent'],
    ['offline', network('CONNECT_FAIL', 'no'), 'unsent'],
    ['a connect that timed out', network('DEADLINE', 'no'), 'unsent'],
    ['a blocked host', network('HOST_BLOCKED'), 'unsent'],
    ['a captive portal that redirects', network('REDIRECT_REFUSED'), 'busy'],
    ['a captive portal with status 200', html, 'busy'],
    ['a captive portal with status 401', { ...html, status: 401 }, 'busy'],
    ['500', { status: 500 }, 'busy'],
    ['invalid_scope', error('invalid_scope'), 'refused'],
    ['an empty 400', { status: 400 }, 'refused'],
    ['a proprietary error with status 200', error('E_DEAD', 200), 'refused'],
    ['JSON without an error with status 401', { status: 401, json: { message: 'Unauthorized' } }, 'refused'],
    ['invalid_request with status 500', error('invalid_request', 500), 'busy'],
    ['an empty 408', { status: 408 }, 'busy'],
    ['a reset after it was sent', network('CONNECT_FAIL', 'maybe'), 'lost'],
    ['no response in time', network('DEADLINE', 'maybe'), 'lost'],
    ['truncated JSON', { headers: { 'content-type': 'application/json' }, text: '{"access_to' }, 'unusable'],
    ['a DPoP token', { json: { ...granted, token_type: 'DPoP' } }, 'unusable'],
    ['invalid_grant', error('invalid_grant'), 'revoked'],
    ['invalid_client', error('invalid_client', 401), 'client-rejected'],
  ] as [string, ScriptedResponse, string][])(
    'decides after %s whether the token may be sent again: %s',
    async (_, response, kind) => {
      expect((await prepare([response]).answerTo()).kind).toBe(kind);
    },
  );

  it('sends the refresh token only to the token endpoint that issued it (RF-18)', async () => {
    const { http, refresh } = prepare([], { credentials: clientCredentials({ issuerKey: 'https://new.example' }) });
    expect((await failureOf(refresh)).code).toBe('REFRESH_ISSUER_CHANGED');
    expect(http.requests).toEqual([]);
  });

  it.each([
    ['http://as.example/token', 'TOKEN_ENDPOINT_INSECURE'],
    ['https://192.168.1.5/token', 'HOST_BLOCKED'],
  ])('checks %s again at use (MD-23, NW-12)', async (endpoint, code) => {
    const { http, refresh } = prepare([], { tokens: tokenSet({ tokenEndpoint: endpoint }) });
    expect(await failureOf(refresh)).toMatchObject({ code, stage: 'refresh' });
    expect(http.requests).toEqual([]);
  });

  it('requires a sign-in if there is no refresh token', async () => {
    const { refreshToken: _, ...tokens } = tokenSet();
    expect((await failureOf(prepare([], { tokens }).refresh)).code).toBe('SIGN_IN_REQUIRED');
  });

  property.prop([fc.integer({ min: 200, max: 599 }), fc.oneof(fc.json(), fc.string(), fc.constant('')), fc.boolean()])(
    'deletes tokens only after a definite refusal',
    async (status, text, isJson) => {
      const response = { status, text, headers: { 'content-type': isJson ? 'application/json' : 'text/html' } };
      const result = await prepare([response])
        .refresh()
        .catch((failure: unknown) => failure);
      expect(inspect(result)).not.toContain('old-refresh');
      if (!(result instanceof PosternError)) return;
      if (status >= 500) expect(result.code).not.toBe('CLIENT_REJECTED');
      if (result.code === 'REFRESH_REVOKED') expect(text).toContain('invalid_grant');
    },
  );
});
