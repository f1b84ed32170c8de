import { inspect } from 'node:util';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { PosternError, toPlainError } from '../../../../../main/errors/postern-error.ts';
import { readTokenResponse } from '../../../../../main/oauth/token/token-response.ts';
import type { TokenResponseContext } from '../../../../../main/oauth/token/token-response.ts';
import { describeInGerman } from '../../../../../shared/words/de/error-words.ts';
import { createFakeClock } from '../../../../support/fake-clock.ts';
import { failureOf, issuer, start } from '../../../../support/oauth-fixtures.ts';

const context: TokenResponseContext = {
  grant: 'authorization_code',
  stage: 'token',
  issuer,
  clientId: 'client-1',
};
const refresh: TokenResponseContext = { ...context, grant: 'refresh_token', stage: 'refresh' };

interface ScriptedResponse {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly text: string | Uint8Array;
}

const answerTo = ({ status = 200, headers = {}, text }: ScriptedResponse, from = context) =>
  readTokenResponse(
    {
      status,
      headers: new Headers({ 'content-type': 'application/json', ...headers }),
      url: 'https://as.example/token',
      body: typeof text === 'string' ? new TextEncoder().encode(text) : text,
    },
    createFakeClock(start),
    from,
  );
/** Throws the error of any other result. */
const read = async (...parameters: Parameters<typeof answerTo>) => {
  const response = await answerTo(...parameters);
  if (response.kind === 'granted') return response.grant;
  throw response.error;
};
const readJson = (json: unknown, more: Omit<ScriptedResponse, 'text'> = {}, from = context) =>
  read({ ...more, text: JSON.stringify(json) }, from);
const granted = { access_token: 'at-1', token_type: 'Bearer', expires_in: 3600 };

describe('readTokenResponse', () => {
  it.each([
    ['in camel case', { accessToken: 'at-1', refreshToken: 'rt-1', expireIn: 7200, tokenType: 'Bearer' }],
    ['inside data', { code: 0, data: { access_token: 'at-1', refresh_token: 'rt-1', expires_in: 7200 } }],
    ['inside data, in camel case', { data: { accessToken: 'at-1', refreshToken: 'rt-1', expiresIn: 7200 } }],
  ])('reads tokens whose members are named %s', async (_how, json) => {
    for (const from of [context, refresh]) {
      const { accessToken, refreshToken, expiresIn } = await readJson(json, {}, from);
      expect([accessToken.reveal(), refreshToken?.reveal(), expiresIn]).toEqual(['at-1', 'rt-1', 7200]);
    }
  });

  it.each([
    [
      'of the user, next to other data',
      { authed_user: { access_token: 'at-1', token_type: 'user' }, data: { team: 1 } },
    ],
    [
      'of the user rather than of a bot without a scope',
      { access_token: 'bot', token_type: 'bot', authed_user: { access_token: 'at-1', token_type: 'user' } },
    ],
    ['of a bot without a user', { access_token: 'at-1', token_type: 'bot', scope: 'a', authed_user: { id: 'U1' } }],
  ])('reads the token %s from a Slack response', async (_whose, json) => {
    const { accessToken } = await readJson({ ok: true, ...json });
    expect(accessToken.reveal()).toBe('at-1');
  });

  it('prefers the names of RFC 6749', async () => {
    const both = { ...granted, accessToken: 'other', expiresIn: 5, data: { access_token: 'third' } };
    const { accessToken, expiresIn } = await readJson(both);
    expect([accessToken.reveal(), expiresIn]).toEqual(['at-1', 3600]);
  });

  it('reads tokens, scope and lifetime with the moment of receipt (RFC 6749 section 5.1, RF-14)', async () => {
    const grant = await readJson({ ...granted, refresh_token: 'rt 1', scope: 'b a' });
    expect(grant.accessToken.reveal()).toBe('at-1');
    expect(grant.refreshToken?.reveal()).toBe('rt 1');
    expect(grant).toMatchObject({
      scope: 'b a',
      expiresIn: 3600,
      receivedAt: { wall: start, monotonic: 1_000 },
      notes: [],
    });
  });

  it.each([
    ['with tokens', 200, context],
    ['with renewed tokens', 200, refresh],
    ['with an error', 400, context],
  ])('parses a response %s once, and never serializes it', async (_, status, from) => {
    const spies = { parse: vi.spyOn(JSON, 'parse'), stringify: vi.spyOn(JSON, 'stringify') };
    onTestFinished(() => void vi.restoreAllMocks());
    const text = '{"access_token":"CANARY","token_type":"Bearer","error_description":"CANARY"}';
    await read({ status, text }, from).catch(() => undefined);
    const parsed = spies.parse.mock.calls.filter(([whole]) => whole.includes('token_type') && whole.includes('CANARY'));
    expect(parsed).toHaveLength(1);
    expect(spies.stringify).not.toHaveBeenCalled();
  });

  it.each([
    ['text/html', '<html><p>Log in</p></html>'],
    ['application/json', ''],
    ['application/json', '{"access_token":"at'],
    ['application/json', '[{"access_token":"at"}]'],
    ['application/json', 'null'],
    ['application/json', '"at"'],
    ['application/json', '{}'],
    ['application/json', '{"access_token":""}'],
    ['application/json', '{"access_token":7}'],
    ['application/json', '{"access_token":null}'],
  ])('refuses %s %j (TK-01)', async (type, text) => {
    const error = await failureOf(() => read({ headers: { 'content-type': type }, text }));
    expect(error).toMatchObject({ code: 'TOKEN_RESPONSE_INVALID', stage: 'token' });
  });

  it.each([['text/html'], ['text/plain'], ['application/json; charset=utf-16'], ['']])(
    'reads a token response of type %j, as a browser would (TK-18)',
    async (type) => {
      const grant = await readJson(granted, { headers: { 'content-type': type } });
      expect(grant.accessToken.reveal()).toBe('at-1');
    },
  );

  it('refuses a repeated member (TK-17)', async () => {
    const text = '{"access_token":"good","token_type":"bearer","access_token":"evil"}';
    expect((await failureOf(() => read({ text }))).code).toBe('JSON_DUPLICATE_KEY');
  });

  it('refuses invalid UTF-8 (MD-12)', async () => {
    const text = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]);
    expect((await failureOf(() => read({ text }))).code).toBe('TOKEN_RESPONSE_INVALID');
  });

  it.each(['a\r\nb', 'a\nb', 'a b', 'ä', '😀', '\u007f', '\u0000', ' a'])(
    'refuses the access token %j before anything can store it (TK-03)',
    async (token) => {
      const error = await failureOf(() => readJson({ ...granted, access_token: `canary${token}` }));
      expect(error.code).toMatch(/^(TOKEN_CHARSET|SCHEMA_INVALID)$/);
      expect(inspect(error, { depth: 9 })).not.toContain('canary');
    },
  );

  property.prop([fc.string({ minLength: 1, unit: 'binary' })])(
    'returns only tokens that fit into a header (RFC 6750 section 2.1)',
    async (token) => {
      const isSafe = /^[\u0021-\u007e]+$/.test(token);
      const result = await readJson({ access_token: token }).catch((error: unknown) => error);
      if (!isSafe) expect(result).toBeInstanceOf(PosternError);
      else expect(new Headers({ authorization: `Bearer ${token}` }).get('authorization')).toBe(`Bearer ${token}`);
      expect(result instanceof PosternError).toBe(!isSafe);
    },
  );

  it('accepts tokens of up to 32 KiB', async () => {
    const longest = 'x'.repeat(32_768);
    expect((await readJson({ access_token: longest })).accessToken.reveal()).toBe(longest);
    const error = await failureOf(() => readJson({ ...granted, access_token: `${longest}x` }));
    expect(error.code).toBe('SCHEMA_INVALID');
  });

  it('ignores any other string that is too long', async () => {
    const long = 'x'.repeat(32_769);
    const { notes, ...grant } = await readJson({ ...granted, refresh_token: long, scope: long, other: long });
    expect(notes).toEqual(['refresh-token-empty', 'scope-unusable']);
    expect(grant).not.toHaveProperty('refreshToken');
    expect(grant).not.toHaveProperty('scope');
  });

  it.each([['bearer'], ['Bearer'], ['bEaReR'], ['BearerToken']])(
    'accepts the token type %s (RFC 6749 section 5.1)',
    async (type) => {
      expect((await readJson({ ...granted, token_type: type })).notes).toEqual([]);
    },
  );

  it('treats a missing token type as bearer, and notes it (spec 2.9)', async () => {
    expect((await readJson({ access_token: 'at' })).notes).toEqual(['token-type-missing']);
    expect((await readJson({ access_token: 'at', token_type: null })).notes).toEqual(['token-type-missing']);
  });

  it.each(['mac', 'N_A', 'DPoP', 'dpop', 'bearer x', 5, ['bearer'], {}])(
    'refuses the token type %j (RFC 6749 section 7.1, TK-07)',
    async (type) => {
      expect((await failureOf(() => readJson({ ...granted, token_type: type }))).code).toBe('TOKEN_TYPE');
    },
  );

  const bound = (isDemanded: boolean): TokenResponseContext => ({ ...context, binding: { isDemanded } });

  it.each(['DPoP', 'dpop'])('accepts %s for a request with a proof (RFC 9449 section 5)', async (type) => {
    const grant = await readJson({ ...granted, token_type: type }, {}, bound(true));
    expect(grant).toMatchObject({ isBound: true, notes: [] });
  });

  it('accepts a bearer token instead, and notes it, unless a bound token is required', async () => {
    expect(await readJson(granted, {}, bound(false))).toMatchObject({ isBound: false, notes: ['token-not-bound'] });
    const refused = await failureOf(() => readJson(granted, {}, bound(true)));
    expect(refused).toMatchObject({ code: 'TOKEN_TYPE', detail: { unbound: true }, remedy: { kind: 'contact-owner' } });
  });

  it.each([
    ['an hour off', 3_600_000, 'check-clock'],
    ['correct', 20_000, undefined],
    ['unknown', undefined, undefined],
    ['invalid', Number.NaN, undefined],
  ])('reports a refused proof, with a clock that is %s (RFC 9449 section 11.1)', async (_, off, kind) => {
    const headers = { ...(off !== undefined && { date: new Date(start + off).toUTCString() }) };
    const response = await answerTo({ status: 400, text: '{"error":"invalid_dpop_proof"}', headers }, bound(true));
    if (response.kind !== 'proof-refused') throw new Error(`it is ${response.kind}`);
    expect(response.error).toMatchObject({ code: 'PROOF_REFUSED' });
    expect(response.error.remedy?.kind).toBe(kind);
  });

  it.each([
    ['3600', 3600],
    ['"3600"', 3600],
    ['1', 1],
    ['31536000', 31_536_000],
    ['3.6e3', 3600],
    ['315360000', 315_360_000],
    ['31557600000', 3_155_760_000],
    ['"99999999999999999999"', 3_155_760_000],
    ['1e400', 3_155_760_000],
  ])('reads expires_in %s as %i seconds (RFC 6749 section 5.1)', async (literal, seconds) => {
    const grant = await read({ text: `{"access_token":"at","token_type":"bearer","expires_in":${literal}}` });
    expect(grant).toMatchObject({ expiresIn: seconds, notes: [] });
  });

  it.each(['"1e9"', '"0x10"', '" 5"', 'true', '[]', '[5]', '{}', '-5', '0', '"0"', '0.5'])(
    'treats expires_in %s as unknown, and notes it (TK-05)',
    async (literal) => {
      const grant = await read({ text: `{"access_token":"at","token_type":"bearer","expires_in":${literal}}` });
      expect(grant).not.toHaveProperty('expiresIn');
      expect(grant.notes).toEqual(['expires-in-unusable']);
    },
  );

  it('treats a missing expires_in as unknown (TK-04)', async () => {
    const grant = await readJson({ access_token: 'at', token_type: 'bearer' });
    expect(grant).not.toHaveProperty('expiresIn');
    expect(grant.notes).toEqual([]);
  });

  // A document with such a member anywhere is refused as a whole.
  const values = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('"__proto__"'));
  property.prop([values])('never has a zero, infinite or fractional lifetime', async (value) => {
    const { expiresIn } = await readJson({ ...granted, expires_in: value });
    if (expiresIn === undefined) return;
    expect(Number.isInteger(expiresIn) && expiresIn >= 1).toBe(true);
    expect(Math.min(Math.floor(Number(value)), 3_155_760_000)).toBe(expiresIn);
  });

  it.each([
    [null, undefined],
    ['', undefined],
    [7, undefined],
    [['a', 'b'], 'a b'],
    ['a  b\u001b[2J', 'a'],
  ])('tolerates the scope %j (RFC 6749 section 5.1)', async (scope, expected) => {
    expect((await readJson({ ...granted, scope })).scope).toBe(expected);
  });

  it.each([
    [null, []],
    ['', []],
    [7, ['refresh-token-empty']],
    [{}, ['refresh-token-empty']],
    ['a\nb', ['refresh-token-empty']],
  ])('treats the refresh token %j as absent, and notes an invalid one (RF-13)', async (token, notes) => {
    for (const from of [context, refresh]) {
      const grant = await readJson({ ...granted, refresh_token: token }, {}, from);
      expect(grant).not.toHaveProperty('refreshToken');
      expect(grant.notes).toEqual(notes);
    }
  });

  it.each([null, ''])('treats members that are %j as absent, without a note', async (empty) => {
    const { notes, ...grant } = await readJson({ ...granted, scope: empty, expires_in: empty, id_token: empty });
    expect(notes).toEqual([]);
    expect(grant).not.toHaveProperty('scope');
    expect(grant).not.toHaveProperty('expiresIn');
    expect((await readJson({ ...granted, token_type: empty })).notes).toEqual(['token-type-missing']);
  });

  it.each(['3599.7', '"3599.7"', '"3599.0"'])('rounds expires_in %s down to whole seconds', async (literal) => {
    const grant = await read({ text: `{"access_token":"at","token_type":"Bearer","expires_in":${literal}}` });
    expect(grant).toMatchObject({ expiresIn: 3_599, notes: [] });
  });

  it.each([['not.a.jwt'], ['x'.repeat(40_000)], ['eyJhbGciOiJub25lIn0.eyJhdWQiOiJvdGhlciJ9.'], [null], [5]])(
    'ignores an invalid id_token (TK-19)',
    async (token) => {
      const grant = await readJson({ ...granted, id_token: token });
      expect(grant.accessToken.reveal()).toBe('at-1');
      const { holder, ...rest } = grant;
      expect(holder).toEqual({});
      expect(Object.keys(rest).toSorted()).toEqual(['accessToken', 'expiresIn', 'isBound', 'notes', 'receivedAt']);
    },
  );

  it('returns the chosen workspace by name and by a stable ID', async () => {
    const notion = await readJson({ ...granted, workspace_id: 'w-1', workspace_name: 'Acme\u202e' });
    expect(notion).toMatchObject({ holder: { workspace_id: 'w-1' }, user: { organization: 'Acme' } });
    const slack = await readJson({ ...granted, team: { id: 'T1', name: 'Acme' } });
    expect(slack).toMatchObject({ holder: { 'team.id': 'T1' }, user: { organization: 'Acme' } });
    const strange = await readJson({ ...granted, team: 'T1', workspace_id: {}, workspace_name: 5 });
    expect(strange.holder).toEqual({});
    expect(strange).not.toHaveProperty('user');
  });

  it('lets an error win over the status 200 (TK-16)', async () => {
    const error = await failureOf(() => readJson({ ...granted, error: 'invalid_grant', error_description: 'EVIL' }));
    expect(error).toMatchObject({ code: 'TOKEN_ERROR', detail: { error: 'invalid_grant', status: 200 } });
    expect(inspect(error)).not.toContain('EVIL');
    const beside = await failureOf(() => readJson({ error: 'invalid_grant', data: { request: 'r-1' } }));
    expect(beside).toMatchObject({ code: 'TOKEN_ERROR', detail: { error: 'invalid_grant', status: 200 } });
  });

  it('tolerates another 2xx, and notes it', async () => {
    expect((await readJson(granted, { status: 201 })).notes).toEqual(['token-status-not-200']);
  });

  it.each([
    [400, '{"error":"invalid_grant"}', 'invalid_grant', 'json'],
    [400, '{"error":"Paste your token here"}', 'unknown', 'json'],
    [400, '', 'unknown', 'empty'],
    [401, '{"error":"invalid_client"}', 'invalid_client', 'json'],
    [401, '', 'invalid_client', 'empty', 'unknown'],
    [401, '{"error":"Unauthorized"}', 'invalid_client', 'json', 'unknown'],
    [400, '{"error":"bad_refresh_token"}', 'invalid_grant', 'json', 'unknown'],
    [400, '{"message":"expired"}', 'unknown', 'other'],
    [403, '<h1>Forbidden</h1>', 'unknown', 'page'],
    [404, ' <h1>Not found</h1>', 'unknown', 'page'],
    [500, '{"error":"invalid_grant"}', 'invalid_grant', 'json'],
  ])('reads %i %j as %s, and reports only a code that was sent (RFC 6749 section 5.2)', async (...row) => {
    const [status, text, name, body, sent = name] = row;
    expect(await answerTo({ status, text })).toMatchObject({
      kind: 'refused',
      name,
      body,
      error: { code: 'TOKEN_ERROR', detail: { error: sent, status } },
    });
  });

  it('recognizes invalid_client next to a challenge (RFC 6749 section 5.2)', async () => {
    const headers = { 'www-authenticate': 'Basic realm="as"' };
    const error = await failureOf(() => readJson({ error: 'invalid_client' }, { status: 401, headers }));
    expect(error).toMatchObject({ code: 'TOKEN_ERROR', detail: { error: 'invalid_client' } });
  });

  it.each([
    [429, '120', 120],
    [429, undefined, 30],
    [429, 'soon', 30],
    [429, '-1', 30],
    [429, '9999999999', 3600],
    [503, 'Thu, 01 Jan 2026 00:01:00 GMT', 60],
    [503, '', 30],
  ])('waits after %i with Retry-After %j for %i s (TK-10)', async (status, header, wait) => {
    const headers = header === undefined ? {} : { 'retry-after': header };
    expect(await answerTo({ status, headers, text: '{"error":"slow_down"}' })).toMatchObject({
      kind: 'busy',
      retryAfter: wait,
      error: {
        code: 'TOKEN_RATE_LIMITED',
        remedy: { kind: 'wait', values: { seconds: wait } },
      },
    });
  });

  it.each([
    [200, 'server_error'],
    [400, 'temporarily_unavailable'],
    [503, 'server_error'],
  ])('reports an outage (%i, %s) without a success status', async (status, code) => {
    const error = await failureOf(() => readJson({ error: code }, { status }));
    expect(error).toMatchObject({ code: 'TOKEN_SERVER_ERROR' });
    const { message, detail = {} } = toPlainError(error);
    for (const sentence of [message, describeInGerman('TOKEN_SERVER_ERROR', detail)]) {
      expect(sentence).toContain(status < 400 ? code : `HTTP ${status}`);
      expect(sentence).not.toContain('HTTP 2');
    }
  });

  it.each([[500], [502], [503], [504], [599]])(
    'distinguishes %i from a refusal, and repeats no byte of it (TK-11)',
    async (status) => {
      const text = '\u001b[31mcanary\n{"level":"info"}'.repeat(100);
      const error = await failureOf(() => read({ status, headers: { 'content-type': 'text/html' }, text }));
      expect(error).toMatchObject({ code: 'TOKEN_SERVER_ERROR', detail: { status } });
      expect(inspect(error, { depth: 9 })).not.toContain('canary');
    },
  );

  property.prop([fc.integer({ min: 200, max: 599 }), fc.oneof(fc.json(), fc.string()), fc.boolean()])(
    'returns tokens or a typed error for any response (PB-03)',
    async (status, text, isRefresh) => {
      const result = await read({ status, text }, isRefresh ? refresh : context).catch((error: unknown) => error);
      if (result instanceof PosternError) expect(result.stage).toBe(isRefresh ? 'refresh' : 'token');
      else expect(result).toHaveProperty('accessToken');
    },
  );
});
