import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';

// Spies on the library: the issuer that it receives is neither sent nor returned. Test files share their modules,
// so only this file sees the spied copies.
vi.resetModules();
vi.doMock('oauth4webapi', { spy: true });
const library = await import('oauth4webapi');
const { refreshTokens } = await import('../../../../../main/oauth/token/refresh.ts');
const { revokeTokens } = await import('../../../../../main/oauth/token/revocation.ts');
const { exchangeAuthorizationCode } = await import('../../../../../main/oauth/token/code-exchange.ts');
const { authorizationCode, authorizationRequest, clientCredentials, issuer, policy, start, tokenEndpoint, tokenSet } =
  await import('../../../../support/oauth-fixtures.ts');
afterAll(() => {
  vi.doUnmock('oauth4webapi');
  vi.resetModules();
});

const json = { access_token: 'at', token_type: 'Bearer', refresh_token: 'rt' };
const respondingHttp = (url: string, times: number) =>
  scriptedHttp(Array.from({ length: times }, () => ({ method: 'POST', url, json })));

/** With the sub-domain exception the key holds two issuers; with typed endpoints it is not an issuer. */
const issuerKey = `${issuer}#https://asked.as.example`;
const credentials = clientCredentials({ issuerKey, authentication: 'client_secret_post' });
const clock = createFakeClock(start);

describe('the issuer passed to the library', () => {
  beforeEach(() => {
    vi.clearAllMocks();
  });

  it('is the one from the metadata in a code exchange, even with a typed token endpoint', async () => {
    for (const key of [issuerKey, tokenEndpoint]) {
      const request = authorizationRequest({ issuerKey: key });
      const exchange = { request, code: authorizationCode(request), metadata: {}, sendResource: true, policy };
      const result = await exchangeAuthorizationCode(
        { http: respondingHttp(tokenEndpoint, 1), clock },
        { ...exchange, credentials: { ...credentials, issuerKey: key } },
      );
      expect(result).toMatchObject({ kind: 'tokens', tokens: { issuerKey: key } });
      expect(vi.mocked(library.authorizationCodeGrantRequest).mock.lastCall?.[0]).toMatchObject({ issuer });
      expect(vi.mocked(library.processAuthorizationCodeResponse).mock.lastCall?.[0]).toEqual({ issuer });
    }
  });

  it('is the published one in a refresh', async () => {
    const ports = { http: respondingHttp(tokenEndpoint, 1), clock };
    const result = await refreshTokens(ports, {
      tokens: tokenSet({ issuerKey }),
      credentials,
      sendResource: true,
      policy,
    });
    expect(result).toMatchObject({ kind: 'renewed', tokens: { issuerKey } });
    expect(vi.mocked(library.refreshTokenGrantRequest).mock.lastCall?.[0]).toMatchObject({ issuer });
    expect(vi.mocked(library.processRefreshTokenResponse).mock.lastCall?.[0]).toEqual({ issuer });
  });

  it('is the published one in a revocation', async () => {
    const http = respondingHttp(`${issuer}/revoke`, 2);
    expect(await revokeTokens(http, { tokens: tokenSet({ issuerKey }), credentials, policy })).toBe('revoked');
    expect(vi.mocked(library.revocationRequest).mock.calls.map(([server]) => server.issuer)).toEqual([issuer, issuer]);
  });
});
