import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { toCommandError } from '../../../main/cli/output/describe-error.ts';
import { toPlainError } from '../../../main/errors/postern-error.ts';
import { stateLifetime } from '../../../main/limits.ts';
import { Secret } from '../../../main/secret.ts';
import type { AuthorizationServerOptions } from '../../demo/authorization-server-options.ts';
import { completeSignIn } from '../../support/scripted-browser.ts';
import { requestsTo, startPair, startResource, startServer } from '../../support/demo-pair.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { expectNothingStored, failureOf, proveConnection } from '../../support/prove-connection.ts';
import { approving, createTestEngine } from '../../support/test-engine.ts';
import type { ConnectOptions } from '../../support/test-engine.ts';
import { without } from '../../support/without.ts';

/** What authorization endpoints require and how they deny, on oidc-provider; `refuse` is a filter in front of it. */

/** Responds to an authorization request with an error if `error` names one. */
function refuse(error: (query: URLSearchParams) => string | undefined): AuthorizationServerOptions {
  return {
    intercept: (request: IncomingMessage, response: ServerResponse) => {
      const url = new URL(request.url ?? '', 'http://as');
      const code = url.pathname === '/authorize' ? error(url.searchParams) : undefined;
      if (code === undefined) return false;
      const location = new URL(url.searchParams.get('redirect_uri') ?? '');
      location.search = String(
        new URLSearchParams({
          error: code,
          state: url.searchParams.get('state') ?? '',
          iss: `http://${request.headers.host}`,
        }),
      );
      response.writeHead(302, { location: location.href }).end();
      return true;
    },
  };
}

const withoutPkce: AuthorizationServerOptions = {
  metadata: without('code_challenge_methods_supported'),
};

describe('the parameters of an authorization request', () => {
  it('send a nonce with openid, which some servers require in the code flow too', async () => {
    const { as, mcp } = await startPair({
      scopesSupported: ['openid', 'notes:read', 'notes:write', 'offline_access'],
      ...refuse((query) => {
        const isOpenId = query.get('scope')?.split(' ').includes('openid') === true;
        return isOpenId && (query.get('nonce') ?? '').length < 22 ? 'invalid_request' : undefined;
      }),
    });
    await proveConnection(createTestEngine(), mcp.url, { scope: 'openid notes:read notes:write' });
    expect(requestsTo(as, '/authorize')[0]?.query.get('nonce')).toMatch(/^[\w-]{43}$/);
  });

  const methodsAt = (as: Parameters<typeof requestsTo>[0]) =>
    requestsTo(as, '/authorize').map(({ query }) => query.get('code_challenge_method'));

  it('are sent once more with S256 if PKCE is required but not listed: noted, and remembered', async () => {
    const { as, mcp } = await startPair(withoutPkce);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration).toMatchObject({ notes: ['pkce-not-listed'], options: { pkce: 'always' } });
    expect(methodsAt(as)).toEqual([null, 'S256']);
    expect(requestsTo(as, '/token').map(({ body, status }) => [body?.['code_verifier'] !== undefined, status])).toEqual(
      [[true, 200]],
    );

    expect(await engine.call(integration, 'delete_notes', {}, { signIn: true })).toContain('Removed');
    expect(methodsAt(as)).toEqual([null, 'S256', 'S256']);
    expect((await engine.read(integration)).notes).toEqual(['pkce-not-listed']);
  });

  it('are not sent a third time if invalid_request was about something else', async () => {
    const { as, mcp } = await startPair({ ...withoutPkce, ...refuse(() => 'invalid_request') });
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url));
    expect(error).toMatchObject({ code: 'AS_ERROR', detail: { error: 'invalid_request' } });
    expect(toCommandError(error, {}).nextStep).not.toContain('--pkce');
    expect(methodsAt(as)).toEqual([null, 'S256']);
    await expectNothingStored(engine);
  });

  it.each<[string, AuthorizationServerOptions, ConnectOptions, string]>([
    ['S256 is listed', {}, {}, 'invalid_request'],
    ['the user has chosen it', withoutPkce, { pkce: 'always' }, 'invalid_request'],
    ['another error is reported', withoutPkce, {}, 'invalid_scope'],
  ])('are not sent again if %s', async (_, options, chosen, code) => {
    const { as, mcp } = await startPair({ ...options, ...refuse(() => code) });
    await failureOf(createTestEngine().connect(mcp.url, chosen));
    expect(requestsTo(as, '/authorize')).toHaveLength(1);
  });

  it('produce a remedy if resource is rejected, and connect without it', async () => {
    const { as, mcp } = await startPair({
      resourceRequired: false,
      ...refuse((query) => (query.has('resource') ? 'invalid_target' : undefined)),
    });
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url));
    expect(error).toMatchObject({ code: 'AS_ERROR', detail: { error: 'invalid_target' } });
    expect(toCommandError(error, {}).nextStep).toContain('--no-resource');
    await expectNothingStored(engine);

    const { integration } = await proveConnection(engine, mcp.url, { sendResource: false });
    expect(integration.resource).toBeUndefined();
    expect(requestsTo(as, '/token').map(({ body }) => body?.['resource'])).toEqual([undefined]);
  });

  it('get a token for this server where one without resource is worthless (RFC 8707)', async () => {
    const as = await startServer({ resourceRequired: false });
    as.addResource('https://elsewhere.example/mcp', ['notes:read', 'notes:write']);
    const mcp = await startResource(as);
    await proveConnection(createTestEngine(), mcp.url);

    // The counterpart: without the parameter the server rejects the token, so the test above proves something.
    const { warnings } = await createTestEngine().connect(mcp.url, { sendResource: false });
    expect(warnings.map(({ code }) => code)).toEqual(['TOKEN_REJECTED']);
  });

  it.each([
    ['notes app:1+2', 'pass%word+with:stuff/=&'],
    ['client-1.a_b~c', 'dashes-and.dots_and~tildes-and!stars*'],
  ])('send ID %j and its secret so that a strict server reads them (RFC 6749 2.3.1)', async (id, secret) => {
    const { as, mcp } = await startPair({
      registration: 'off',
      metadata: (document) => ({ ...document, token_endpoint_auth_methods_supported: ['client_secret_basic'] }),
      typedClients: [{ id, secret, redirectUris: ['http://127.0.0.1/integration/oauth/callback'] }],
    });
    const credentials = { clientId: id, clientSecret: new Secret(secret) };
    await proveConnection(createTestEngine(), mcp.url, { credentials });
    expect(requestsTo(as, '/token').map(({ status }) => status)).toEqual([200]);
  });
});

describe('a denial', () => {
  it.each([
    ...['consent_required', 'interaction_required', 'access_denied', 'user_denied', 'cancelled'],
    ...['consent_denied', 'user_cancelled_login', 'User Canceled', 'authorization_declined'],
  ])('reported as %s is the user’s choice: nothing is stored and nothing retried', async (code) => {
    const { as, mcp } = await startPair(refuse(() => code));
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'USER_DENIED', stage: 'callback' });
    expect(requestsTo(as, '/authorize')).toHaveLength(1);
    expect(requestsTo(as, '/token')).toEqual([]);
    await expectNothingStored(engine);
  });

  it.each([
    ...(['server_error', 'temporarily_unavailable', 'login_required', 'e_42'] as const).map(
      (code) => [code, true] as const,
    ),
    ...(['invalid_scope', 'invalid_target', 'unauthorized_client', 'unsupported_response_type'] as const).map(
      (code) => [code, false] as const,
    ),
  ])('reported as %s can be retried unchanged: %s', async (code, retryable) => {
    const { mcp } = await startPair(refuse(() => code));
    const error = await failureOf(createTestEngine().connect(mcp.url));
    expect(toPlainError(error)).toMatchObject({ code: 'AS_ERROR', retryable });
  });

  it('by the Deny button is the same', async () => {
    const { mcp } = await startPair();
    const engine = createTestEngine({ user: approving({ deny: true }) });
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'USER_DENIED' });
    await expectNothingStored(engine);
  });

  it('without any response ends at the deadline with a typed error, and the callback is closed', async () => {
    const { mcp } = await startPair();
    let callbackUrl = '';
    const clock = createFakeClock(Date.now());
    const engine = createTestEngine({
      clock,
      user: async (pending) => {
        callbackUrl = pending.callbackUrl;
        // The page shows the denial and does not redirect.
        await completeSignIn(pending.url, { stopBefore: ({ pathname }) => pathname.startsWith('/interaction/') });
        clock.advance(stateLifetime);
      },
    });
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({
      code: 'STATE_EXPIRED',
      stage: 'authorization',
    });
    await expect(fetch(callbackUrl)).rejects.toThrow();
    await expectNothingStored(engine);
  });
});
