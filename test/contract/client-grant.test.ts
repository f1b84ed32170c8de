import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { RefreshScheduler } from '../../main/engine/refresh/refresh-scheduler.ts';
import { readClientKey } from '../../main/oauth/client/client-credentials.ts';
import { renewIntegration } from '../../main/operations/servers.ts';
import { Secret } from '../../main/secret.ts';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { hasTicket, ticketOf } from '../support/connection-facts.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { expectNothingStored, failureOf, proveConnection, proveUse } from '../support/prove-connection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** The client credentials grant, without a user (RFC 6749 section 4.4, SEP-1046), on oidc-provider. */

const { signal } = new AbortController();
const grant = 'client-credentials';
const clientId = 'night-job';
const clientSecret = 'SECRET-OF-THE-JOB';

const withSecret: AuthorizationServerOptions = {
  registration: 'off',
  typedClients: [{ id: clientId, secret: clientSecret, redirectUris: [] }],
};
const credentials = { clientId, clientSecret: new Secret(clientSecret) };

describe('the client credentials grant', () => {
  it('gets an access token with its secret and no page, for the named server (RFC 8707)', async () => {
    const { as, mcp } = await startPair(withSecret);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url, { grant, credentials });
    expect(engine.opened).toEqual([]);
    expect(requestsTo(as, '/authorize')).toEqual([]);
    const [first] = requestsTo(as, '/token');
    expect(first?.body).toMatchObject({ grant_type: 'client_credentials', resource: mcp.url });
    expect(String(first?.body?.['scope'])).not.toMatch(/offline_access|openid/u);
    expect(integration).toMatchObject({ method: 'OAuth', hasRefreshToken: true, options: { grant } });
  });

  it('gets an access token with a signature of its key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { as, mcp } = await startPair({
      ...withSecret,
      tokenEndpointAuthMethods: ['client_secret_basic', 'private_key_jwt'],
      typedClients: [{ id: clientId, jwks: { keys: [publicKey.export({ format: 'jwk' })] }, redirectUris: [] }],
    });
    const clientKey = readClientKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    await proveConnection(createTestEngine(), mcp.url, { grant, credentials: { clientId, clientKey } });
    expect(requestsTo(as, '/token')[0]?.body).toMatchObject({ client_assertion: expect.any(String) });
  });

  it('needs no sign-in page, nor a service that names one (RFC 8414 section 2)', async () => {
    const { mcp } = await startPair({
      ...withSecret,
      metadata: (document) => ({
        ...document,
        authorization_endpoint: undefined,
        grant_types_supported: ['client_credentials'],
        response_types_supported: [],
      }),
    });
    await proveConnection(createTestEngine(), mcp.url, { grant, credentials });
    const error = await failureOf(createTestEngine().connect(mcp.url, { credentials }));
    expect(error).toMatchObject({ code: 'DEMAND_UNMET', detail: { demand: 'grant-type' } });
  });

  it('rejects metadata without a sign-in page where a grant needs one', async () => {
    const { mcp } = await startPair({
      ...withSecret,
      metadata: (document) => ({ ...document, authorization_endpoint: undefined }),
    });
    const error = await failureOf(createTestEngine().connect(mcp.url, { grant, credentials }));
    expect(error).toMatchObject({ stage: 'discovery' });
  });

  it("is refreshed in the background, like a user's sign-in", async () => {
    const { as, mcp } = await startPair({ ...withSecret, accessTokenSeconds: 2 });
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { grant, credentials });
    const renewed = Promise.withResolvers<void>();
    const scheduler = new RefreshScheduler(engine.ports, () => {
      if (requestsTo(as, '/token').length > 1) renewed.resolve();
    });
    onTestFinished(() => scheduler.stop());
    await scheduler.review();
    await renewed.promise;
    await scheduler.stop();
    expect(await engine.read(integration)).toMatchObject({ state: 'integrated', hasRefreshToken: true });
  });

  it('requests the same scope again when the access token expires, and stores no refresh token', async () => {
    const { as, mcp } = await startPair(withSecret);
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { grant, credentials });
    expect(await renewIntegration(engine.ports, integration, { signal })).toMatchObject({ kind: 'renewed' });
    await proveUse(engine, await engine.read(integration));
    const [first, second] = requestsTo(as, '/token').map(({ body }) => body);
    expect(second).toEqual(first);
    const stored = await engine.vault.read({
      kind: 'tokens',
      owner: integration.id,
      issuerKey: integration.issuerKey ?? '',
    });
    expect(stored).not.toHaveProperty('refreshToken');
  });

  it('signs in again with the stored client', async () => {
    const { as, mcp } = await startPair(withSecret);
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { grant, credentials });
    await signOut(engine.ports, integration, signal);
    const now = await engine.read(integration);
    expect(await engine.tools(now, { signIn: true })).toContain('word_count');
    expect(engine.opened).toEqual([]);
    expect(requestsTo(as, '/token')).toHaveLength(2);
  });

  it('retries later while the service is down, as often as needed: nothing is used up', async () => {
    let isAway = false;
    const { mcp } = await startPair({
      ...withSecret,
      intercept: ({ url }, response) => {
        if (!isAway || url !== '/token') return false;
        response.destroy();
        return true;
      },
    });
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { grant, credentials });
    isAway = true;
    for (let tries = 0; tries < 4; tries += 1) {
      const error = await failureOf(renewIntegration(engine.ports, await engine.read(integration), { signal }));
      expect(error).toMatchObject({ code: 'REFRESH_TRANSIENT' });
    }
    isAway = false;
    const renewed = await renewIntegration(engine.ports, await engine.read(integration), { signal });
    expect(renewed).toMatchObject({ kind: 'renewed', integration: { state: 'integrated' } });
  });
});

describe('a service that refuses client credentials', () => {
  it.each([
    ['by its secret', withSecret, { ...credentials, clientSecret: new Secret('wrong') }, 'TOKEN_ERROR'],
    ['by its type', { ...withSecret, typedClients: [] }, credentials, 'TOKEN_ERROR'],
    ['since it proves nothing', withSecret, { clientId }, 'CREDENTIALS_REQUIRED'],
    [
      'since it gives no such access',
      { ...withSecret, metadata: (document) => ({ ...document, grant_types_supported: ['authorization_code'] }) },
      credentials,
      'DEMAND_UNMET',
    ],
  ] as [string, AuthorizationServerOptions, typeof credentials, string][])(
    '%s ends with a typed error',
    async (...row) => {
      const [, options, client, code] = row;
      const { mcp } = await startPair(options);
      const engine = createTestEngine();
      expect(await failureOf(engine.connect(mcp.url, { grant, credentials: client }))).toMatchObject({ code });
      expect(engine.opened).toEqual([]);
      await expectNothingStored(engine);
    },
  );

  it('with an insecure token endpoint gets no secret (MD-23)', async () => {
    const { mcp } = await startPair({
      ...withSecret,
      metadata: (document) => ({ ...document, token_endpoint: 'http://as.example/token' }),
    });
    const engine = createTestEngine();
    await failureOf(engine.connect(mcp.url, { grant, credentials }));
    expect(engine.sent.filter(({ purpose }) => purpose === 'token')).toEqual([]);
  });
});

describe('the window', () => {
  it('takes the typed client, and registers none even if the service would', async () => {
    const { as, mcp } = await startPair({ ...withSecret, registration: 'open' });
    const desktop = await createTestDesktop({});
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: { local: true } });
    const { verdict } = await desktop.connection(id, ({ state }) => state.name === 'discovered');
    expect(verdict?.kind).toBe('registersItself');
    await desktop.call('connection:start', { id, name: 'Job', options: { grant }, ownOAuthApp: true });
    const { credentialsRequest } = await desktop.connection(id, (view) => view.credentialsRequest !== undefined);
    expect(credentialsRequest).not.toHaveProperty('canRegister');
    await desktop.call('connection:submitCredentials', { id, clientId, clientSecret: 'wrong' });
    await desktop.connection(id, ({ state }) => state.name === 'failed');
    await desktop.call('connection:start', { id, options: { grant } });
    await desktop.connection(id, (view) => view.credentialsRequest !== undefined);
    await desktop.call('connection:submitCredentials', { id, clientId, clientSecret });
    const ticketId = ticketOf(await desktop.connection(id, hasTicket)) ?? '';
    const { integrationId } = await desktop.call('connection:install', { ticketId });
    expect(await desktop.engine.ports.store.read(integrationId)).toMatchObject({ method: 'OAuth', options: { grant } });
    expect((await desktop.call('integration:tools', { id: integrationId })).tools.length).toBeGreaterThan(0);
    expect([...desktop.popups, ...requestsTo(as, '/register'), ...requestsTo(as, '/authorize')]).toEqual([]);
  });

  it('shows it if the service has no sign-in page at all', async () => {
    const { mcp } = await startPair({
      ...withSecret,
      metadata: (document) => ({
        ...document,
        authorization_endpoint: undefined,
        grant_types_supported: ['client_credentials'],
        response_types_supported: [],
      }),
    });
    const desktop = await createTestDesktop({});
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: { local: true } });
    const { state } = await desktop.connection(id, ({ state: { name } }) => name === 'failed');
    expect(state).toMatchObject({ error: { code: 'DEMAND_UNMET', stage: 'discovery' } });
    await desktop.call('connection:start', { id, options: { grant }, ownOAuthApp: true });
    await desktop.connection(id, (view) => view.credentialsRequest !== undefined);
    await desktop.call('connection:submitCredentials', { id, clientId, clientSecret });
    await desktop.connection(id, hasTicket);
  });
});

describe('postern connect --grant client-credentials', () => {
  it('opens nothing, reports each step, and shows no secret', async () => {
    const { mcp } = await startPair(withSecret);
    const home = temporaryFolder();
    const words = ['connect', mcp.url, '--local', '--grant', grant, '--client-id', clientId, '--client-secret-stdin'];
    const result = await runInProcess([...words, '--json'], { home, stdin: `${clientSecret}\n` });
    expect(result).toMatchObject({ code: 0, last: { integration: { method: 'OAuth' } } });
    expect(result.stdout + result.stderr).not.toContain(clientSecret);
    const { id = '' } = result.last['integration'] as { id?: string };
    const shown = await runInProcess(['show', id], { home });
    expect(shown.stdout).toContain('without a user');
    expect(shown.stdout).toContain('--grant client-credentials');
    expect(await runInProcess(['call', id, 'word_count', '{"text":"a b"}', '--json'], { home })).toMatchObject({
      code: 0,
    });
  });

  it.each([[[]], [['--client-id', clientId]], [['--client-secret-stdin']]])(
    'with only %j is a usage error',
    async (more) => {
      const words = ['connect', 'https://mcp.example', '--grant', grant, ...more, '--json'];
      const result = await runInProcess(words, { home: temporaryFolder(), stdin: '' });
      expect(result).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
    },
  );

  it('is rejected together with a device sign-in, which would be ignored', async () => {
    const words = [
      'connect',
      'https://mcp.example',
      '--grant',
      grant,
      '--client-id',
      clientId,
      '--client-secret-stdin',
    ];
    const more = ['--sign-in', 'device', '--json'];
    const result = await runInProcess([...words, ...more], { home: temporaryFolder(), stdin: `${clientSecret}\n` });
    expect(result).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
  });
});
