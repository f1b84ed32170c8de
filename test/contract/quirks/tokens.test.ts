import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../main/host/system-ports.ts';
import type { AuthorizationServerOptions, EndpointResponse } from '../../demo/authorization-server-options.ts';
import { requestsTo, startPair } from '../../support/demo-pair.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { expectNothingStored, failureOf, proveConnection, proveUse } from '../../support/prove-connection.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { without } from '../../support/without.ts';

/** Ways in which token endpoints respond: oidc-provider does the work, and a filter rewrites the response. */

type Document = Record<string, unknown>;

type Grant = 'authorization_code' | 'refresh_token';

/** Changes the token endpoint's response to one kind of grant. */
function answering(
  grant: Grant,
  change: (document: Document) => EndpointResponse | Document,
): AuthorizationServerOptions {
  return {
    answer: (route, response, request) => {
      if (route !== 'token' || request?.body?.['grant_type'] !== grant) return response;
      const changed = change(response.body as Document);
      return typeof changed['status'] === 'number'
        ? (changed as unknown as EndpointResponse)
        : { ...response, body: changed };
    },
  };
}

const lifetime = 1_000;
const nearEnd = 900_000;
const ofGrant = (as: Parameters<typeof requestsTo>[0], grant: Grant) =>
  requestsTo(as, '/token').filter(({ body }) => body?.['grant_type'] === grant);

/** Slack separates scopes with commas, and puts the kind of token into token_type. */
const slackUser = (document: Document): Document => ({
  ...document,
  id: 'U1',
  token_type: 'user',
  scope: String(document['scope']).replaceAll(' ', ','),
});
const asForm = (document: Document): EndpointResponse => ({
  status: 200,
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(Object.entries(document).map(([name, value]) => [name, String(value)])).toString(),
});

describe('a token response', () => {
  it.each<[string, (document: Document) => Document]>([
    ['has no token_type', without('token_type')],
    ['has the lower-case type bearer', (document) => ({ ...document, token_type: 'bearer' })],
    ['has the upper-case type BEARER', (document) => ({ ...document, token_type: 'BEARER' })],
    ['has no scope', without('scope')],
    ['has scope: null and expires_in: null', (document) => ({ ...document, scope: null, expires_in: null })],
    ['has expires_in as a string', (document) => ({ ...document, expires_in: String(document['expires_in']) })],
    ['has expires_in of a thousand years', (document) => ({ ...document, expires_in: 31_557_600_000 })],
    ['has an account picture of 40 KiB', (document) => ({ ...document, picture: 'x'.repeat(40_960) })],
    ['has a scope of 40 KiB', (document) => ({ ...document, scope: 'x '.repeat(20_480) })],
    ['has a refresh token of 40 KiB', (document) => ({ ...document, refresh_token: 'x'.repeat(40_960) })],
    ['has an empty refresh token', (document) => ({ ...document, refresh_token: '' })],
    ['is of Slack, with the token of the user alone', (document) => ({ ok: true, authed_user: slackUser(document) })],
    [
      'is of Slack, with an empty grant beside that of the user',
      (document) => ({
        ok: true,
        access_token: 'xoxb',
        token_type: 'bot',
        scope: '',
        authed_user: slackUser(document),
      }),
    ],
    [
      'is in Slack’s format, with the kind of token as its type',
      ({ scope, ...document }) => ({ ...document, ok: true, token_type: 'user', authed_user: { id: 'U1', scope } }),
    ],
    ['has an id_token for another audience', (document) => ({ ...document, id_token: 'e30.e30.e30' })],
  ])('that %s leads to a connection', async (_, change) => {
    const { mcp } = await startPair(answering('authorization_code', change));
    await proveConnection(createTestEngine(), mcp.url);
  });

  it.each<[string, (document: Document) => Document | EndpointResponse]>([
    ['commas', (document) => ({ ...document, scope: String(document['scope']).replaceAll(' ', ',') })],
    ['commas and spaces', (document) => ({ ...document, scope: String(document['scope']).replaceAll(' ', ', ') })],
    [
      'commas, in form fields as GitHub sends them',
      (document) => asForm({ ...document, scope: String(document['scope']).replaceAll(' ', ',') }),
    ],
    ['spaces, in form fields', asForm],
    ['spaces, in form fields under the type of a page', (document) => ({ ...asForm(document), type: 'text/html' })],
  ])('that separates scopes by %s shows what was granted', async (_what, change) => {
    const { mcp } = await startPair(answering('authorization_code', change));
    const { integration } = await proveConnection(createTestEngine(), mcp.url);
    expect(integration.scope?.split(' ').toSorted()).toEqual(['notes:read', 'notes:write']);
  });

  it.each<[string, Document]>([
    ['JSON', { ok: false, error: 'team_access_not_granted' }],
    ['JSON without a reason', { ok: false }],
  ])('that is {"ok":false} under 200 (%s) is a rejection, shown once', async (_what, errorCode) => {
    const { as, mcp } = await startPair(answering('authorization_code', () => errorCode));
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({
      code: 'TOKEN_ERROR',
      detail: { error: 'unknown' },
    });
    expect(ofGrant(as, 'authorization_code')).toHaveLength(1);
    expect(requestsTo(as, '/authorize')).toHaveLength(1);
    expect(engine.dialogs.map(({ error }) => error?.stage)).toEqual(['token']);
    await expectNothingStored(engine);
  });

  it('without a scope means the requested one (RFC 6749 5.1)', async () => {
    const { mcp } = await startPair(answering('authorization_code', without('scope')));
    const { integration } = await proveConnection(createTestEngine(), mcp.url);
    expect(integration.scope).toBeUndefined();
    expect(integration.scopeRequested).toBe('notes:read notes:write offline_access');
  });

  it.each([400, 401])(
    'that is a %i with an empty body invents no error code, and leads back to the dialog',
    async (status) => {
      const { mcp } = await startPair(answering('authorization_code', () => ({ status, body: '' })));
      const engine = createTestEngine();
      expect(await failureOf(engine.connect(mcp.url))).toMatchObject({
        stage: 'token',
        detail: { error: 'unknown', status },
      });
      expect(engine.dialogs.map(({ error }) => error?.stage)).toEqual(['token']);
      await expectNothingStored(engine);
    },
  );
});

describe('a refresh token', () => {
  it('is requested by offline_access and prompt=consent, without which some servers issue none', async () => {
    const clock = createFakeClock(Date.now());
    const { as, mcp } = await startPair({ issueRefreshTokens: 'offline-access', accessTokenSeconds: lifetime });
    const engine = createTestEngine({ clock });
    const { integration } = await proveConnection(engine, mcp.url);
    const query = requestsTo(as, '/authorize')[0]?.query;
    expect(query?.get('scope')?.split(' ')).toContain('offline_access');
    expect(query?.get('prompt')).toBe('consent');

    clock.advance(nearEnd);
    await proveUse(engine, integration);
    expect(ofGrant(as, 'refresh_token').map(({ status }) => status)).toEqual([200]);
  });

  it('is not requested by a scope that the server does not list, nor is consent', async () => {
    const { as, mcp } = await startPair({ scopesSupported: ['notes:read', 'notes:write'] });
    await proveConnection(createTestEngine(), mcp.url);
    const query = requestsTo(as, '/authorize')[0]?.query;
    expect(query?.get('scope')).toBe('notes:read notes:write');
    expect(query?.has('prompt')).toBe(false);
  });

  it('that was never issued leads to a demand to sign in when the access token expires', async () => {
    const clock = createFakeClock(Date.now());
    const { mcp } = await startPair({ issueRefreshTokens: false, accessTokenSeconds: lifetime });
    const engine = createTestEngine({ clock });
    const { integration } = await proveConnection(engine, mcp.url);
    clock.advance(lifetime * 1_000);
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
    expect(await engine.tools(integration, { signIn: true })).toContain('whoami');
  });

  it('stays in use if the refresh response has none (RFC 6749 6)', async () => {
    const clock = createFakeClock(Date.now());
    const { as, mcp } = await startPair({
      rotateRefreshTokens: false,
      accessTokenSeconds: lifetime,
      ...answering('refresh_token', without('refresh_token', 'scope')),
    });
    const engine = createTestEngine({ clock });
    const { integration } = await proveConnection(engine, mcp.url);
    for (let round = 0; round < 2; round += 1) {
      clock.advance(nearEnd);
      await proveUse(engine, integration);
    }
    const sent = ofGrant(as, 'refresh_token');
    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(sent.map(({ body }) => body?.['refresh_token'])).size).toBe(1);
    expect((await engine.read(integration)).scope).toBe(integration.scope);
  });

  it.each<[string, EndpointResponse]>([
    ['400 bad_refresh_token', { status: 400, body: { error: 'bad_refresh_token' } }],
    ['200 with an error', { status: 200, body: { error: 'invalid_grant' } }],
    ['403 invalid_grant', { status: 403, body: { error: 'invalid_grant' } }],
  ])('that is dead, with the response %s, is reported as such, and signing in again helps', async (_, response) => {
    const fake = createFakeClock(Date.now());
    // The pause between two tries is real, so that the test need not move the clock meanwhile.
    const clock = { ...fake, after: systemClock.after };
    const { mcp } = await startPair({ accessTokenSeconds: lifetime, ...answering('refresh_token', () => response) });
    const engine = createTestEngine({ clock });
    const { integration } = await proveConnection(engine, mcp.url);

    fake.advance(lifetime * 1_000);
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'REFRESH_REVOKED' });
    const ended = await engine.read(integration);
    expect(ended.state).toBe('reauthenticationRequired');
    expect(await engine.tools(ended, { signIn: true })).toContain('whoami');
    expect((await engine.read(integration)).state).toBe('integrated');
  });
});
