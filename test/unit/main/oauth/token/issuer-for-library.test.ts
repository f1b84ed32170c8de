import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';

// The library itself, watched: what it is told of the issuer is neither sent nor answered. Test files share their
// modules, so it is watched in copies that this file alone sees.
vi.resetModules();
vi.doMock('oauth4webapi', { spy: true });
const library = await import('oauth4webapi');
const { refreshTokens } = await import('../../../../../main/oauth/token/refresh.ts');
const { revokeTokens } = await import('../../../../../main/oauth/token/revocation.ts');
const { exchangeAuthorizationCode } = await import('../../../../../main/oauth/token/token-request.ts');
const { authorizationCode, authorizationRequest, clientCredentials, issuer, policy, start, tokenEndpoint, tokenSet } =
  await import('../../../../support/oauth-fixtures.ts');
afterAll(() => {
  vi.doUnmock('oauth4webapi');
  vi.resetModules();
});

const json = { access_token: 'at', token_type: 'Bearer', refresh_token: 'rt' };
const answering = (url: string, times: number) =>
  scriptedHttp(Array.from({ length: times }, () => ({ method: 'POST', url, json })));

/** Under the sub-domain exception the key is two issuers; with typed endpoints it is no issuer. */
const issuerKey = `${issuer}#https://asked.as.example`;
const credentials = clientCredentials({ issuerKey, authentication: 'client_secret_post' });
const clock = createFakeClock(start);

describe('the issuer that the library is told', () => {
  beforeEach(() => {
    vi.clearAllMocks();
  });

  it('is that of the metadata in the exchange of a code, also for a typed token endpoint', async () => {
    for (const key of [issuerKey, tokenEndpoint]) {
      const request = authorizationRequest({ issuerKey: key });
      const exchange = { request, code: authorizationCode(request), metadata: {}, sendResource: true, policy };
      const answer = await exchangeAuthorizationCode(
        { http: answering(tokenEndpoint, 1), clock },
        { ...exchange, credentials: { ...credentials, issuerKey: key } },
      );
      expect(answer).toMatchObject({ kind: 'tokens', tokens: { issuerKey: key } });
      expect(vi.mocked(library.authorizationCodeGrantRequest).mock.lastCall?.[0]).toMatchObject({ issuer });
      expect(vi.mocked(library.processAuthorizationCodeResponse).mock.lastCall?.[0]).toEqual({ issuer });
    }
  });

  it('is the published one in a refresh', async () => {
    const ports = { http: answering(tokenEndpoint, 1), clock };
    const answer = await refreshTokens(ports, {
      tokens: tokenSet({ issuerKey }),
      credentials,
      sendResource: true,
      policy,
    });
    expect(answer).toMatchObject({ kind: 'renewed', tokens: { issuerKey } });
    expect(vi.mocked(library.refreshTokenGrantRequest).mock.lastCall?.[0]).toMatchObject({ issuer });
    expect(vi.mocked(library.processRefreshTokenResponse).mock.lastCall?.[0]).toEqual({ issuer });
  });

  it('is the published one in a revocation', async () => {
    const http = answering(`${issuer}/revoke`, 2);
    expect(await revokeTokens(http, { tokens: tokenSet({ issuerKey }), credentials, policy })).toBe('revoked');
    expect(vi.mocked(library.revocationRequest).mock.calls.map(([told]) => told.issuer)).toEqual([issuer, issuer]);
  });
});
