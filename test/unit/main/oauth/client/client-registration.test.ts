import { inspect } from 'node:util';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest } from '../../../../../main/errors/request-error.ts';
import { registerClient } from '../../../../../main/oauth/client/client-registration.ts';
import type { NetworkFault } from '../../../../../shared/error-catalog/network-errors.ts';
import type { ErrorCode } from '../../../../../shared/error-codes.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { failureOf, issuer, policy, redirectUri, start } from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

const url = asChecked('https://as.example/register');
const inSeconds = (offset: number) => Math.floor(start / 1000) + offset;

type ScriptedResponse = Omit<ScriptedExchange, 'method' | 'url'>;

const prepare = (answers: readonly ScriptedResponse[], more: { scope?: string; methods?: string[] } = {}) => {
  const http = scriptedHttp(answers.map((response) => ({ method: 'POST', url, ...response })));
  const metadata = {
    issuer,
    registration_endpoint: url,
    ...(more.methods && { token_endpoint_auth_methods_supported: more.methods }),
  };
  const answerTo = () =>
    registerClient(
      { http, clock: createFakeClock(start) },
      { metadata, issuerKey: issuer, redirectUri, scope: more.scope, policy },
    );
  /** Throws the error of any other result. */
  const register = async () => {
    const result = await answerTo();
    if (result.kind === 'registered') return result.registration;
    throw result.error;
  };
  return { http, answerTo, register };
};

const registered = { client_id: 'c-1', client_secret: 's-1', token_endpoint_auth_method: 'client_secret_basic' };
const registerWith = (json: unknown, status = 201) => prepare([{ status, json }]).register();

describe('registerClient', () => {
  it('sends the request of spec 2.4 as a native application (RFC 7591 section 3.1)', async () => {
    const { http, register } = prepare([{ status: 201, json: registered }], { scope: 'a b' });
    await register();
    http.assertDone();
    const [request] = http.requests;
    expect(JSON.parse(request?.body ?? '')).toEqual({
      client_name: 'Postern MCP Client',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'a b',
    });
    expect(request).toMatchObject({
      purpose: 'registration',
      stage: 'registration',
      redirects: 'none',
      deadline: 10_000,
      bodyLimit: 65_536,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
    });
  });

  it.each([
    [undefined, 'client_secret_basic'],
    [['client_secret_post', 'client_secret_basic'], 'client_secret_basic'],
    [['client_secret_post', 'none'], 'client_secret_post'],
    [['none', 'client_secret_post'], 'none'],
    [['private_key_jwt', 'none'], 'none'],
    [['private_key_jwt'], 'private_key_jwt'],
    [[], 'client_secret_basic'],
  ])('requests, if %j is listed, %s (spec 5.3)', async (methods, requested) => {
    const { http, register } = prepare([{ status: 201, json: registered }], methods && { methods });
    await register();
    expect(JSON.parse(http.requests[0]?.body ?? '')).toHaveProperty('token_endpoint_auth_method', requested);
  });

  it.each([201, 403])('parses a %i response once', async (status) => {
    const { register } = prepare([{ status, json: { ...registered, error: status === 201 ? undefined : 'CANARY' } }]);
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => void vi.restoreAllMocks());
    await register().catch(() => undefined);
    expect(parse.mock.calls.filter(([text]) => text.includes('s-1') && text.includes('client_id'))).toHaveLength(1);
  });

  it('reads the response of spec 2.5 and binds it to its issuer (RFC 7591 section 3.2.1)', async () => {
    const registration = await registerWith({
      ...registered,
      client_id_issued_at: inSeconds(0),
      client_secret_expires_at: inSeconds(60),
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      registration_access_token: 'rat',
      registration_client_uri: 'https://as.example/register/c-1',
    });
    expect(registration).toMatchObject({
      credentials: {
        clientId: 'c-1',
        authentication: 'client_secret_basic',
        source: 'registered',
        issuerKey: issuer,
        redirectUri,
        secretExpiresAt: start + 60_000,
      },
      registrationClientUri: 'https://as.example/register/c-1',
      clientSecretExpiresAt: start + 60_000,
      notes: [],
    });
    expect(registration.credentials.clientSecret?.reveal()).toBe('s-1');
    expect(registration.registrationAccessToken?.reveal()).toBe('rat');
    expect(JSON.stringify(registration)).not.toMatch(/s-1|"rat"/);
  });

  it.each([
    ['status 200 (RG-02)', {}, 200, ['registration-status-not-201']],
    ['a string client_id_issued_at', { client_id_issued_at: '1760000000' }, 201, []],
    ['logo_uri null and another name (RG-10)', { logo_uri: null, client_name: 'Your Bank', contacts: 5 }, 201, []],
    ['no redirect_uris', { redirect_uris: null }, 201, []],
    ['no authentication method', { token_endpoint_auth_method: undefined }, 201, ['authentication-method-unspecified']],
    ['a secret for method none', { token_endpoint_auth_method: 'none' }, 201, ['secret-for-public-client']],
    ['client_secret_expires_at 0 (RG-06)', { client_secret_expires_at: 0 }, 201, []],
    ['client_secret_expires_at "0" (RG-06)', { client_secret_expires_at: '0' }, 201, []],
    ['the method as a list', { token_endpoint_auth_method: ['client_secret_basic'] }, 201, []],
    ['null as authentication method', { token_endpoint_auth_method: null }, 201, ['authentication-method-unspecified']],
    ['an empty authentication method', { token_endpoint_auth_method: '' }, 201, ['authentication-method-unspecified']],
    ['the redirect URI as a string', { redirect_uris: redirectUri }, 201, []],
    ['null beside the redirect URI', { redirect_uris: [null, redirectUri] }, 201, []],
    ['client_secret_expires_at null', { client_secret_expires_at: null }, 201, []],
    ['an expiry in hex (RG-06)', { client_secret_expires_at: '0x7fffffff' }, 201, []],
    ['text as an expiry (RG-06)', { client_secret_expires_at: 'soon' }, 201, []],
  ])('tolerates %s (RG-02, RG-10)', async (_, over, status, notes) => {
    const registration = await registerWith({ ...registered, ...over }, status);
    expect(registration.credentials.clientId).toBe('c-1');
    expect(registration.credentials.clientSecret?.reveal()).toBe('s-1');
    expect(registration.credentials).not.toHaveProperty('secretExpiresAt');
    expect(registration.notes).toEqual(notes);
  });

  it.each([1e10, 1e13, 1e300, '9'.repeat(400)])('caps an expiry of %.20s at a century', async (end) => {
    const { credentials } = await registerWith({ ...registered, client_secret_expires_at: end });
    expect(credentials.secretExpiresAt).toBe(start + 3_155_760_000_000);
  });

  it('ignores a string that is too long', async () => {
    const long = { client_secret: 's'.repeat(8_193), registration_access_token: 'r'.repeat(8_193), logo_uri: 'l' };
    const registration = await registerWith({ ...registered, ...long, token_endpoint_auth_method: 'none' });
    expect(registration.credentials).not.toHaveProperty('clientSecret');
    expect(registration).not.toHaveProperty('registrationAccessToken');
  });

  it('accepts strings of 8 KiB and an address of 2 KiB', async () => {
    const secret = 's'.repeat(8_192);
    const token = 'r'.repeat(8_192);
    const address = 'https://as.example/'.padEnd(2_048, 'a');
    const registration = await registerWith({
      ...registered,
      client_secret: secret,
      registration_access_token: token,
      registration_client_uri: address,
    });
    expect(registration.credentials.clientSecret?.reveal()).toBe(secret);
    expect(registration.registrationAccessToken?.reveal()).toBe(token);
    expect(registration.registrationClientUri).toBe(address);
  });

  it.each([
    ['a token that no header can carry', { registration_access_token: 'a b' }],
    ['an empty address', { registration_client_uri: '' }],
    ['an address over 2 KiB', { registration_client_uri: 'https://as.example/'.padEnd(2_049, 'a') }],
    ['a token without an address', { registration_client_uri: undefined }],
    ['an address without a token', { registration_access_token: undefined }],
  ])('cannot manage a registration with %s (RFC 7592 section 3)', async (_, over) => {
    const [name = ''] = Object.keys(over);
    const managed = { registration_access_token: 'rat', registration_client_uri: 'https://as.example/register/c-1' };
    const registration = await registerWith({ ...registered, ...managed, ...over });
    expect(registration).not.toHaveProperty(
      name === 'registration_access_token' ? 'registrationAccessToken' : 'registrationClientUri',
    );
    expect(registration).not.toHaveProperty('metadata');
    expect((await registerWith({ ...registered, ...managed })).metadata).toEqual({
      token_endpoint_auth_method: 'client_secret_basic',
    });
  });

  it('reports an ambiguous response as such', async () => {
    const text = '{"client_id":"c-1","client_id":"c-2"}';
    const { register } = prepare([{ status: 201, headers: { 'content-type': 'application/json' }, text }]);
    expect((await failureOf(register)).code).toBe('JSON_DUPLICATE_KEY');
  });

  it('accepts numbers as strings, and a date string as a number', async () => {
    const seconds = inSeconds(60);
    const numbers = { client_id: 12, client_secret: 34, client_secret_expires_at: String(seconds) };
    const { credentials } = await registerWith({ ...registered, ...numbers });
    expect(credentials).toMatchObject({ clientId: '12', secretExpiresAt: seconds * 1_000 });
    expect(credentials.clientSecret?.reveal()).toBe('34');
  });

  it.each([[undefined], [null], ['']])('treats the secret %j as absent: a public client', async (secret) => {
    const { credentials } = await registerWith({
      client_id: 'c-1',
      client_secret: secret,
      token_endpoint_auth_method: 'none',
    });
    expect(credentials).toEqual({
      clientId: 'c-1',
      authentication: 'none',
      source: 'registered',
      issuerKey: issuer,
      redirectUri,
    });
  });

  it.each([
    ['no client_id', { client_id: undefined }],
    ['an empty client_id', { client_id: '' }],
    ['a fractional client_id', { client_id: 7.5 }],
    ['a client_id over 4 KiB (RG-04)', { client_id: 'x'.repeat(4_097) }],
    ['a client_id with control characters (RG-04)', { client_id: 'a\u0007b' }],
    ['Basic without a secret (RG-05)', { client_secret: undefined }],
    ['Basic with an empty secret (RG-05)', { client_secret: '' }],
    ['post without a secret', { client_secret: null, token_endpoint_auth_method: 'client_secret_post' }],
    ['a method that Postern does not know', { token_endpoint_auth_method: 'by_post' }],
    ['several methods', { token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post'] }],
    ['a method of one letter', { token_endpoint_auth_method: 'n' }],
    ['a method that is not a string', { token_endpoint_auth_method: [{ toString: false }] }],
    ['Basic with a secret over 8 KiB', { client_secret: 's'.repeat(8_193) }],
    ['a secret with control characters', { client_secret: 'a\nb' }],
    ['an object as secret', { client_secret: {} }],
    ['redirect_uris of a wrong type', { redirect_uris: { uri: redirectUri } }],
  ])('refuses %s (RFC 7591 section 3.2.1, RG-04, RG-05)', async (_, over) => {
    const error = await failureOf(() => registerWith({ ...registered, ...over }));
    expect(error).toMatchObject({ code: 'DCR_RESPONSE_INVALID', stage: 'registration' });
  });

  it('accepts a client_id of 4 KiB', async () => {
    const clientId = 'x'.repeat(4_096);
    expect((await registerWith({ ...registered, client_id: clientId })).credentials.clientId).toBe(clientId);
  });

  it.each([
    [{ headers: { 'content-type': 'text/html' }, text: '<h1>Welcome</h1>' }],
    [{ headers: { 'content-type': 'application/json' }, text: '' }],
    [{ headers: { 'content-type': 'application/json' }, text: '[]' }],
    [{ headers: { 'content-type': 'application/json' }, text: 'null' }],
    [{ status: 204 }],
  ])('refuses %j (RG-03)', async (response) => {
    const { register } = prepare([{ status: 201, ...response }]);
    expect((await failureOf(register)).code).toBe('DCR_RESPONSE_INVALID');
  });

  it.each([[[]], [['http://127.0.0.1:9/other']], [[redirectUri, 'https://evil.example/cb']], [[`${redirectUri}/`]]])(
    'refuses the redirect URIs %j in the response',
    async (redirectUris) => {
      const error = await failureOf(() => registerWith({ ...registered, redirect_uris: redirectUris }));
      expect(error.code).toBe('DCR_REDIRECT_CHANGED');
    },
  );

  it.each([[inSeconds(-1)], [inSeconds(0)], [1], [-5]])('refuses a secret that expired at %i (RG-06)', async (end) => {
    const error = await failureOf(() => registerWith({ ...registered, client_secret_expires_at: end }));
    expect(error.code).toBe('DCR_SECRET_EXPIRED');
  });

  const every = [
    'application_type',
    'client_name',
    'grant_types',
    'redirect_uris',
    'response_types',
    'scope',
    'token_endpoint_auth_method',
  ];
  const five = every.filter((name) => name !== 'application_type' && name !== 'response_types');
  const withoutScope = (names: string[]) => names.filter((name) => name !== 'scope');

  it.each([
    [400, 'invalid_client_metadata', [every, five, withoutScope(every), withoutScope(five)]],
    [400, 'invalid_request', [every, five, withoutScope(every), withoutScope(five)]],
    [422, undefined, [every, five, withoutScope(every), withoutScope(five)]],
    [400, 'invalid_scope', [every, withoutScope(every), withoutScope(five)]],
    [400, 'invalid_redirect_uri', [every, five]],
    [500, 'server_error', [every, withoutScope(every)]],
    [500, undefined, [every]],
    [503, 'server_error', [every]],
    [401, 'invalid_client_metadata', [every]],
    [403, 'access_denied', [every]],
  ])(
    'gives up after these retries if every response is %i %s (RFC 7591 section 3.2.2)',
    async (status, error, list) => {
      const { http, register } = prepare(
        list.map(() => ({ status, json: { error } })),
        { scope: 'a' },
      );
      expect(['DCR_REJECTED', 'REG_UNAVAILABLE']).toContain((await failureOf(register)).code);
      http.assertDone();
      const members = http.requests.map(({ body }) => Object.keys(JSON.parse(body ?? '')).toSorted());
      expect(members).toEqual(list);
    },
  );

  it.each([
    [1, ['registered-with-five-members']],
    [2, ['registered-without-scope']],
    [3, ['registered-without-scope', 'registered-with-five-members']],
  ])('stops at the first accepted request, and notes what it omitted: %i', async (refusals, notes) => {
    const refused = Array.from({ length: refusals }, () => ({
      status: 400,
      json: { error: 'invalid_client_metadata' },
    }));
    const { http, register } = prepare([...refused, { status: 201, json: registered }], { scope: 'a' });
    expect((await register()).notes).toEqual(notes);
    http.assertDone();
  });

  it.each([
    ['an unusable response', { status: 201, json: {} }, 'DCR_RESPONSE_INVALID'],
    [
      'a client with another redirect URI',
      { status: 201, json: { ...registered, redirect_uris: [] } },
      'DCR_REDIRECT_CHANGED',
    ],
    ['a time-out', { error: new PosternError('DEADLINE', { stage: 'registration' }) }, 'DEADLINE'],
    ['a bad gateway', { status: 502, json: { error: 'server_error' } }, 'REG_UNAVAILABLE'],
    ['a temporary error', { status: 400, json: { error: 'temporarily_unavailable' } }, 'REG_UNAVAILABLE'],
    ['too many requests', { status: 403, json: { error: 'rate_limited' } }, 'REG_UNAVAILABLE'],
    ['a Retry-After', { status: 403, headers: { 'retry-after': '9' } }, 'REG_UNAVAILABLE'],
  ])('sends nothing after %s: the service may have registered the client (RG-08)', async (_, response, code) => {
    const refusal = { status: 400, json: { error: 'invalid_client_metadata' } };
    for (const before of [[], [refusal]]) {
      const { http, register } = prepare([...before, response], { scope: 'a' });
      expect((await failureOf(register)).code).toBe(code);
      http.assertDone();
    }
  });

  it.each([
    [405, { error: 'invalid_redirect_uri', error_description: 'EVIL' }, 'invalid_redirect_uri'],
    [401, { error: 'Paste your token' }, 'unknown'],
    [403, {}, 'unknown'],
    [404, {}, 'unknown'],
    [201, { error: 'invalid_client_metadata' }, 'invalid_client_metadata'],
  ])('reads %i as a refusal, in our own words (RFC 7591 section 3.2.2)', async (status, json, name) => {
    const { http, register } = prepare([{ status, json }]);
    const error = await failureOf(register);
    expect(error).toMatchObject({ code: 'DCR_REJECTED', detail: { error: name, status } });
    expect(inspect(error)).not.toMatch(/EVIL|Paste/);
    http.assertDone();
  });

  it.each([
    [429, '7', 7],
    [503, undefined, 30],
    [500, undefined, 30],
  ])('does not retry after %i, which could leave an orphan (RG-08)', async (status, header, retryAfter) => {
    const { http, answerTo } = prepare([{ status, headers: header ? { 'retry-after': header } : {} }], { scope: 'a' });
    const result = await answerTo();
    expect(result).toMatchObject({
      kind: 'passing',
      error: { code: 'REG_UNAVAILABLE', detail: { status } },
      first: { kind: 'wait', values: { seconds: retryAfter } },
      until: start + retryAfter * 1_000,
    });
    http.assertDone();
  });

  it.each(['DEADLINE', 'CONNECT_FAIL', 'REDIRECT_REFUSED', 'BODY_TOO_LARGE'] as const)(
    'rethrows %s (RG-08)',
    async (code) => {
      const { http, register } = prepare([{ error: new PosternError(code, { stage: 'registration' }) }], {
        scope: 'a',
      });
      expect((await failureOf(register)).code).toBe(code);
      http.assertDone();
    },
  );

  it('fetches no address from the response (RG-09)', async () => {
    const { http, register } = prepare([
      {
        status: 201,
        json: { ...registered, registration_client_uri: 'http://169.254.169.254/', logo_uri: 'http://10.0.0.1/' },
      },
    ]);
    await register();
    http.assertDone();
    expect(http.requests).toHaveLength(1);
  });

  it('reports a server without the endpoint as unsupported', async () => {
    const http = scriptedHttp([]);
    const request = { metadata: { issuer }, issuerKey: issuer, redirectUri, policy };
    const result = await registerClient({ http, clock: createFakeClock(start) }, request);
    expect(result).toMatchObject({ kind: 'refused', error: { code: 'DCR_UNSUPPORTED' } });
  });

  const failing = (code: ErrorCode, fault?: NetworkFault) => ({
    error: new LostRequest(code, { stage: 'registration', fault, at: code === 'PROXY_FAIL' ? 'proxy' : 'https' }),
  });

  it.each([
    ['a server error', { status: 503 }, 'passing'],
    ['a service that cannot register', { status: 501 }, 'refused'],
    ['too many requests', { status: 429 }, 'passing'],
    ['a refusal', { status: 403 }, 'refused'],
    ['an expired secret', { json: { ...registered, client_secret_expires_at: 1 } }, 'passing'],
    ['an unusable response', { status: 201, json: {} }, 'refused'],
    ['a time-out', failing('DEADLINE'), 'passing'],
    ['an unknown host', failing('DNS_FAIL', 'name-not-found'), 'passing'],
    ['a broken connection', failing('CONNECT_FAIL', 'closed'), 'passing'],
    ['another protocol', failing('CONNECT_FAIL', 'not-http'), 'refused'],
    ['a port that speaks TLS', failing('CONNECT_FAIL', 'tls-spoken'), 'refused'],
    ['a certificate', failing('TLS_FAIL', 'certificate-expired'), 'refused'],
    ['a proxy', failing('PROXY_FAIL', 'not-http'), 'passing'],
  ] as const)('reports after %s whether a retry may help', async (_, response, kind) => {
    expect((await prepare([response]).answerTo()).kind).toBe(kind);
  });

  it.each([
    ['a user who cancels', { error: new PosternError('USER_CANCELLED', { stage: 'registration' }) }],
    [
      'a client with requirements that Postern cannot meet',
      { json: { ...registered, require_signed_request_object: true } },
    ],
  ])('is ended by %s', async (_, response) => {
    await expect(prepare([response]).answerTo()).rejects.toBeInstanceOf(PosternError);
  });

  property.prop([
    fc.record(
      {
        client_id: fc.jsonValue(),
        client_secret: fc.jsonValue(),
        redirect_uris: fc.jsonValue(),
        client_secret_expires_at: fc.jsonValue(),
        token_endpoint_auth_method: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  ])('returns a registration or a typed error for any response (PB-03)', async (json) => {
    const result = await registerWith(json).catch((error: unknown) => error);
    const { client_id: id } = json;
    if (result instanceof PosternError) expect(result.stage).toBe('registration');
    else expect(result).toHaveProperty('credentials.clientId', typeof id === 'number' ? String(id) : id);
  });
});
