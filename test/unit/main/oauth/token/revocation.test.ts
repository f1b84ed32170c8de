import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { revokeTokens } from '../../../../../main/oauth/token/revocation.ts';
import type { Revocation } from '../../../../../main/oauth/token/revocation.ts';
import { clientCredentials, formFields, policy, tokenSet } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

type ScriptedResponse = Omit<ScriptedExchange, 'method' | 'url'>;
const offline = { error: new PosternError('DNS_FAIL', { stage: 'connection' }) };

const revoke = async (answers: readonly ScriptedResponse[], over: Partial<Revocation> = {}) => {
  const http = scriptedHttp(
    answers.map((response) => ({ method: 'POST', url: 'https://as.example/revoke', ...response })),
  );
  const outcome = await revokeTokens(http, { tokens: tokenSet(), credentials: clientCredentials(), policy, ...over });
  http.assertDone();
  return { http, outcome };
};

describe('revokeTokens', () => {
  it('revokes the refresh token, then the access token (RFC 7009 section 2.1)', async () => {
    const { http, outcome } = await revoke([{ status: 200 }, { status: 200 }]);
    expect(outcome).toBe('revoked');
    const client = { client_id: 'client-1', client_secret: 'secret-1' };
    expect(http.requests.map(({ body }) => formFields(body))).toEqual([
      { token: 'old-refresh', token_type_hint: 'refresh_token', ...client },
      { token: 'old-access', token_type_hint: 'access_token', ...client },
    ]);
    expect(http.requests[0]).toMatchObject({ purpose: 'revocation', redirects: 'none', deadline: 10_000 });
  });

  it.each([
    ['204', [{ status: 204 }, { status: 204 }], 'revoked'],
    ['a page', [{ text: '<html>' }, { text: '<html>' }], 'revoked'],
    [
      'an access token that cannot be revoked',
      [{}, { status: 400, json: { error: 'unsupported_token_type' } }],
      'partly-revoked',
    ],
    ['a refresh token that cannot be revoked', [{ status: 503 }, {}], 'failed'],
    ['an endpoint that is down (RF-22)', [offline, offline], 'failed'],
    ['a redirect', [{ status: 302 }, { status: 302 }], 'failed'],
  ] as [string, ScriptedResponse[], string][])(
    'reports the outcome for %s (RFC 7009 section 2.2)',
    async (_, answers, expected) => {
      expect((await revoke(answers)).outcome).toBe(expected);
    },
  );

  it('revokes only the access token if there is no refresh token', async () => {
    const { refreshToken: _, ...tokens } = tokenSet();
    expect((await revoke([{}], { tokens })).outcome).toBe('revoked');
    expect((await revoke([{ status: 500 }], { tokens })).outcome).toBe('failed');
  });

  it('sends nothing without a revocation endpoint', async () => {
    const { revocationEndpoint: _, ...tokens } = tokenSet();
    expect((await revoke([], { tokens })).outcome).toBe('not-offered');
  });

  it.each(['http://as.example/revoke', 'https://10.0.0.1/revoke', 'javascript:alert(1)'])(
    'sends no token to %s (MD-23)',
    async (revocationEndpoint) => {
      expect((await revoke([], { tokens: tokenSet({ revocationEndpoint }) })).outcome).toBe('failed');
    },
  );

  it('sends no credentials of another issuer (MCP 2026-07-28)', async () => {
    expect((await revoke([], { credentials: clientCredentials({ issuerKey: 'https://x.example' }) })).outcome).toBe(
      'failed',
    );
  });
});
