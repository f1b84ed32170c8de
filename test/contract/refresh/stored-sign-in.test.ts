import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitForRefreshes } from '../../../main/engine/engine-ports.ts';
import type { EnginePorts } from '../../../main/engine/engine-ports.ts';
import { usableTokens } from '../../../main/engine/refresh/access-token.ts';
import { RefreshScheduler } from '../../../main/engine/refresh/refresh-scheduler.ts';
import { refreshStoredTokens } from '../../../main/engine/refresh/refresh-stored-tokens.ts';
import { listTools } from '../../../main/engine/use/use-server.ts';
import { toPlainError } from '../../../main/errors/postern-error.ts';
import { storedStatus } from '../../../main/stored-status.ts';
import type { Integration } from '../../../shared/integration.ts';
import { createSeededRandom } from '../../soak/seeded-random.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { startRotatingServer } from '../../support/rotating-server.ts';
import type { TokenRequest } from '../../support/rotating-server.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import type { TestEngine } from '../../support/test-engine.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const { signal } = new AbortController();

/** What a token endpoint does with a refresh instead of granting it; `false`: it grants it after all. */
type Trouble = (response: ServerResponse, form: URLSearchParams) => void | false | Promise<false>;

const respondWith =
  (status: number, body?: object | string) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' });
    response.end(typeof body === 'object' ? JSON.stringify(body) : body);
  };
const cut: Trouble = (response) => void response.destroy();
/** A GET is always answered. */
const hang: Trouble = () => {};

const followPage = async ({ url }: { readonly url: string }): Promise<void> => void (await fetch(url));

/** A one-hour sign-in on a clock that the test moves: real HTTP, with a refresh deadline of 250 ms instead of 30 s. */
async function signedIn(members: object = {}, isGraceful = false) {
  const world: {
    trouble: Trouble | undefined;
    losesAnswers: boolean;
    /** It rotates, and responds with an unusable access token. */
    spoilsAccess: boolean;
    forgets: (token: string) => boolean;
  } = {
    trouble: undefined,
    losesAnswers: false,
    spoilsAccess: false,
    forgets: () => false,
  };
  const forms: URLSearchParams[] = [];
  const meet = async ({ form, response }: TokenRequest): Promise<boolean> => {
    if (form.get('grant_type') !== 'refresh_token') return false;
    forms.push(form);
    return world.trouble !== undefined && (await world.trouble(response, form)) !== false;
  };
  const server = await startRotatingServer({
    beforeToken: meet,
    afterToken: ({ form, response }, { refreshToken }) => {
      if (form.get('grant_type') !== 'refresh_token') return false;
      if (world.losesAnswers) response.destroy();
      else if (world.spoilsAccess)
        respondWith(200, { ...granted, access_token: 7, refresh_token: refreshToken })(response);
      return world.losesAnswers || world.spoilsAccess;
    },
    reject: (token) => world.forgets(token),
    tokenMembers: members,
    isGraceful,
  });
  onTestFinished(() => server.close());
  const clock = createFakeClock(Date.now());
  const engine: TestEngine = createTestEngine({ clock, user: followPage });
  const { http } = engine.ports;
  const exchange: typeof http.exchange = (request) =>
    http.exchange(request.stage === 'refresh' ? { ...request, deadline: 250 } : request);
  const ports: { -readonly [Port in keyof EnginePorts]: EnginePorts[Port] } = {
    ...engine.ports,
    http: { ...http, exchange },
  };
  const { integration } = await engine.connect(server.url);
  const entry = async (): Promise<Integration> => await engine.read(integration);
  const use = async (): Promise<string> =>
    await listTools(ports, await entry(), { signal }).then(
      () => 'ok',
      (error: unknown) => toPlainError(error).code,
    );
  return {
    world,
    server,
    engine,
    ports,
    /** With a deadline of 30 s. */
    patient: http,
    clock,
    forms,
    entry,
    use,
    status: async () => storedStatus(await entry(), clock.now()),
    token: async () => await usableTokens(ports, await entry(), signal),
  };
}

describe('a token endpoint that', () => {
  it.each([
    ['hangs while it answers a GET', hang],
    ['closes each connection', cut],
    ['answers 500', respondWith(500)],
    ['answers a web page', respondWith(200, '<html>hello</html>')],
    [
      'answers with JSON that is cut off',
      (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_'),
    ],
  ] satisfies [string, Trouble][])(
    '%s keeps the sign-in: offline, tried again after each pause, and recovered by the first success (RFC 6749 5.2)',
    async (_, trouble) => {
      const { world, clock, use, status, entry, forms } = await signedIn();
      world.trouble = trouble;
      clock.advance(61 * minutes);
      const before: number[] = [];
      for (let round = 0; round < 6; round += 1) {
        expect(await use()).not.toBe('ok');
        expect(await use()).not.toBe('ok');
        expect(await status()).toBe('offline');
        expect((await entry()).state).toBe('integrated');
        before.push(forms.length);
        clock.advance((await entry()).retryAt! - clock.now() + 1);
      }
      // Each pause ends with one more try.
      for (let round = 1; round < before.length; round += 1) expect(before[round]).toBeGreaterThan(before[round - 1]!);
      world.trouble = undefined;
      expect(await use()).toBe('ok');
      expect(await status()).toBe('ready');
    },
  );
});

describe('after a connection that was cut', () => {
  it.each([400, 405, 429, 500, 501])(
    'a refresh is sent as soon as a GET of the token endpoint is answered, with %i too (RFC 6749 3.2)',
    async (status) => {
      const { world, server, clock, use, entry } = await signedIn();
      server.onTokenGet = respondWith(status, { error: 'POST only' });
      world.trouble = cut;
      clock.advance(61 * minutes);
      expect(await use()).toBe('REFRESH_TRANSIENT');
      world.trouble = undefined;
      clock.advance((await entry()).retryAt! - clock.now() + 1);
      expect(await use()).toBe('ok');
    },
  );

  it.each([502, 503, 504])('and while a GET is answered with %i, it is sent when the user asks', async (status) => {
    const { world, server, clock, use, entry, forms, token, ports } = await signedIn();
    const seen = await token();
    server.onTokenGet = respondWith(status);
    world.trouble = cut;
    clock.advance(61 * minutes);
    expect(await use()).toBe('REFRESH_TRANSIENT');
    world.trouble = undefined;
    clock.advance((await entry()).retryAt! - clock.now() + 1);
    expect(await use()).toBe('REFRESH_TRANSIENT');
    expect(forms).toHaveLength(1);
    await refreshStoredTokens(ports, await entry(), seen, 'requested', signal);
    expect(forms).toHaveLength(2);
    expect(await use()).toBe('ok');
  });
});

describe('a slow refresh while the access token is valid', () => {
  it('delays no request two seconds after another process has sent it, and is waited for at the end', async () => {
    const { world, clock, use, entry, ports, token, patient } = await signedIn();
    const arrived = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    world.trouble = async (): Promise<false> => {
      arrived.resolve();
      await late.promise;
      return false;
    };
    ports.http = patient;
    const old = await token();
    clock.advance(56 * minutes);
    const refreshing = refreshStoredTokens(ports, await entry(), old, 'requested', signal);
    await arrived.promise;
    clock.advance(2_000);
    expect(await use()).toBe('ok');
    expect(ports.refreshesInFlight.size).toBe(1);
    late.resolve();
    await waitForRefreshes(ports.refreshesInFlight);
    expect((await token()).accessToken.reveal()).not.toBe(old.accessToken.reveal());
    await refreshing;
  });

  it('delays a request by two seconds, once; its tokens are stored when they come', async () => {
    const { world, clock, use, forms, ports, token, patient } = await signedIn();
    const old = (await token()).accessToken.reveal();
    const arrived = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    world.trouble = async (): Promise<false> => {
      arrived.resolve();
      await late.promise;
      return false;
    };
    ports.http = patient;
    clock.advance(56 * minutes);
    const used = use();
    await arrived.promise;
    clock.advance(2_000);
    expect(await used).toBe('ok');
    expect((await token()).accessToken.reveal()).toBe(old);
    expect(forms).toHaveLength(1);
    expect(ports.refreshesInFlight.size).toBe(1);
    late.resolve();
    await waitForRefreshes(ports.refreshesInFlight);
    expect(ports.refreshesInFlight.size).toBe(0);
    expect((await token()).accessToken.reveal()).not.toBe(old);
    expect(forms).toHaveLength(1);
  });
});

describe('a response with an unusable access token', () => {
  it('brings the refresh token that is valid from then on (RFC 6749 section 6)', async () => {
    const { world, clock, use, entry, forms } = await signedIn();
    world.spoilsAccess = true;
    for (let round = 0; round < 3; round += 1) {
      clock.advance(round === 0 ? 61 * minutes : (await entry()).retryAt! - clock.now() + 1);
      expect(await use()).not.toBe('ok');
    }
    world.spoilsAccess = false;
    clock.advance((await entry()).retryAt! - clock.now() + 1);
    expect(await use()).toBe('ok');
    const sent = forms.map((form) => form.get('refresh_token'));
    expect(new Set(sent).size).toBe(sent.length);
  });

  it('requires no sign-in if its refresh token is worthless', async () => {
    const { world, clock, use, entry } = await signedIn();
    world.trouble = respondWith(200, { ...granted, access_token: 7, refresh_token: 'r:nobody:9' });
    clock.advance(61 * minutes);
    expect(await use()).not.toBe('ok');
    world.trouble = undefined;
    clock.advance((await entry()).retryAt! - clock.now() + 1);
    expect(await use()).toBe('ok');
    expect((await entry()).state).toBe('integrated');
  });
});

type Verdict = 'renewed' | 'tried again' | 'user asked' | 'ended';

const raw =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Trouble =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
const granted = { access_token: 'a:granted', token_type: 'Bearer', expires_in: 3_600 };
const asText = (form: URLSearchParams, more: object = {}): string =>
  JSON.stringify({ ...granted, access_token: `a:${form.get('refresh_token')?.slice(2)}`, ...more });
/** Grants with a response that is JSON, but in an unusual form. */
const granting =
  (write: (text: string) => Parameters<typeof raw>, more: object = {}): Trouble =>
  (response, form) =>
    raw(...write(asText(form, more)))(response, form);

describe('the outcome of a refresh response for the sign-in:', () => {
  it.each<[Verdict, string, Trouble]>([
    // An explicit rejection.
    ['ended', '400 invalid_grant', respondWith(400, { error: 'invalid_grant' })],
    ['ended', '401 invalid_grant', respondWith(401, { error: 'invalid_grant' })],
    ['ended', '403 Invalid_Grant', respondWith(403, { error: 'Invalid_Grant' })],
    ['ended', '200 INVALID_GRANT', respondWith(200, { error: 'INVALID_GRANT' })],
    ['ended', '400 "invalid grant"', respondWith(400, { error: 'invalid grant' })],
    ['ended', '400 invalid_grant as text/html', raw(400, '{"error":"invalid_grant"}', { 'content-type': 'text/html' })],
    ['ended', '400 invalid_grant after a byte order mark', raw(400, '\u{feff}{"error":"invalid_grant"}')],
    ['ended', '400 with the code in an object', respondWith(400, { error: { code: 'invalid_grant', message: 'no' } })],
    ['ended', '400 with the code as a type', respondWith(400, { error: { type: 'invalid_grant' } })],
    ['ended', '200 with the code in an object', respondWith(200, { error: { code: 'invalid_grant' } })],
    ['ended', '400 with the code in a list', respondWith(400, { errors: [{ code: 'invalid_grant' }] })],
    ['ended', '400 with a list of codes', respondWith(400, { errors: ['invalid_grant'] })],
    ['ended', '400 with numbers beside the code', respondWith(400, { error: 'invalid_grant', error_codes: [70_008] })],
    // The server itself reports that it failed.
    ['tried again', '500 invalid_grant', respondWith(500, { error: 'invalid_grant' })],
    ['tried again', '502 invalid_client', respondWith(502, { error: 'invalid_client' })],
    ['tried again', '503 unauthorized_client', respondWith(503, { error: 'unauthorized_client' })],
    ['tried again', '500 invalid_request', respondWith(500, { error: 'invalid_request' })],
    ['tried again', '408 invalid_grant', respondWith(408, { error: 'invalid_grant' })],
    ['tried again', '429 invalid_grant', respondWith(429, { error: 'invalid_grant' })],
    // Temporary errors, in any form.
    ...[200, 400, 401, 403, 429, 503].flatMap((status) =>
      ['temporarily_unavailable', 'Server_Error', 'slow_down', 'rate_limit_exceeded', 'TooManyRequestsException'].map(
        (error): [Verdict, string, Trouble] => ['tried again', `${status} ${error}`, respondWith(status, { error })],
      ),
    ),
    [
      'tried again',
      '403 in words of its own that asks to wait',
      raw(403, '{"message":"secondary rate limit"}', { 'retry-after': '60' }),
    ],
    ['tried again', '200 ok:false ratelimited', respondWith(200, { ok: false, error: 'ratelimited' })],
    [
      'tried again',
      '400 with what passes in an object',
      respondWith(400, { error: { code: 'temporarily_unavailable' } }),
    ],
    ['tried again', '401 with what passes in a list', respondWith(401, { errors: [{ code: 'rate_limited' }] })],
    // Not a response of a token endpoint.
    ...[200, 301, 400, 401, 403, 404, 503].map((status): [Verdict, string, Trouble] => [
      'tried again',
      `${status} with a web page`,
      respondWith(status, '<html>hello</html>'),
    ]),
    ...[301, 302, 303, 307, 308].map((status): [Verdict, string, Trouble] => [
      'tried again',
      `${status} to another place`,
      raw(status, '', { location: '/elsewhere' }),
    ]),
    ...[300, 304, 305].map((status): [Verdict, string, Trouble] => ['tried again', `${status}`, raw(status, '')]),
    ['tried again', '407', raw(407, '')],
    ['tried again', '511', raw(511, '')],
    ['tried again', '200 with nothing', raw(200, '')],
    ['tried again', '204', raw(204, '')],
    ['tried again', '200 null', raw(200, 'null')],
    ['tried again', '200 with half of an answer', raw(200, '{"access_token":"a:1","refresh_')],
    ['tried again', '200 with a broken encoding', raw(200, 'no gzip', { 'content-encoding': 'gzip' })],
    ['tried again', '400 with a broken encoding', raw(400, 'no gzip', { 'content-encoding': 'gzip' })],
    ['tried again', '200 with fewer bytes than announced', raw(200, '{}', { 'content-length': '9' })],
    ['tried again', '200 with an access token that is a number', respondWith(200, { ...granted, access_token: 7 })],
    // Statuses undefined for a token endpoint (RFC 6749 5.2 defines 400 and 401).
    ...[402, 403, 404, 405, 410, 413, 421, 426, 451, 460].flatMap((status): [Verdict, string, Trouble][] => [
      ['tried again', `${status} with nothing`, raw(status, '')],
      ['tried again', `${status} in words of its own`, respondWith(status, { message: 'no Route matched' })],
      ['tried again', `${status} with a code of its own`, respondWith(status, { error: 'E_42' })],
    ]),
    // Any other rejection.
    ['user asked', '400 with a code of its own', respondWith(400, { error: 'E_42' })],
    ['user asked', '404 access_denied', respondWith(404, { error: 'access_denied' })],
    ['user asked', '400 with nothing', raw(400, '')],
    ['user asked', '400 with a number', respondWith(400, { error: 400 })],
    [
      'user asked',
      '400 with a number in an object',
      respondWith(400, { error: { code: 400, message: 'invalid_grant' } }),
    ],
    ['user asked', '400 {}', respondWith(400, {})],
    ['user asked', '400 with a description alone', respondWith(400, { error_description: 'invalid_grant' })],
    // About an access token, from a gateway in front (RFC 6750 3.1).
    ['user asked', '401 invalid_token', respondWith(401, { error: 'invalid_token' })],
    ['user asked', '400 with invalid_token in an object', respondWith(400, { error: { type: 'invalid_token' } })],
    ['user asked', '403 unauthorized_client', respondWith(403, { error: 'unauthorized_client' })],
    ['user asked', '404 invalid_client', respondWith(404, { error: 'Invalid_Client' })],
    ['user asked', '401 with nothing', raw(401, '')],
    // JSON instead of tokens, without an OAuth error.
    ...[
      { error: {} },
      { error: { code: 400 } },
      {},
      { access_token: null },
      { code: 20_026, msg: 'refresh token is invalid' },
      { success: false, message: 'no' },
      { code: 0, data: {} },
      { code: 'invalid_grant' },
    ].map((body): [Verdict, string, Trouble] => ['user asked', `200 ${JSON.stringify(body)}`, respondWith(200, body)]),
    ['tried again', '200 with what passes as its code', respondWith(200, { code: 'TooManyRequestsException' })],
    // Tokens, in any form.
    ['renewed', 'after a byte order mark', granting((text) => [200, `\u{feff}${text}`])],
    ...[
      'text/html',
      'text/plain',
      'text/json',
      'application/octet-stream',
      'application/json, application/json',
      '',
    ].map((type): [Verdict, string, Trouble] => [
      'renewed',
      `as ${JSON.stringify(type)}`,
      granting((text) => [200, text, { 'content-type': type }]),
    ]),
    [
      'renewed',
      'as UTF-16 in name alone',
      granting((text) => [200, text, { 'content-type': 'application/json; charset=utf-16' }]),
    ],
    ...[7, null, '', {}, [], true, 'a\nb'].map((token): [Verdict, string, Trouble] => [
      'renewed',
      `with the refresh token ${JSON.stringify(token)}`,
      granting((text) => [200, text], { refresh_token: token }),
    ]),
    ...['3600', '3600.0', -1, 0, 1.5, 1e300, 'soon', null, {}].map((life): [Verdict, string, Trouble] => [
      'renewed',
      `with expires_in ${JSON.stringify(life)}`,
      granting((text) => [200, text], { expires_in: life }),
    ]),
    ...['bearer', 'BEARER', 'Bearer ', 'BearerToken'].map((type): [Verdict, string, Trouble] => [
      'renewed',
      `with token_type ${JSON.stringify(type)}`,
      granting((text) => [200, text], { token_type: type }),
    ]),
    ['renewed', 'with errors beside them', granting((text) => [200, text], { errors: [{ code: 'deprecated' }] })],
    ['renewed', 'with an empty error beside them', granting((text) => [200, text], { error: '', errors: [] })],
  ])('%s: %s', async (verdict, _, trouble) => {
    const { world, clock, use, status, entry, engine } = await signedIn();
    clock.advance(61 * minutes);
    expect(await use()).toBe('ok');
    world.trouble = trouble;
    clock.advance(61 * minutes);
    const used = await use();
    const { id, state } = await entry();
    const hasTokens = (await engine.vault.keysOf(id)).some(({ kind }) => kind === 'tokens');
    const seen = await status();
    world.trouble = undefined;
    clock.advance(2 * hours);
    const later = await use();
    const found = used === 'ok' ? 'renewed' : !hasTokens ? 'ended' : seen === 'offline' ? 'tried again' : 'user asked';
    expect({ found, later }, `${used} ${seen} ${state}`).toEqual({
      found: verdict,
      later: verdict === 'ended' ? 'SIGN_IN_REQUIRED' : 'ok',
    });
  });
});

describe('an access token that the server rejects', () => {
  it('is refreshed once per rejected token, hours later too, and no rejection ends the sign-in (RF-20)', async () => {
    const { world, use, clock, token, status, forms, ports, entry } = await signedIn();
    // The rejected process ended before it could use the new one; other apps then use it all day.
    await refreshStoredTokens(ports, await entry(), await token(), 'refused', signal);
    for (let round = 2; round <= 4; round += 1) {
      clock.advance(10 * minutes);
      const dead = (await token()).accessToken.reveal();
      world.forgets = (shown) => shown === dead;
      expect(await use()).toBe('ok');
      expect(forms).toHaveLength(round);
    }
    expect(await status()).toBe('ready');
  });

  it('is reported and stays if the new one is rejected too, and works again once the server accepts it', async () => {
    const { world, use, clock, status, entry, forms } = await signedIn();
    world.forgets = () => true;
    expect(await use()).toBe('TOKEN_REJECTED');
    expect(await use()).toBe('TOKEN_REJECTED');
    expect(forms).toHaveLength(1);
    expect(await status()).toBe('signInAgain');
    world.forgets = () => false;
    expect(await use()).toBe('ok');
    expect(await status()).toBe('ready');
    expect((await entry()).state).toBe('integrated');
    world.forgets = () => true;
    clock.advance(2 * minutes);
    expect(await use()).toBe('TOKEN_REJECTED');
    expect(forms).toHaveLength(2);
    // It is tried again after a pause.
    clock.advance(10 * minutes);
    const third = `${forms.length}`;
    expect(await use()).toBe('TOKEN_REJECTED');
    expect(forms.length).toBeGreaterThan(Number(third));
    world.forgets = () => false;
    expect(await use()).toBe('ok');
  });
});

describe('a refresh', () => {
  it('names the scope that was granted, not what was requested (RFC 6749 6)', async () => {
    const { clock, use, forms } = await signedIn({ scope: 'notes:read' });
    clock.advance(61 * minutes);
    expect(await use()).toBe('ok');
    expect(forms[0]?.get('scope')).toBe('notes:read');
  });

  it('is sent once without a scope after `invalid_scope`, and starts that way the next time', async () => {
    const { world, clock, use, forms } = await signedIn({ scope: 'notes:read' });
    world.trouble = (response, form) =>
      form.has('scope') ? respondWith(400, { error: 'invalid_scope' })(response) : false;
    clock.advance(61 * minutes);
    expect(await use()).toBe('ok');
    clock.advance(61 * minutes);
    expect(await use()).toBe('ok');
    expect(forms.map((form) => form.get('scope'))).toEqual(['notes:read', null, null]);
  });

  it.each([
    ['invalid_request', 400, { error: 'invalid_request', error_description: 'refresh token is invalid' }],
    ['an error of its own', 400, { error: 'E_DEAD' }],
    ['nothing', 400, undefined],
    ['access_denied', 403, { error: 'access_denied' }],
  ])(
    'of a form that has worked, rejected with %s, probably means the end: it stays, a sign-in is suggested, and a success recovers it',
    async (_, code, body) => {
      const { world, clock, use, status, entry, forms } = await signedIn();
      clock.advance(61 * minutes);
      expect(await use()).toBe('ok');
      world.trouble = respondWith(code, body);
      clock.advance(61 * minutes);
      expect(await use()).toBe('REFRESH_REFUSED');
      expect(forms).toHaveLength(2);
      // No request is sent, and the same error is reported.
      expect(await use()).toBe('REFRESH_REFUSED');
      expect(forms).toHaveLength(2);
      expect(await status()).toBe('signInAgain');
      expect((await entry()).state).toBe('integrated');
      world.trouble = undefined;
      clock.advance(2 * hours);
      expect(await use()).toBe('ok');
      expect(await status()).toBe('ready');
    },
  );
});

it('no longer reports that a sign-in is needed once it works, before any use', async () => {
  const { world, use, clock, token, status, ports, entry } = await signedIn();
  const dead = await token();
  world.forgets = (shown) => shown === dead.accessToken.reveal();
  world.trouble = respondWith(401, { error: 'invalid_client' });
  expect(await use()).toBe('SIGN_IN_REQUIRED');
  expect(await status()).toBe('signInAgain');
  world.trouble = undefined;
  await refreshStoredTokens(ports, await entry(), dead, 'requested', signal);
  expect(await status()).toBe('ready');
  clock.advance(61 * minutes);
  world.trouble = hang;
  expect(await use()).toBe('REFRESH_TRANSIENT');
  expect(await status()).toBe('offline');
});

describe('a resource that is rejected at a refresh', () => {
  it.each([
    ['invalid_request', 'the first'],
    ['invalid_target', 'the first'],
    ['invalid_target', 'a later'],
  ])('with %s is omitted once at %s one, and from then on (RFC 8707 2)', async (error, which) => {
    const { world, clock, use, status, entry, forms } = await signedIn();
    if (which === 'a later') {
      clock.advance(61 * minutes);
      expect(await use()).toBe('ok');
    }
    const refuse = respondWith(400, { error });
    world.trouble = (response, form) => (form.has('resource') ? refuse(response) : false);
    const before = forms.length;
    for (let round = 0; round < 2; round += 1) {
      clock.advance(61 * minutes);
      expect(await use()).toBe('ok');
    }
    expect(forms.slice(before).map((form) => form.has('resource'))).toEqual([true, false, false]);
    expect(await status()).toBe('ready');
    expect((await entry()).options.sendResource).toBe(false);
  });
});

describe('a clock that was corrected', () => {
  it('leaves no dead token in use: one from the future has an unknown lifetime, and is refreshed', async () => {
    const { clock, use, token, forms, ports, engine } = await signedIn();
    clock.setWall(clock.now() + 400 * 24 * hours);
    await use();
    expect(forms).toHaveLength(1);
    const wrong = (await token()).accessToken.reveal();
    // Another process, days later.
    clock.setWall(clock.now() - 398 * 24 * hours);
    ports.vault = async () => ({ ...engine.vault, receipts: new Map() });
    expect((await token()).accessToken.reveal()).not.toBe(wrong);
    expect(forms).toHaveLength(2);
    await token();
    await use();
    expect(forms).toHaveLength(2);
  });
});

describe('an hour of outages', () => {
  /** What happens to a service, for a few minutes each. */
  const troubles: readonly (readonly [string, Trouble | undefined])[] = [
    ['well', undefined],
    ['hangs', hang],
    ['drops connections', cut],
    ['refuses', respondWith(400, { error: 'invalid_request', error_description: 'refresh token is invalid' })],
    ['refuses without a word', respondWith(400)],
    ['refuses in words of its own', respondWith(403, { message: 'no' })],
    ['has lost its memory', respondWith(401, { error: 'invalid_client' })],
    ['is broken', respondWith(500)],
    ['is busy', respondWith(429)],
    ['is behind a captive portal', respondWith(200, '<html>Log in to our Wi-Fi</html>')],
    ['answers without sense', respondWith(200, { access_token: 7 })],
  ];

  it.each([1, 2, 3])(
    'at the token endpoint and at the server ends with no sign-in lost and no page opened, seed %i',
    async (seed) => {
      const { world, use, clock, engine, ports, status, entry, forms } = await signedIn({ expires_in: 120 }, true);
      const random = createSeededRandom(seed);
      const scheduler = new RefreshScheduler(ports, () => {});
      await scheduler.review();
      const met = new Set<string>();
      for (let minute = 0; minute < 60; minute += 1) {
        if (minute % 3 === 0) {
          const [name, trouble] = random.pick(troubles);
          world.trouble = trouble;
          world.losesAnswers = trouble === undefined && random.next() < 0.5;
          const dead = random.next() < 0.3;
          world.forgets = () => dead;
          met.add(name);
        }
        clock.advance(minutes);
        await use();
      }
      Object.assign(world, { trouble: undefined, losesAnswers: false, forgets: () => false });
      clock.advance(2 * hours);
      expect(await use()).toBe('ok');
      await scheduler.stop();
      expect(await status()).toBe('ready');
      expect((await entry()).state).toBe('integrated');
      expect(engine.opened).toHaveLength(1);
      // The hour had enough requests to prove something.
      expect(met.size).toBeGreaterThan(5);
      expect(forms.length).toBeGreaterThan(10);
    },
  );
});
