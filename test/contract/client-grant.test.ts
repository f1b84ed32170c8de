import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { signOut } from '../../main/engine/leave/sign-out.ts';
import { RefreshScheduler } from '../../main/engine/refresh/refresh-scheduler.ts';
import { readClientKey } from '../../main/oauth/client/client-credentials.ts';
import { renewIntegration } from '../../main/operations/servers.ts';
import { Secret } from '../../main/secret.ts';
import type { AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { hasTicket, ticketOf } from '../support/connection-facts.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { expectNothingKept, failureOf, proveConnection, proveUse } from '../support/prove-connection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Access of the client itself, without a person (RFC 6749 section 4.4, SEP-1046), on oidc-provider. */

const { signal } = new AbortController();
const grant = 'client-credentials';
const clientId = 'night-job';
const clientSecret = 'SECRET-OF-THE-JOB';

const withSecret: AuthorizationServerOptions = {
  registration: 'off',
  typedClients: [{ id: clientId, secret: clientSecret, redirectUris: [] }],
};
const credentials = { clientId, clientSecret: new Secret(clientSecret) };

describe('a client that asks for itself', () => {
  it('gets access with its secret and no page, for the server that is named (RFC 8707)', async () => {
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

  it('gets it with a signature of its key', async () => {
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

  it('is refused a document without a page where a grant begins on one', async () => {
    const { mcp } = await startPair({
      ...withSecret,
      metadata: (document) => ({ ...document, authorization_endpoint: undefined }),
    });
    const error = await failureOf(createTestEngine().connect(mcp.url, { grant, credentials }));
    expect(error).toMatchObject({ stage: 'discovery' });
  });

  it('is kept alive in the background, as what a person has signed in to', async () => {
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

  it('asks again with the same scope when the access ends, and keeps no refresh token', async () => {
    const { as, mcp } = await startPair(withSecret);
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { grant, credentials });
    expect(await renewIntegration(engine.ports, integration, { signal })).toMatchObject({ kind: 'renewed' });
    await proveUse(engine, await engine.read(integration));
    const [first, second] = requestsTo(as, '/token').map(({ body }) => body);
    expect(second).toEqual(first);
    const kept = await engine.vault.read({
      kind: 'tokens',
      owner: integration.id,
      issuerKey: integration.issuerKey ?? '',
    });
    expect(kept).not.toHaveProperty('refreshToken');
  });

  it('signs in again with what is kept of the client', async () => {
    const { as, mcp } = await startPair(withSecret);
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { grant, credentials });
    await signOut(engine.ports, integration, signal);
    const now = await engine.read(integration);
    expect(await engine.tools(now, { signIn: true })).toContain('word_count');
    expect(engine.opened).toEqual([]);
    expect(requestsTo(as, '/token')).toHaveLength(2);
  });

  it('asks later where the service is away, however often: nothing is used up', async () => {
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

describe('a service that refuses a client that asks for itself', () => {
  it.each([
    ['by its secret', withSecret, { ...credentials, clientSecret: new Secret('wrong') }, 'TOKEN_ERROR'],
    ['by its kind', { ...withSecret, typedClients: [] }, credentials, 'TOKEN_ERROR'],
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
      await expectNothingKept(engine);
    },
  );

  it('at an insecure token endpoint gets no secret (MD-23)', async () => {
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
  it('takes the client that is typed, and registers none where the service would', async () => {
    const { as, mcp } = await startPair({ ...withSecret, registration: 'open' });
    const desktop = await createTestDesktop({});
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: { local: true } });
    const { verdict } = await desktop.connection(id, ({ state }) => state.name === 'discovered');
    expect(verdict?.kind).toBe('registersItself');
    await desktop.call('connection:start', { id, name: 'Job', options: { grant }, ownApp: true });
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

  it('offers it where the service has no sign-in page at all', async () => {
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
    await desktop.call('connection:start', { id, options: { grant }, ownApp: true });
    await desktop.connection(id, (view) => view.credentialsRequest !== undefined);
    await desktop.call('connection:submitCredentials', { id, clientId, clientSecret });
    await desktop.connection(id, hasTicket);
  });
});

describe('postern connect --grant client-credentials', () => {
  it('opens nothing, says what it is, and shows no secret', async () => {
    const { mcp } = await startPair(withSecret);
    const home = temporaryFolder();
    const words = ['connect', mcp.url, '--local', '--grant', grant, '--client-id', clientId, '--client-secret-stdin'];
    const result = await runInProcess([...words, '--json'], { home, stdin: `${clientSecret}\n` });
    expect(result).toMatchObject({ code: 0, last: { integration: { method: 'OAuth' } } });
    expect(result.stdout + result.stderr).not.toContain(clientSecret);
    const { id = '' } = result.last['integration'] as { id?: string };
    const shown = await runInProcess(['show', id], { home });
    expect(shown.stdout).toContain('of the program itself');
    expect(shown.stdout).toContain('--grant client-credentials');
    expect(await runInProcess(['call', id, 'word_count', '{"text":"a b"}', '--json'], { home })).toMatchObject({
      code: 0,
    });
  });

  it.each([[[]], [['--client-id', clientId]], [['--client-secret-stdin']]])(
    'with %j alone is not understood',
    async (more) => {
      const words = ['connect', 'https://mcp.example', '--grant', grant, ...more, '--json'];
      const result = await runInProcess(words, { home: temporaryFolder(), stdin: '' });
      expect(result).toMatchObject({ code: 2, last: { error: { code: 'USAGE' } } });
    },
  );

  it('does not go together with a sign-in on a device, of which one would be passed over', async () => {
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
