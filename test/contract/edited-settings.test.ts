import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tokensKey } from '../../main/engine/records/stored-secrets.ts';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { callbackUrl } from '../../main/engine/sign-in/callback-address.ts';
import type { PosternError } from '../../main/errors/postern-error.ts';
import { Secret } from '../../main/secret.ts';
import type { Integration, IntegrationOptions } from '../../shared/integration.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { requestsTo, startPair, startResource, startServer } from '../support/demo-pair.ts';
import { freePort } from '../support/free-port.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { refreshIntegration } from '../support/refresh-integration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { approving, createTestEngine } from '../support/test-engine.ts';
import type { ScriptedUser, TestEngine } from '../support/test-engine.ts';

/** `config.json` is edited while the app exists. What is stored for one address must not go to another one. */

const { signal } = new AbortController();
const clientSecret = 'SECRET-OF-THE-HONEST-SERVICE';

/** An attacker's server that names the honest service as its sign-in service, and records what it receives. */
async function startAttacker(issuer: string) {
  const server = await serveHttp((request, response) => {
    request.resume();
    const { origin } = attacker;
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [issuer] }));
    } else if (request.url?.startsWith('/.well-known/')) {
      response.writeHead(404).end();
    } else {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
    }
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const attacker = {
    origin: server.origin,
    url: `${server.origin}/mcp`,
    received: () => decodeBasic(server.received()),
  };
  return attacker;
}

const decodeBasic = (text: string): string =>
  text.replaceAll(/Basic ([\w+/=]+)/gu, (_, basic: string) => Buffer.from(basic, 'base64').toString());

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'ok',
    (error: PosternError) => error.code,
  );

/** Every secret text that the vault stores for an integration. */
async function secretsOf({ vault }: TestEngine, { id }: Integration): Promise<string[]> {
  const secrets: string[] = [];
  for (const key of await vault.keysOf(id)) {
    const record = (await vault.read(key)) as Record<string, unknown>;
    for (const name of ['accessToken', 'refreshToken', 'clientSecret']) {
      const value = record[name];
      if (typeof value === 'string') secrets.push(value);
    }
  }
  return secrets;
}

describe('the address of a server, edited in the settings file', () => {
  async function changed(change: Partial<Integration> = {}) {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url);
    const attacker = await startAttacker(as.issuer);
    const edited = { ...integration, url: attacker.url, ...change };
    await engine.ports.store.write(edited);
    return { as, mcp, engine, integration, attacker, edited };
  }

  it.each([
    ['alone', {}],
    ['together with the resource', { resource: 'http://127.0.0.1:9/mcp' }],
  ])('%s gets no token: the user is notified, and the list shows it too (RFC 8707 2)', async (_, change) => {
    const { as, engine, attacker, edited } = await changed(change);
    const refreshed = requestsTo(as, '/token').length;
    expect(await codeOf(engine.tools(edited))).toBe('ADDRESS_CHANGED');
    expect(await codeOf(refreshIntegration(engine.ports, edited, { signal }))).toBe('ADDRESS_CHANGED');
    expect(requestsTo(as, '/token')).toHaveLength(refreshed);
    const secrets = await secretsOf(engine, edited);
    expect(secrets.length).toBeGreaterThan(1);
    for (const secret of secrets) expect(attacker.received()).not.toContain(secret);
    expect(await engine.read(edited)).toMatchObject({ state: 'reauthenticationRequired', notes: ['address-changed'] });
  });

  it('counts as edited if only the resource changes', async () => {
    const { engine, integration } = await changed();
    const edited = { ...integration, resource: `${integration.resource ?? ''}/elsewhere` };
    expect(await codeOf(engine.tools(edited))).toBe('ADDRESS_CHANGED');
  });

  it('counts as edited if only the path changes', async () => {
    const { engine, edited, mcp } = await changed();
    const elsewhere = { ...edited, url: `${mcp.url}/elsewhere` };
    expect(await codeOf(engine.tools(elsewhere))).toBe('ADDRESS_CHANGED');
  });

  it('and changed back, leaves the sign-in as it was', async () => {
    const { engine, edited, integration } = await changed();
    await codeOf(engine.tools(edited));
    const back = { ...(await engine.read(edited)), url: integration.url };
    await engine.ports.store.write(back);
    expect(await engine.tools(back)).toContain('whoami');
    expect(await engine.read(back)).toMatchObject({ state: 'integrated', notes: integration.notes });
  });

  it('is reported before a new sign-in begins, and the new tokens are for the new address', async () => {
    const { as, engine, integration } = await changed();
    const other = await startResource(as);
    const moved = { ...integration, url: other.url };
    await engine.ports.store.write(moved);
    expect(await engine.tools(moved, { signIn: true })).toContain('whoami');
    expect(engine.events).toContainEqual({ event: 'note', note: 'address-changed' });
    expect(await codeOf(engine.tools(await engine.read(moved)))).toBe('ok');
    expect(await codeOf(engine.tools(integration))).toBe('ADDRESS_CHANGED');
  });

  it('does not prevent tokens from being revoked where they came from (RFC 7009)', async () => {
    const { as, engine, edited, attacker } = await changed();
    expect(await signOut(engine.ports, edited, signal)).toMatchObject({ revocation: 'revoked' });
    expect(requestsTo(as, '/revoke').length).toBeGreaterThan(0);
    expect(attacker.received()).toBe('');
  });
});

describe('tokens that an earlier version stored without the address that they are for', () => {
  async function storedBefore(sendResource = true) {
    const { as, mcp } = await startPair({ resourceRequired: sendResource });
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { sendResource });
    const key = tokensKey(integration.id, integration.issuerKey ?? '');
    const { server, ...earlier } = (await engine.vault.read(key)) as Record<string, unknown>;
    expect(server).toBe(mcp.url);
    await engine.vault.write(key, earlier);
    const server_ = async (): Promise<unknown> => ((await engine.vault.read(key)) as { server?: string }).server;
    return { as, mcp, engine, integration, boundTo: server_, attacker: await startAttacker(as.issuer) };
  }

  it.each([true, false])('are bound to it at first use (resource recorded: %s)', async (sendResource) => {
    const { engine, integration, boundTo, mcp, attacker } = await storedBefore(sendResource);
    expect(await engine.tools(integration)).toContain('whoami');
    expect(await boundTo()).toBe(mcp.url);
    expect(await codeOf(engine.tools({ ...integration, url: attacker.url }))).toBe('ADDRESS_CHANGED');
  });

  it('are bound to the resource that they were requested for, not to what the settings file says at first use', async () => {
    const { engine, integration, attacker, boundTo } = await storedBefore();
    expect(await codeOf(engine.tools({ ...integration, url: attacker.url }))).toBe('ADDRESS_CHANGED');
    expect(await codeOf(engine.tools({ ...integration, url: attacker.url, resource: attacker.url }))).toBe(
      'ADDRESS_CHANGED',
    );
    expect(await boundTo()).toBeUndefined();
    expect(attacker.received()).not.toContain('Bearer ey');
  });

  it('are sent to nobody if no resource was sent and the address has another owner than the token endpoint', async () => {
    const { engine, integration, attacker } = await storedBefore(false);
    const foreign = attacker.url.replace('127.0.0.1', 'localhost');
    expect(await codeOf(engine.tools({ ...integration, url: foreign }))).toBe('ADDRESS_CHANGED');
    for (const secret of await secretsOf(engine, integration)) expect(attacker.received()).not.toContain(secret);
  });
});

describe('every member of the settings file', () => {
  type Edits<Of> = { readonly [Member in keyof Required<Of>]: (attacker: string, honest: string) => Of[Member] };
  const none = (): never[] => [];

  /** What an attacker would write; the types require every existing member. */
  const members: Edits<Omit<Integration, 'options' | 'id'>> = {
    name: () => 'Renamed',
    alias: () => 'renamed',
    url: (attacker) => `${attacker}/mcp`,
    command: () => ({ command: 'env', path: '/usr/bin/env', arguments: [], variables: [] }),
    allowedCommand: () => '0'.repeat(64),
    method: () => 'OAuthWithDCR',
    state: () => 'integrated',
    reason: () => 'PRM_MISSING',
    failure: (attacker) => ({ since: 0, code: 'MCP_FAILED', stage: 'connection', detail: { host: attacker } }),
    issuerKey: (attacker) => attacker,
    authorizationServer: (attacker) => attacker,
    issuerFallback: () => 'subdomain',
    resource: (attacker) => `${attacker}/mcp`,
    redirectUri: (attacker) => `${attacker}/callback`,
    scope: () => 'everything',
    scopeRequested: () => 'everything',
    account: () => 'mallory@example.com',
    user: () => ({ name: 'Mallory', email: 'mallory@example.com' }),
    clientSecretExpiresAt: () => 1,
    expiresAt: () => 1,
    retryAt: () => 1,
    renewalRefused: () => true,
    boundToKey: () => true,
    hasRefreshToken: () => false,
    signedInAt: () => 1,
    keySavedAt: () => 1,
    refreshedAt: () => 1,
    createdAt: () => 1,
    protocol: () => 'stateless',
    notes: none,
    toolReview: () => ({ reviewedAt: 1, changedAt: 1 }),
    permissions: () => ({ preset: 'everything' }),
  };
  const options: Edits<IntegrationOptions> = {
    local: () => true,
    allowedHosts: (attacker) => [new URL(attacker).hostname],
    agreedHosts: (attacker) => [new URL(attacker).hostname],
    allowHttp: () => true,
    scope: () => 'everything',
    pkce: () => 'always',
    legacyEndpoints: () => true,
    clientMetadataUrl: (attacker) => `${attacker}/client.json`,
    sendResource: () => false,
    pushRequests: () => true,
    clientAuthentication: () => 'client_secret_post',
    grant: () => 'client-credentials',
    assertionFile: () => '/etc/hostname',
    identityProvider: () => 'mallory',
    isIdentityProvider: () => true,
    headerName: () => 'X-Api-Key',
    furtherHeaders: () => ['X-Tenant'],
    authorizationServer: (attacker) => attacker,
    endpoints: (attacker, honest) => ({ authorization: `${honest}/authorize`, token: `${attacker}/token` }),
    signInSurface: () => 'browser',
    callbackHost: () => 'localhost',
  };

  /** Edited alone, and together with the address. */
  type Edit = readonly [name: string, edit: (attacker: string, honest: string) => object];
  const edits: readonly Edit[] = [
    ...Object.entries(members).map(
      ([name, to]) => [name, (at: string, by: string) => ({ [name]: to(at, by) })] as const,
    ),
    ...Object.entries(options).map(
      ([name, to]) => [`options.${name}`, (at: string, by: string) => ({ options: { [name]: to(at, by) } })] as const,
    ),
  ];

  it('sends no token and no client secret to another place (MCP 2026-07-28, authorization server binding)', async () => {
    const port = await freePort();
    const client = { id: 'notes', secret: clientSecret, redirectUris: [callbackUrl({ host: '127.0.0.1', port })] };
    const as = await startServer({ registration: 'off', typedClients: [client] });
    const mcp = await startResource(as);
    const nobody = new Error('nobody is there');
    const users: ScriptedUser[] = [approving()];
    const engine = createTestEngine({ user: (...pending) => (users.shift() ?? approving())(...pending) });
    await engine.ports.store.updateSettings((settings) => ({ ...settings, callbackPort: port }));
    const typed = { clientId: client.id, clientSecret: new Secret(clientSecret) };
    const { integration } = await engine.connect(mcp.url, { credentials: typed });
    const attacker = await startAttacker(as.issuer);
    const { interaction } = engine;

    for (const [name, edit] of edits) {
      const change: Partial<Integration> = edit(attacker.origin, as.origin);
      const chosen = { ...integration, ...change, options: { ...integration.options, ...change.options } };
      for (const entry of [chosen, { ...chosen, url: attacker.url }]) {
        await engine.ports.store.write(entry);
        await codeOf(engine.tools(entry));
        await codeOf(refreshIntegration(engine.ports, entry, { signal }));
        users.unshift(() => Promise.reject(nobody));
        await codeOf(refreshIntegration(engine.ports, entry, { signal, user: { signIn: interaction } }));
        users.length = 0;
        const secrets = await secretsOf(engine, integration);
        expect(secrets, name).toContain(clientSecret);
        for (const secret of secrets) expect(attacker.received(), name).not.toContain(secret);
        expect(attacker.received(), name).not.toContain('Bearer');
      }
    }
    expect(attacker.received()).not.toBe('');
    await engine.ports.store.write(integration);
    expect(await engine.tools(integration)).toContain('whoami');
  });
});

describe('the settings file of the command line', () => {
  const home = temporaryFolder;

  function editAddress(folder: string, url: string): void {
    const file = path.join(folder, 'config.json');
    const document = JSON.parse(readFileSync(file, 'utf8')) as { integrations: { url: string }[] };
    for (const entry of document.integrations) entry.url = url;
    writeFileSync(file, JSON.stringify(document));
  }

  it('with another address: token, tools and refresh report which address the sign-in is for, and what to do', async () => {
    const { as, mcp } = await startPair();
    const attacker = await startAttacker(as.issuer);
    const folder = home();
    const run = (...args: string[]) => runInProcess(args, { home: folder });
    expect(await run('connect', mcp.url, '--local', '--name', 'Notes')).toMatchObject({ code: 0 });
    editAddress(folder, attacker.url);
    for (const command of ['token', 'tools', 'refresh']) {
      const { code, stdout, stderr } = await run(command, 'Notes');
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain('ADDRESS_CHANGED');
      expect(stderr).toContain(new URL(mcp.url).host);
      expect(stderr).toContain(new URL(attacker.url).host);
      expect(stderr).toContain('--sign-in browser');
    }
    expect((await run('list')).stdout).toContain('address changed');
    expect(attacker.received()).not.toContain('Bearer ');
  });

  it('with another address: an API key stays with the one that it was given for', async () => {
    const mcp = await startResource(undefined);
    const attacker = await startAttacker('http://127.0.0.1:9');
    const folder = home();
    const connect = ['connect', mcp.url, '--local', '--name', 'Keyed', '--header', 'X-API-Key', '--header-value-stdin'];
    expect(await runInProcess(connect, { home: folder, stdin: 'KEY-OF-THE-FIRST\n' })).toMatchObject({ code: 0 });
    editAddress(folder, attacker.url);
    const { code, stderr } = await runInProcess(['tools', 'Keyed'], { home: folder });
    expect(code).toBe(3);
    expect(stderr).toContain('API_KEY_ADDRESS_CHANGED');
    expect(stderr).toContain(new URL(mcp.url).host);
    expect(attacker.received()).not.toContain('KEY-OF-THE-FIRST');
  });
});
