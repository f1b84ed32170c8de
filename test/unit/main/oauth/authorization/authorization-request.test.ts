import { describe, expect, it } from 'vitest';
import {
  codeChallenge,
  createAuthorizationRequest,
  needsFreshLogin,
} from '../../../../../main/oauth/authorization/authorization-request.ts';
import type { AuthorizationRequestOptions } from '../../../../../main/oauth/authorization/authorization-request.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import {
  clientCredentials,
  countingRandom,
  failureOf,
  formFields,
  issuer,
  redirectUri,
  start,
} from '../../../../support/oauth-fixtures.ts';

const metadata = {
  issuer,
  authorization_endpoint: asChecked('https://as.example/authorize'),
  token_endpoint: asChecked('https://as.example/token'),
  code_challenge_methods_supported: ['S256'],
};
const resource = 'HTTPS://MCP.example/mcp';
const discovery = { url: asChecked('https://mcp.example/mcp'), metadata, issuerKey: issuer, resource };

const create = (over: Partial<AuthorizationRequestOptions> = {}, random = countingRandom()) =>
  createAuthorizationRequest(random, createFakeClock(start), {
    discovery,
    credentials: clientCredentials(),
    redirectUri,
    scope: { scope: 'notes:read notes:write', offlineAccess: false, openid: false },
    pkce: 'when-listed',
    sendResource: true,
    ...over,
  });

const withEndpoint = (authorization_endpoint: string, more: Partial<typeof metadata> = {}) => ({
  ...discovery,
  metadata: { ...metadata, ...more, authorization_endpoint: asChecked(authorization_endpoint) },
});

const parametersOf = (url: string) => formFields(new URL(url).search.slice(1));

const scopeOf = (length: number) => ({ scope: 'x'.repeat(length), offlineAccess: false, openid: false });

describe('createAuthorizationRequest', () => {
  it('has exactly the parameters of spec 2.6 (RFC 6749 section 4.1.1)', () => {
    const request = create();
    expect(parametersOf(request.url)).toEqual({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: redirectUri,
      state: request.state,
      scope: 'notes:read notes:write',
      resource,
      code_challenge: request.codeVerifier && codeChallenge(request.codeVerifier),
      code_challenge_method: 'S256',
    });
  });

  it('records what the response and the token request are checked against (MCP 2026-07-28, RFC 9207)', () => {
    expect(create()).toMatchObject({
      clientId: 'client-1',
      redirectUri,
      issuerKey: issuer,
      expectedIss: issuer,
      issExpected: false,
      resource,
      scope: 'notes:read notes:write',
      tokenEndpoint: 'https://as.example/token',
      createdAt: { wall: start, monotonic: 1_000 },
    });
    const promising = { ...metadata, authorization_response_iss_parameter_supported: true };
    expect(create({ discovery: { ...discovery, metadata: promising } }).issExpected).toBe(true);
  });

  it('creates state and verifier from 256 random bits, never twice the same (spec 2.7)', () => {
    const random = countingRandom();
    const one = create({}, random);
    const other = create({}, random);
    for (const { state } of [one, other]) expect(state).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set([one.state, other.state, one.codeVerifier?.reveal(), other.codeVerifier?.reveal()]).size).toBe(4);
  });

  it('never exposes the verifier (spec 2.8)', () => {
    const request = create();
    expect(request.url).not.toContain(request.codeVerifier?.reveal());
    expect(JSON.stringify(request)).not.toContain(request.codeVerifier?.reveal());
  });

  it('omits PKCE if S256 is not listed, unless the policy is always (spec 5.1)', () => {
    const { code_challenge_methods_supported: _, ...unlisted } = metadata;
    const without = create({ discovery: { ...discovery, metadata: unlisted } });
    expect(without.codeVerifier).toBeUndefined();
    expect(parametersOf(without.url)).not.toHaveProperty('code_challenge');
    const always = create({ discovery: { ...discovery, metadata: unlisted }, pkce: 'always' });
    expect(parametersOf(always.url)).toHaveProperty('code_challenge_method', 'S256');
  });

  it('omits resource and scope if there are none, or if resource was refused (RFC 8707)', () => {
    const none = create({
      discovery: { url: discovery.url, metadata, issuerKey: issuer },
      scope: { offlineAccess: false, openid: false },
    });
    expect(parametersOf(none.url)).not.toHaveProperty('resource');
    expect(parametersOf(none.url)).not.toHaveProperty('scope');
    const off = create({ sendResource: false });
    expect(parametersOf(off.url)).not.toHaveProperty('resource');
    expect(off.resource).toBeUndefined();
  });

  it("keeps the endpoint's own query and never sends a parameter twice (RFC 6749 section 3.1)", () => {
    const request = create({
      discovery: withEndpoint('https://as.example/authorize?p=B2C%5F1+a&client_id=evil&sta%74e=fixed&empty'),
    });
    expect(request.url).toContain('?p=B2C%5F1+a&empty&response_type=code&');
    expect(parametersOf(request.url)).toMatchObject({ client_id: 'client-1', state: request.state });
  });

  it.each(['https://as.example/authorize', 'https://as.example/authorize?', 'https://as.example/authorize?&&'])(
    'starts the query of %s with a parameter, not with & (RFC 6749 section 3.1)',
    (endpoint) => {
      expect(create({ discovery: withEndpoint(endpoint) }).url).toMatch(
        /^https:\/\/as\.example\/authorize\?response_type=code&/,
      );
    },
  );

  it('encodes a space as %20', () => {
    expect(create().url).toContain('scope=notes%3Aread%20notes%3Awrite');
  });

  it.each([
    ['javascript:alert(1)', 'URL_SCHEME'],
    ['ms-settings:x', 'URL_SCHEME'],
    ['https://user:pw@as.example/authorize', 'URL_USERINFO'],
    ['https://as.example/authorize#x', 'URL_FRAGMENT'],
    ['https:/as.example/authorize', 'URL_INVALID'],
    [`https://as.example/${'a'.repeat(2_048)}`, 'URL_TOO_LONG'],
  ])('refuses the endpoint %s (MD-13)', async (endpoint, code) => {
    const error = await failureOf(() => create({ discovery: withEndpoint(endpoint) }));
    expect(error).toMatchObject({ code, stage: 'authorization' });
  });

  it('is at most 8 KiB long', async () => {
    const rest = create({ scope: scopeOf(0) }).url.length;
    expect(create({ scope: scopeOf(8_192 - rest) }).url.length).toBe(8_192);
    const error = await failureOf(() => create({ scope: scopeOf(8_193 - rest) }));
    expect(error.code).toBe('URL_TOO_LONG');
  });

  it('sends a nonce with openid (OpenID Connect Core 1.0 section 3.1.2.1)', () => {
    const request = create({ scope: { scope: 'openid', offlineAccess: false, openid: true } });
    expect(request.nonce).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(parametersOf(request.url)['nonce']).toBe(request.nonce);
    expect(create().nonce).toBeUndefined();
  });

  const offline = { scope: 'a offline_access', offlineAccess: true, openid: false };
  it.each([
    [{ scope: offline }, undefined, 'consent'],
    [{ freshLogin: true }, undefined, 'login'],
    [{ scope: offline, freshLogin: true }, undefined, 'login consent'],
    [{ scope: offline, freshLogin: true }, ['login', 'none'], 'login'],
    [{}, undefined, undefined],
  ])(
    'sends, for %j and the supported prompts %j, prompt %s (OpenID Connect Core 1.0 section 11)',
    (over, known, prompt) => {
      const request = create({
        discovery: withEndpoint(
          metadata.authorization_endpoint,
          known && ({ prompt_values_supported: known } as object),
        ),
        ...over,
      });
      expect(parametersOf(request.url)['prompt']).toBe(prompt);
    },
  );

  it.each([
    ['https://as.example/authorize', undefined, 'login'],
    ['https://as.example/authorize', ['login', 'select_account'], 'select_account'],
    ['https://as.example/authorize', ['login', 'consent'], 'login'],
    ['https://as.example/authorize', ['none'], undefined],
    ['https://login.microsoftonline.com/common/oauth2/v2.0/authorize', undefined, 'select_account'],
    ['https://accounts.google.com/o/oauth2/v2/auth', undefined, 'select_account consent'],
  ])('asks %s, which supports the prompts %j, for another account with %s', (endpoint, known, prompt) => {
    const published = withEndpoint(endpoint, known && ({ prompt_values_supported: known } as object));
    expect(parametersOf(create({ discovery: published, otherAccount: true }).url)['prompt']).toBe(prompt);
  });

  it('sends the expected account as login_hint (OpenID Connect Core 1.0 section 3.1.2.1)', () => {
    expect(parametersOf(create({ loginHint: 'ada@example.com' }).url)['login_hint']).toBe('ada@example.com');
    expect(parametersOf(create().url)).not.toHaveProperty('login_hint');
  });

  it('asks Google for offline access with access_type', () => {
    const request = create({ discovery: withEndpoint('https://accounts.google.com/o/oauth2/v2/auth') });
    expect(parametersOf(request.url)).toMatchObject({ access_type: 'offline', prompt: 'consent' });
    expect(parametersOf(create().url)).not.toHaveProperty('access_type');
  });

  it('refuses credentials of another issuer (MCP 2026-07-28, authorization server binding)', async () => {
    const credentials = clientCredentials({ issuerKey: 'https://old.example' });
    expect((await failureOf(() => create({ credentials }))).code).toBe('REG_ISSUER_MISMATCH');
  });
});

describe('needsFreshLogin', () => {
  it.each([
    ['https://acme.service.example/mcp', 'https://login.service.example/authorize', true],
    ['https://acme.mcp.service.example/mcp', 'https://service.example/authorize', true],
    ['https://acme.service.example/mcp', 'https://acme.service.example/authorize', false],
    ['https://acme.mcp.service.example/mcp', 'https://acme.auth.service.example/authorize', false],
    ['https://mcp.service.example/mcp', 'https://service.example/authorize', false],
    ['https://mcp.eu1.service.example/mcp', 'https://login.service.example/authorize', false],
    ['https://service.example/mcp', 'https://login.service.example/authorize', false],
  ])('for the tenant of %s at %s is %s (spec 5.8)', (url, endpoint, needed) => {
    const tenant = { ...withEndpoint(endpoint), url: asChecked(url) };
    expect(needsFreshLogin(tenant, { source: 'typed' })).toBe(needed);
    expect(needsFreshLogin(tenant, { source: 'registered' })).toBe(false);
  });

  it.each([
    ['typed', 'https://login.other.test/authorize', true],
    ['typed', 'https://auth.mcp.example/authorize', false],
    ['registered', 'https://login.other.test/authorize', false],
    ['metadata-document', 'https://login.other.test/authorize', false],
  ] as const)('with %s credentials at %s is %s (spec 5.8)', (source, endpoint, needed) => {
    expect(needsFreshLogin(withEndpoint(endpoint), { source })).toBe(needed);
    const request = create({ discovery: withEndpoint(endpoint), credentials: clientCredentials({ source }) });
    expect(parametersOf(request.url)['prompt']).toBe(needed ? 'login' : undefined);
  });
});
