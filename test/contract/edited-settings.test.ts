import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tokensKey } from '../../main/engine/kept/stored-secrets.ts';
import { signOut } from '../../main/engine/leave/sign-out.ts';
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
import type { Person, TestEngine } from '../support/test-engine.ts';

/** Somebody edits `config.json` beside the program. What is kept for one address must not go to another one. */

const { signal } = new AbortController();
const clientSecret = 'SECRET-OF-THE-HONEST-SERVICE';

/** A server of somebody else, who names the honest service as the one that signs people in, and keeps what comes. */
async function startStranger(issuer: string) {
  const server = await serveHttp((request, response) => {
    request.resume();
    const { origin } = stranger;
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
  const stranger = {
    origin: server.origin,
    url: `${server.origin}/mcp`,
    received: () => decodeBasic(server.received()),
  };
  return stranger;
}

const decodeBasic = (text: string): string =>
  text.replaceAll(/Basic ([\w+/=]+)/gu, (_, basic: string) => Buffer.from(basic, 'base64').toString());

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'ok',
    (error: PosternError) => error.code,
  );

/** Every text that is kept in the vault for an integration, and is secret. */
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

describe('the address of a server, changed in the settings file', () => {
  async function changed(change: Partial<Integration> = {}) {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url);
    const stranger = await startStranger(as.issuer);
    const edited = { ...integration, url: stranger.url, ...change };
    await engine.ports.store.write(edited);
    return { as, mcp, engine, integration, stranger, edited };
  }

  it.each([
    ['alone', {}],
    ['together with the resource', { resource: 'http://127.0.0.1:9/mcp' }],
  ])('%s gets no token: the person is told, and the list says it too (RFC 8707 2)', async (_, change) => {
    const { as, engine, stranger, edited } = await changed(change);
    const refreshed = requestsTo(as, '/token').length;
    expect(await codeOf(engine.tools(edited))).toBe('ADDRESS_CHANGED');
    expect(await codeOf(refreshIntegration(engine.ports, edited, { signal }))).toBe('ADDRESS_CHANGED');
    expect(requestsTo(as, '/token')).toHaveLength(refreshed);
    const secrets = await secretsOf(engine, edited);
    expect(secrets.length).toBeGreaterThan(1);
    for (const secret of secrets) expect(stranger.received()).not.toContain(secret);
    expect(await engine.read(edited)).toMatchObject({ state: 'reauthenticationRequired', notes: ['address-changed'] });
  });

  it('says of another resource alone: it counts as well', async () => {
    const { engine, integration } = await changed();
    const edited = { ...integration, resource: `${integration.resource ?? ''}/elsewhere` };
    expect(await codeOf(engine.tools(edited))).toBe('ADDRESS_CHANGED');
  });

  it('to another path of the same server counts as well', async () => {
    const { engine, edited, mcp } = await changed();
    const elsewhere = { ...edited, url: `${mcp.url}/elsewhere` };
    expect(await codeOf(engine.tools(elsewhere))).toBe('ADDRESS_CHANGED');
  });

  it('and put back, leaves the sign-in as it was', async () => {
    const { engine, edited, integration } = await changed();
    await codeOf(engine.tools(edited));
    const back = { ...(await engine.read(edited)), url: integration.url };
    await engine.ports.store.write(back);
    expect(await engine.tools(back)).toContain('whoami');
    expect(await engine.read(back)).toMatchObject({ state: 'integrated', notes: integration.notes });
  });

  it('is told before a new sign-in begins, and after it the new tokens are for the new address', async () => {
    const { as, engine, integration } = await changed();
    const other = await startResource(as);
    const moved = { ...integration, url: other.url };
    await engine.ports.store.write(moved);
    expect(await engine.tools(moved, { signIn: true })).toContain('whoami');
    expect(engine.events).toContainEqual({ event: 'note', note: 'address-changed' });
    expect(await codeOf(engine.tools(await engine.read(moved)))).toBe('ok');
    expect(await codeOf(engine.tools(integration))).toBe('ADDRESS_CHANGED');
  });

  it('does not keep the tokens from being revoked where they came from (RFC 7009)', async () => {
    const { as, engine, edited, stranger } = await changed();
    expect(await signOut(engine.ports, edited, signal)).toMatchObject({ revocation: 'revoked' });
    expect(requestsTo(as, '/revoke').length).toBeGreaterThan(0);
    expect(stranger.received()).toBe('');
  });
});

describe('tokens that an earlier version kept, without the address that they are for', () => {
  async function keptBefore(sendResource = true) {
    const { as, mcp } = await startPair({ resourceRequired: sendResource });
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { sendResource });
    const key = tokensKey(integration.id, integration.issuerKey ?? '');
    const { server, ...earlier } = (await engine.vault.read(key)) as Record<string, unknown>;
    expect(server).toBe(mcp.url);
    await engine.vault.write(key, earlier);
    const server_ = async (): Promise<unknown> => ((await engine.vault.read(key)) as { server?: string }).server;
    return { as, mcp, engine, integration, boundTo: server_, stranger: await startStranger(as.issuer) };
  }

  it.each([true, false])('are bound to it at their first use (resource recorded: %s)', async (sendResource) => {
    const { engine, integration, boundTo, mcp, stranger } = await keptBefore(sendResource);
    expect(await engine.tools(integration)).toContain('whoami');
    expect(await boundTo()).toBe(mcp.url);
    expect(await codeOf(engine.tools({ ...integration, url: stranger.url }))).toBe('ADDRESS_CHANGED');
  });

  it('go by the resource that they were requested for, not by what the settings file says at the first use', async () => {
    const { engine, integration, stranger, boundTo } = await keptBefore();
    expect(await codeOf(engine.tools({ ...integration, url: stranger.url }))).toBe('ADDRESS_CHANGED');
    expect(await codeOf(engine.tools({ ...integration, url: stranger.url, resource: stranger.url }))).toBe(
      'ADDRESS_CHANGED',
    );
    expect(await boundTo()).toBeUndefined();
    expect(stranger.received()).not.toContain('Bearer ey');
  });

  it('go to nobody where no resource was sent and the address is another owner’s than the token endpoint', async () => {
    const { engine, integration, stranger } = await keptBefore(false);
    const foreign = stranger.url.replace('127.0.0.1', 'localhost');
    expect(await codeOf(engine.tools({ ...integration, url: foreign }))).toBe('ADDRESS_CHANGED');
    for (const secret of await secretsOf(engine, integration)) expect(stranger.received()).not.toContain(secret);
  });
});

describe('every member of the settings file', () => {
  type Edits<Of> = { readonly [Member in keyof Required<Of>]: (stranger: string, honest: string) => Of[Member] };
  const none = (): never[] => [];

  /** What an attacker would write; the types ask for each member that there is. */
  const members: Edits<Omit<Integration, 'options' | 'id'>> = {
    name: () => 'Renamed',
    alias: () => 'renamed',
    url: (stranger) => `${stranger}/mcp`,
    command: () => ({ command: 'env', path: '/usr/bin/env', arguments: [], variables: [] }),
    allowedCommand: () => '0'.repeat(64),
    method: () => 'OAuthWithDCR',
    state: () => 'integrated',
    reason: () => 'PRM_MISSING',
    failure: (stranger) => ({ since: 0, code: 'MCP_FAILED', stage: 'connection', detail: { host: stranger } }),
    issuerKey: (stranger) => stranger,
    authorizationServer: (stranger) => stranger,
    issuerFallback: () => 'subdomain',
    resource: (stranger) => `${stranger}/mcp`,
    redirectUri: (stranger) => `${stranger}/callback`,
    scope: () => 'everything',
    scopeRequested: () => 'everything',
    account: () => 'somebody@example.com',
    person: () => ({ name: 'Somebody', email: 'somebody@example.com' }),
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
    era: () => 'modern',
    notes: none,
    toolReview: () => ({ reviewedAt: 1, changedAt: 1 }),
    permissions: () => ({ preset: 'everything' }),
  };
  const options: Edits<IntegrationOptions> = {
    local: () => true,
    allowedHosts: (stranger) => [new URL(stranger).hostname],
    agreedHosts: (stranger) => [new URL(stranger).hostname],
    allowHttp: () => true,
    scope: () => 'everything',
    pkce: () => 'always',
    legacyEndpoints: () => true,
    clientMetadataUrl: (stranger) => `${stranger}/client.json`,
    sendResource: () => false,
    pushRequests: () => true,
    clientAuthentication: () => 'client_secret_post',
    grant: () => 'client-credentials',
    assertionFile: () => '/etc/hostname',
    identityProvider: () => 'somebody',
    isIdentityProvider: () => true,
    headerName: () => 'X-Api-Key',
    furtherHeaders: () => ['X-Tenant'],
    authorizationServer: (stranger) => stranger,
    endpoints: (stranger, honest) => ({ authorization: `${honest}/authorize`, token: `${stranger}/token` }),
    signInSurface: () => 'browser',
    callbackHost: () => 'localhost',
  };

  /** Edited alone, and together with the address. */
  type Edit = readonly [name: string, edit: (stranger: string, honest: string) => object];
  const edits: readonly Edit[] = [
    ...Object.entries(members).map(
      ([name, to]) => [name, (at: string, by: string) => ({ [name]: to(at, by) })] as const,
    ),
    ...Object.entries(options).map(
      ([name, to]) => [`options.${name}`, (at: string, by: string) => ({ options: { [name]: to(at, by) } })] as const,
    ),
  ];

  it('steers no token and no client secret to another place (MCP 2026-07-28, authorization server binding)', async () => {
    const port = await freePort();
    const client = { id: 'notes', secret: clientSecret, redirectUris: [callbackUrl({ host: '127.0.0.1', port })] };
    const as = await startServer({ registration: 'off', typedClients: [client] });
    const mcp = await startResource(as);
    const nobody = new Error('nobody is there');
    const person: Person[] = [approving()];
    const engine = createTestEngine({ person: (...pending) => (person.shift() ?? approving())(...pending) });
    await engine.ports.store.updateSettings((settings) => ({ ...settings, callbackPort: port }));
    const typed = { clientId: client.id, clientSecret: new Secret(clientSecret) };
    const { integration } = await engine.connect(mcp.url, { credentials: typed });
    const stranger = await startStranger(as.issuer);
    const { interaction } = engine;

    for (const [name, edit] of edits) {
      const change: Partial<Integration> = edit(stranger.origin, as.origin);
      const chosen = { ...integration, ...change, options: { ...integration.options, ...change.options } };
      for (const entry of [chosen, { ...chosen, url: stranger.url }]) {
        await engine.ports.store.write(entry);
        await codeOf(engine.tools(entry));
        await codeOf(refreshIntegration(engine.ports, entry, { signal }));
        person.unshift(() => Promise.reject(nobody));
        await codeOf(refreshIntegration(engine.ports, entry, { signal, user: { signIn: interaction } }));
        person.length = 0;
        const secrets = await secretsOf(engine, integration);
        expect(secrets, name).toContain(clientSecret);
        for (const secret of secrets) expect(stranger.received(), name).not.toContain(secret);
        expect(stranger.received(), name).not.toContain('Bearer');
      }
    }
    expect(stranger.received()).not.toBe('');
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

  it('with another address: token, tools and refresh say for which one the sign-in is, and how to go on', async () => {
    const { as, mcp } = await startPair();
    const stranger = await startStranger(as.issuer);
    const folder = home();
    const run = (...args: string[]) => runInProcess(args, { home: folder });
    expect(await run('connect', mcp.url, '--local', '--name', 'Notes')).toMatchObject({ code: 0 });
    editAddress(folder, stranger.url);
    for (const command of ['token', 'tools', 'refresh']) {
      const { code, stdout, stderr } = await run(command, 'Notes');
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toContain('ADDRESS_CHANGED');
      expect(stderr).toContain(new URL(mcp.url).host);
      expect(stderr).toContain(new URL(stranger.url).host);
      expect(stderr).toContain('--sign-in browser');
    }
    expect((await run('list')).stdout).toContain('address changed');
    expect(stranger.received()).not.toContain('Bearer ');
  });

  it('with another address: an API key is for the one that it was given for', async () => {
    const mcp = await startResource(undefined);
    const stranger = await startStranger('http://127.0.0.1:9');
    const folder = home();
    const connect = ['connect', mcp.url, '--local', '--name', 'Keyed', '--header', 'X-API-Key', '--header-value-stdin'];
    expect(await runInProcess(connect, { home: folder, stdin: 'KEY-OF-THE-FIRST\n' })).toMatchObject({ code: 0 });
    editAddress(folder, stranger.url);
    const { code, stderr } = await runInProcess(['tools', 'Keyed'], { home: folder });
    expect(code).toBe(3);
    expect(stderr).toContain('API_KEY_ADDRESS_CHANGED');
    expect(stderr).toContain(new URL(mcp.url).host);
    expect(stranger.received()).not.toContain('KEY-OF-THE-FIRST');
  });
});
