import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from '../../../../../main/address/check-address.ts';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import { exchangeAuthorizationCode } from '../../../../../main/oauth/token/code-exchange.ts';
import type { CodeExchangeResult, CodeExchange } from '../../../../../main/oauth/token/code-exchange.ts';
import { Secret } from '../../../../../main/secret.ts';
import { asChecked } from '../../../../support/as-checked.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import {
  authorizationCode,
  authorizationRequest,
  basicPair,
  clientCredentials,
  failureOf,
  formFields,
  issuer,
  policy,
  publicClient,
  redirectUri,
  start,
  tokenEndpoint,
} from '../../../../support/oauth-fixtures.ts';
import { scriptedHttp } from '../../../../support/scripted-http.ts';
import type { ScriptedExchange } from '../../../../support/scripted-http.ts';

type ScriptedResponse = Omit<ScriptedExchange, 'method' | 'url'>;

const granted: ScriptedResponse = {
  json: { access_token: 'at', token_type: 'Bearer', expires_in: 60, refresh_token: 'rt', scope: 'a' },
};
const refused: ScriptedResponse = {
  status: 401,
  headers: { 'www-authenticate': 'Basic' },
  json: { error: 'invalid_client' },
};
const unread: ScriptedResponse = { status: 400, json: { error: 'invalid_request' } };
const used: ScriptedResponse = { status: 400, json: { error: 'invalid_grant' } };

const prepare = (answers: readonly ScriptedResponse[], over: Partial<CodeExchange> = {}) => {
  const http = scriptedHttp(answers.map((response) => ({ method: 'POST', url: tokenEndpoint, ...response })));
  const request = over.request ?? authorizationRequest();
  const answerTo = () =>
    exchangeAuthorizationCode(
      { http, clock: createFakeClock(start) },
      {
        request,
        code: authorizationCode(request),
        credentials: clientCredentials({ authentication: 'client_secret_post' }),
        metadata: {},
        sendResource: true,
        policy,
        ...over,
      },
    );
  /** Throws the error of any other result. */
  const exchange = async () => {
    const result = await answerTo();
    if (result.kind === 'tokens') return result;
    throw result.error;
  };
  const sent = () =>
    http.requests.map(({ body, headers }) => ({ fields: formFields(body), basic: basicPair(headers) }));
  return { http, exchange, answerTo, sent };
};

const wayOf = (result: CodeExchangeResult) =>
  result.kind === 'code-lost' ? result.credentials.authentication : undefined;

describe('exchangeAuthorizationCode', () => {
  it('sends the form of spec 4.4 with the resource of the request (RFC 6749 section 4.1.3, RFC 8707 section 2.2)', async () => {
    const { http, exchange, sent } = prepare([granted]);
    await exchange();
    http.assertDone();
    expect(sent()).toEqual([
      {
        fields: {
          grant_type: 'authorization_code',
          code: 'code-1',
          redirect_uri: redirectUri,
          client_id: 'client-1',
          client_secret: 'secret-1',
          code_verifier: 'v'.repeat(43),
          resource: 'https://mcp.example/mcp',
        },
        basic: undefined,
      },
    ]);
    expect(http.requests[0]).toMatchObject({
      purpose: 'token',
      stage: 'token',
      redirects: 'none',
      deadline: 30_000,
      bodyLimit: 65_536,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    });
  });

  it('omits what the authorization request omitted', async () => {
    const { codeVerifier: _verifier, resource: _resource, ...request } = authorizationRequest();
    const { exchange, sent } = prepare([granted], { request, credentials: publicClient() });
    await exchange();
    expect(sent()[0]?.fields).toEqual({
      grant_type: 'authorization_code',
      code: 'code-1',
      redirect_uri: redirectUri,
      client_id: 'client-1',
    });
  });

  it('omits a resource that the server refuses', async () => {
    const { exchange, sent } = prepare([granted], { sendResource: false });
    await exchange();
    expect(sent()[0]?.fields).not.toHaveProperty('resource');
  });

  it('binds the tokens to their issuer and endpoints', async () => {
    const metadata = { revocation_endpoint: asChecked('https://as.example/revoke') };
    const { tokens, credentials } = await prepare([granted], { metadata }).exchange();
    expect(tokens).toMatchObject({
      scope: 'a',
      expiresAt: start + 60_000,
      receivedAt: { wall: start, monotonic: 1_000 },
      issuerKey: issuer,
      resource: 'https://mcp.example/mcp',
      tokenEndpoint,
      revocationEndpoint: 'https://as.example/revoke',
      notes: [],
    });
    expect(tokens.accessToken.reveal()).toBe('at');
    expect(tokens.refreshToken?.reveal()).toBe('rt');
    expect(credentials.authentication).toBe('client_secret_post');
  });

  it('leaves an unknown lifetime and a missing refresh token undefined (TK-04)', async () => {
    const { tokens } = await prepare([{ json: { access_token: 'at', token_type: 'bearer' } }]).exchange();
    expect(tokens).not.toHaveProperty('expiresAt');
    expect(tokens).not.toHaveProperty('refreshToken');
    expect(tokens).not.toHaveProperty('scope');
  });

  it('uses Basic if the registration says so (RFC 6749 section 2.3.1)', async () => {
    const credentials = clientCredentials({ authentication: 'client_secret_basic' });
    const { exchange, sent } = prepare([granted], { credentials });
    await exchange();
    expect(sent()[0]?.basic).toBe('client-1:secret-1');
    expect(sent()[0]?.fields).not.toHaveProperty('client_secret');
    expect(sent()[0]?.fields).not.toHaveProperty('client_id');
  });

  it.each([
    ['invalid_client', 401],
    ['unauthorized_client', 400],
  ])('tries the other method once after %s, and remembers what worked (TK-09)', async (error, status) => {
    const { http, exchange, sent } = prepare([{ status, json: { error } }, granted]);
    const { credentials } = await exchange();
    http.assertDone();
    expect(sent().map(({ basic }) => basic)).toEqual([undefined, 'client-1:secret-1']);
    expect(sent()[1]?.fields).not.toHaveProperty('client_secret');
    expect(credentials).toMatchObject({
      authentication: 'client_secret_basic',
      clientId: 'client-1',
      issuerKey: issuer,
    });
    expect(credentials).not.toHaveProperty('rawBasic');
  });

  it('tries raw Basic if encoding makes a difference, and remembers it', async () => {
    const clientSecret = new Secret('a+b/c=');
    const credentials = clientCredentials({ authentication: 'client_secret_basic', clientSecret });
    const { http, exchange, sent } = prepare([refused, granted], { credentials });
    const learned = (await exchange()).credentials;
    http.assertDone();
    expect(sent().map(({ basic }) => basic)).toEqual(['client-1:a%2Bb%2Fc%3D', 'client-1:a+b/c=']);
    expect(learned).toMatchObject({ authentication: 'client_secret_basic', rawBasic: true });
  });

  it('forgets raw Basic after another method worked', async () => {
    const credentials = clientCredentials({ authentication: 'client_secret_basic', rawBasic: true });
    const { credentials: learned } = await prepare([refused, granted], { credentials }).exchange();
    expect(learned.authentication).toBe('client_secret_post');
    expect(learned).not.toHaveProperty('rawBasic');
  });

  it('gives up after every method was refused once', async () => {
    const { http, exchange } = prepare([refused, refused]);
    expect(await failureOf(exchange)).toMatchObject({ code: 'TOKEN_ERROR', detail: { error: 'invalid_client' } });
    http.assertDone();
  });

  it('retries once with form fields if a server ignores the Basic header', async () => {
    const credentials = clientCredentials({ authentication: 'client_secret_basic', clientId: 'client+1' });
    const request = authorizationRequest({ clientId: 'client+1' });
    const { http, exchange, sent } = prepare([unread, granted], { credentials, request });
    const { credentials: learned } = await exchange();
    http.assertDone();
    expect(sent().map(({ basic, fields }) => [basic, fields['client_secret']])).toEqual([
      ['client%2B1:secret-1', undefined],
      [undefined, 'secret-1'],
    ]);
    expect(learned.authentication).toBe('client_secret_post');
  });

  it('reports the first refusal if the form fields are refused, too', async () => {
    const credentials = clientCredentials({ authentication: 'client_secret_basic' });
    const { http, exchange } = prepare([unread, refused], { credentials, sendResource: false });
    expect(await failureOf(exchange)).toMatchObject({ code: 'TOKEN_ERROR', detail: { error: 'invalid_request' } });
    http.assertDone();
  });

  it.each<[string, ScriptedResponse]>([
    ['invalid_request', unread],
    ['422 with a list of missing fields', { status: 422, json: { detail: [{ loc: ['body', 'client_id'] }] } }],
    ['400 with a proprietary body', { status: 400, json: { message: 'client_id missing' } }],
    ['400 without a body', { status: 400 }],
    ['401 without a body', { status: 401 }],
    ['401 with an HTML page', { status: 401, headers: { 'content-type': 'text/html' }, text: '<html>' }],
    ['403', { status: 403, json: { message: 'Forbidden' } }],
    ['an error with status 200', { json: { error: 'invalid_request' } }],
    ['invalid_request with status 500', { status: 500, json: { error: 'invalid_request' } }],
    ['an invalid code', used],
    ['invalid_grant with status 200 (TK-16)', { json: { error: 'invalid_grant' } }],
    ['a server error (TK-11)', { status: 500, text: 'canary' }],
    ['a closed connection (TK-12)', { error: new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' }) }],
    ['a truncated response', { error: new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'cut-off' }) }],
  ])('retries once with the other method after %s, and stores and notes it', async (_, refusal) => {
    const ways = ['client_secret_basic', 'client_secret_post'] as const;
    for (const [authentication, other] of [ways, ways.toReversed()] as [(typeof ways)[number], string][]) {
      const { http, exchange } = prepare([refusal, granted], { credentials: clientCredentials({ authentication }) });
      const { tokens, credentials } = await exchange();
      http.assertDone();
      expect(credentials.authentication).toBe(other);
      expect(tokens.notes).toEqual(['other-client-authentication']);
    }
  });

  it('notes nothing if the registered method works', async () => {
    expect((await prepare([granted]).exchange()).tokens.notes).toEqual([]);
  });

  it.each<[string, ScriptedResponse, ScriptedResponse]>([
    ['422', { status: 422 }, { status: 422 }],
    ['invalid_request', unread, unread],
    ['a server error', { status: 500 }, { status: 500 }],
    ['invalid_request and then invalid_client', unread, refused],
  ])(
    'never sends the code a third time after %s, whatever the ID and the secret look like',
    async (_, first, second) => {
      const clientSecret = new Secret('a+b/c=');
      const credentials = clientCredentials({ authentication: 'client_secret_basic', clientSecret });
      const { http, exchange } = prepare([first, second], { credentials, sendResource: false });
      expect((await failureOf(exchange)).code).toMatch(/^TOKEN_(?:SERVER_)?ERROR$/);
      http.assertDone();
    },
  );

  it.each([
    ['a public client', publicClient(), [unread, granted]],
    ['a client with a secret', clientCredentials({ authentication: 'client_secret_basic' }), [unread, unread, granted]],
  ] as const)('retries once without resource if it is refused, and notes it: %s', async (_, client, answers) => {
    const { http, exchange, sent } = prepare(answers, { credentials: client });
    const { tokens } = await exchange();
    http.assertDone();
    expect(tokens.notes).toEqual(['resource-refused']);
    expect(sent().map(({ fields }) => fields['resource'] !== undefined)).toEqual(
      answers.map((each) => each !== granted),
    );
  });

  it.each([
    ['the same refusal', unread],
    ['an invalid code', used],
    ['an outage', { status: 503 }],
  ])('reports the first refusal if the response without resource is %s, and stops', async (_, last) => {
    const { http, answerTo, sent } = prepare([unread, last], { credentials: publicClient() });
    expect(await answerTo()).toMatchObject({ kind: 'exchange-refused', name: 'invalid_request' });
    http.assertDone();
    expect(sent().at(-1)?.fields).not.toHaveProperty('resource');
  });

  it.each<[string, ScriptedResponse, string]>([
    ['a refused client', refused, 'client_secret_basic'],
    ['422', { status: 422 }, 'client_secret_basic'],
    ['an unread form', unread, 'client_secret_basic'],
    ['a server error', { status: 500 }, 'client_secret_basic'],
    ['an invalid code', used, 'client_secret_basic'],
  ])('keeps the accepted method after %s if the code is used up', async (_, refusal, method) => {
    const { http, answerTo } = prepare([refusal, used]);
    expect(wayOf(await answerTo())).toBe(method);
    http.assertDone();
  });

  it.each<[ScriptedResponse, ScriptedResponse, string]>([
    [{ status: 422 }, refused, 'invalid_client'],
    [refused, { status: 422 }, 'invalid_client'],
    [unread, refused, 'invalid_request'],
    [refused, unread, 'invalid_request'],
    [refused, { status: 400, json: { error: 'invalid_target' } }, 'invalid_target'],
    [{ status: 500 }, { status: 400, json: { error: 'invalid_target' } }, 'invalid_target'],
    [used, refused, 'invalid_grant'],
    [used, { status: 500 }, 'invalid_grant'],
  ])('reports the more specific refusal: %j, then %j', async (first, second, error) => {
    const { http, exchange } = prepare([first, second], { sendResource: false });
    expect(await failureOf(exchange)).toMatchObject({ code: 'TOKEN_ERROR', detail: { error } });
    http.assertDone();
  });

  it('tries no other method without a secret', async () => {
    const { http, exchange } = prepare([refused], { credentials: publicClient() });
    expect((await failureOf(exchange)).code).toBe('TOKEN_ERROR');
    http.assertDone();
  });

  it('tries nothing else with a reused registration, which the server has forgotten (TK-09)', async () => {
    const { http, exchange } = prepare([refused], { reused: true });
    expect(await failureOf(exchange)).toMatchObject({ code: 'CLIENT_REJECTED', stage: 'token' });
    http.assertDone();
  });

  it('returns the accepted method if the first attempt used up the code', async () => {
    const { http, answerTo } = prepare([refused, used]);
    const result = await answerTo();
    http.assertDone();
    expect(result).toMatchObject({
      kind: 'code-lost',
      credentials: { authentication: 'client_secret_basic' },
      error: { code: 'TOKEN_ERROR', detail: { error: 'invalid_grant' } },
    });
    expect(result.kind === 'code-lost' && result.credentials.clientSecret?.reveal()).toBe('secret-1');
  });

  it.each<[string, ScriptedResponse, string]>([
    ['a server error', { status: 500 }, 'TOKEN_SERVER_ERROR'],
    [
      'a closed connection',
      { error: new LostRequest('CONNECT_FAIL', { stage: 'token', fault: 'closed' }) },
      'CONNECT_FAIL',
    ],
  ])('reports %s if the other method is refused because of the client', async (_, failure, code) => {
    const { http, exchange } = prepare([failure, refused]);
    expect((await failureOf(exchange)).code).toBe(code);
    http.assertDone();
  });

  it('tries no other method after a failed exchange once a method is settled (spec 5.3)', async () => {
    for (const response of [used, { status: 500 }]) {
      const credentials = clientCredentials({ authentication: 'client_secret_basic', settled: true });
      const { http, exchange } = prepare([response], { credentials });
      await failureOf(exchange);
      http.assertDone();
    }
    expect((await prepare([granted]).exchange()).credentials.settled).toBe(true);
  });

  it.each([
    ['an unknown error code', { status: 400, json: { error: '<script>' } }, 'TOKEN_ERROR'],
    ['an unknown error code with status 200', { json: { ok: false, error: 'bad' } }, 'TOKEN_ERROR'],
    ['a refused resource', { status: 400, json: { error: 'invalid_target' } }, 'TOKEN_ERROR'],
    ['503 with Retry-After', { status: 503, headers: { 'retry-after': '3' } }, 'TOKEN_RATE_LIMITED'],
    [
      'a refused connection',
      { error: new UnsentRequest('CONNECT_FAIL', { stage: 'token', fault: 'refused' }) },
      'CONNECT_FAIL',
    ],
    ['too many requests (TK-10)', { status: 429 }, 'TOKEN_RATE_LIMITED'],
    ['a page (TK-01)', { text: '<html>', headers: { 'content-type': 'text/html' } }, 'TOKEN_RESPONSE_INVALID'],
    ['a time-out (TK-13)', { error: new PosternError('DEADLINE', { stage: 'token' }) }, 'DEADLINE'],
    ['a redirect (MD-20)', { error: new PosternError('REDIRECT_REFUSED', { stage: 'token' }) }, 'REDIRECT_REFUSED'],
  ] as [string, ScriptedResponse, string][])(
    'never sends the code again after %s (RFC 6749 section 10.5, TK-13)',
    async (_, response, code) => {
      const { http, exchange } = prepare([response]);
      expect(await failureOf(exchange)).toMatchObject({ code, stage: 'token' });
      http.assertDone();
    },
  );

  it.each([
    ['too many requests', { status: 429 }, 'TOKEN_RATE_LIMITED'],
    ['a page', { text: '<html>', headers: { 'content-type': 'text/html' } }, 'TOKEN_RESPONSE_INVALID'],
    ['tokens of an unknown type', { json: { access_token: 'at', token_type: 'mac' } }, 'TOKEN_TYPE'],
    ['a time-out', { error: new PosternError('DEADLINE', { stage: 'token' }) }, 'DEADLINE'],
  ] as [string, ScriptedResponse, string][])('reports as a failed exchange %s', async (_, response, code) => {
    expect(await prepare([response]).answerTo()).toMatchObject({ kind: 'exchange-failed', error: { code } });
  });

  it('stops when the user cancels', async () => {
    const error = new PosternError('USER_CANCELLED', { stage: 'token' });
    await expect(prepare([{ error }]).answerTo()).rejects.toBe(error);
  });

  it.each([
    ['http://as.example/token', 'TOKEN_ENDPOINT_INSECURE'],
    ['https://127.0.0.1/token', 'HOST_BLOCKED'],
    ['https://169.254.169.254/token', 'HOST_BLOCKED'],
  ])('checks the token endpoint %s again at use (TK-15)', async (endpoint, code) => {
    const { http, exchange } = prepare([], { request: authorizationRequest({ tokenEndpoint: endpoint }) });
    expect((await failureOf(exchange)).code).toBe(code);
    expect(http.requests).toEqual([]);
  });

  it('uses plain http with a local server that the user allowed (design, address)', async () => {
    const local = 'http://127.0.0.1:4000';
    const http = scriptedHttp([{ method: 'POST', url: `${local}/token`, ...granted }]);
    const request = authorizationRequest({ issuerKey: local, tokenEndpoint: `${local}/token` });
    await exchangeAuthorizationCode(
      { http, clock: createFakeClock(start) },
      {
        request,
        code: authorizationCode(request),
        credentials: publicClient({ issuerKey: local }),
        metadata: {},
        sendResource: true,
        policy: createAddressPolicy({
          url: 'http://127.0.0.1:3000/mcp',
          local: true,
          allowedHosts: [],
          allowHttp: false,
        }),
      },
    );
    http.assertDone();
  });

  it.each([[{ issuerKey: 'https://old.example' }], [{ clientId: 'another' }]])(
    'sends nothing for credentials %j of another authorization server (MCP 2026-07-28)',
    async (over) => {
      const { http, exchange } = prepare([], { credentials: clientCredentials(over) });
      expect((await failureOf(exchange)).code).toBe('REG_ISSUER_MISMATCH');
      expect(http.requests).toEqual([]);
    },
  );

  it('never shows a code, verifier, secret or token in its errors', async () => {
    const canary = 'canary-7f3a';
    const request = authorizationRequest({ codeVerifier: new Secret(canary.repeat(5)) });
    const credentials = clientCredentials({ clientSecret: new Secret(canary) });
    const json = { error: canary, error_description: canary, access_token: canary };
    const answers: ScriptedResponse[][] = [
      [{ status: 400, json }],
      [{ json }],
      [
        { status: 500, json },
        { status: 500, json },
      ],
      [{ json: { access_token: `${canary}\n` } }],
    ];
    for (const list of answers) {
      const error = await failureOf(prepare(list, { request, credentials }).exchange);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(canary);
    }
  });
});
