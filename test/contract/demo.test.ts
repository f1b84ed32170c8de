import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { OAuthTokens } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { AuthorizationServer, AuthorizationServerOptions } from '../demo/authorization-server-options.ts';
import { startAuthorizationServer } from '../demo/authorization-server.ts';
import type { DemoMcpServer, McpServerOptions } from '../demo/mcp-server-options.ts';
import { startMcpServer } from '../demo/mcp-server.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { MemoryAuthProvider } from '../support/memory-auth-provider.ts';

/** The demo, and every contract test, relies on these servers; here the official MCP client checks them. */

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

interface Pair {
  readonly as: AuthorizationServer;
  readonly mcp: DemoMcpServer;
  readonly provider: MemoryAuthProvider;
}

async function start(options: AuthorizationServerOptions = {}, mcpOptions: McpServerOptions = {}): Promise<Pair> {
  const as = await startAuthorizationServer(options);
  cleanUps.push(() => as.close());
  const mcp = await startMcpServer({ authorizationServer: as, ...mcpOptions });
  cleanUps.push(() => mcp.close());
  return { as, mcp, provider: new MemoryAuthProvider() };
}

async function connect({ mcp, provider }: Pair, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'judge', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp.url), { authProvider: provider }));
  cleanUps.push(() => client.close());
  return client;
}

/** Runs the official client's own sign-in up to the callback, which it handles. */
async function walkToCallback(pair: Pair, choice: { user?: string; deny?: boolean } = {}): Promise<URL> {
  await expect(connect(pair)).rejects.toThrow('Unauthorized');
  const end = await completeSignIn(String(pair.provider.authorizationUrl), {
    ...choice,
    stopBefore: (url) => url.href.startsWith(pair.provider.redirectUrl),
  });
  return new URL(end.url);
}

async function finish({ mcp, provider }: Pair, callback: URL): Promise<void> {
  await new StreamableHTTPClientTransport(new URL(mcp.url), { authProvider: provider }).finishAuth(
    callback.searchParams,
  );
}

async function signIn(pair: Pair, user = 'demo'): Promise<OAuthTokens> {
  await finish(pair, await walkToCallback(pair, { user }));
  const { saved } = pair.provider;
  if (saved === undefined) throw new Error('There are no tokens after the sign-in.');
  return saved;
}

async function readText(client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: input });
  const [first] = content;
  return first?.type === 'text' ? first.text : '';
}

/** Sends a form to the token or revocation endpoint as the registered client. */
async function post({ as, provider }: Pair, endpoint: string, form: Record<string, string>): Promise<Response> {
  const { client_id: id, client_secret: secret } = provider.client as { client_id: string; client_secret: string };
  return fetch(`${as.issuer}${endpoint}`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams(form),
  });
}

async function register(as: AuthorizationServer, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${as.issuer}/register`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function readMetadata(as: AuthorizationServer): Promise<Record<string, unknown>> {
  const response = await fetch(new URL('/.well-known/oauth-authorization-server', as.origin));
  return (await response.json()) as Record<string, unknown>;
}

async function call(mcp: DemoMcpServer, token: string, method = 'tools/list', params = {}): Promise<Response> {
  return fetch(mcp.url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

async function readChallenge(mcpOptions: McpServerOptions): Promise<string | null> {
  const { mcp } = await start({}, mcpOptions);
  const response = await fetch(mcp.url, { method: 'POST' });
  expect(response.status).toBe(401);
  return response.headers.get('www-authenticate');
}

describe('sign-in', () => {
  it.each([
    ['', 'auto'],
    ['', 'legacy'],
    ['/tenant1', 'auto'],
  ] as const)('signs the official client in at issuer path "%s", protocol %s', async (issuerPath, mode) => {
    const pair = await start({ issuerPath });
    await signIn(pair, 'ada');
    const client = await connect(pair, mode);

    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('time_in');
    expect(await readText(client, 'whoami')).toContain('Ada Lovelace');
    expect(await readText(client, 'word_count', { text: 'one two three' })).toContain('3 words');
  });

  it('keeps the notes of two users separate', async () => {
    const pair = await start();
    await signIn(pair, 'ada');
    await readText(await connect(pair), 'add_note', { text: 'of Ada' });
    const other = { ...pair, provider: new MemoryAuthProvider() };
    await signIn(other, 'grace');

    expect(await readText(await connect(pair), 'list_notes')).toBe('1. of Ada');
    expect(await readText(await connect(other), 'list_notes')).toBe('There are no notes yet.');
  });

  it('responds with access_denied, with state and iss, when the user declines (RFC 6749 4.1.2.1, RFC 9207)', async () => {
    const pair = await start();
    const callback = await walkToCallback(pair, { deny: true });

    expect(Object.fromEntries(callback.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'state-of-the-test',
      iss: pair.as.issuer,
    });
    expect(callback.searchParams.has('code')).toBe(false);
  });

  it('signs in automatically when configured to', async () => {
    const pair = await start({ autoApprove: 'grace' });
    await signIn(pair);

    expect(await readText(await connect(pair), 'whoami')).toContain('Grace Hopper');
  });

  it('asks a user who is signed in only to allow, and for another account only if requested', async () => {
    const pair = await start({ signedInAs: 'grace' });
    await signIn(pair, 'ada');
    expect(await readText(await connect(pair), 'whoami')).toContain('Grace Hopper');

    const other = await start({ signedInAs: 'grace' });
    await expect(connect(other)).rejects.toThrow('Unauthorized');
    const { authorizationUrl, redirectUrl } = other.provider;
    const asked = new URL(String(authorizationUrl));
    asked.searchParams.set('prompt', 'login');
    const stopBefore = (url: URL): boolean => url.href.startsWith(redirectUrl);
    await finish(other, new URL((await completeSignIn(asked.href, { user: 'ada', stopBefore })).url));
    expect(await readText(await connect(other), 'whoami')).toContain('Ada Lovelace');
  });

  it('refuses a wrong PKCE verifier, and a used code (RFC 7636 4.6, RFC 6749 4.1.2)', async () => {
    const pair = await start();
    const callback = await walkToCallback(pair);
    const right = pair.provider.verifier;
    const exchange = (verifier: string): Promise<Response> =>
      post(pair, '/token', {
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: pair.provider.redirectUrl,
        code_verifier: verifier,
      });

    const refused = await exchange('x'.repeat(43));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await exchange(right)).status).toBe(200);
    expect((await exchange(right)).status).toBe(400);
  });

  it.each(['code_challenge', 'resource'])('refuses an authorization request without %s', async (parameter) => {
    const pair = await start();
    await expect(connect(pair)).rejects.toThrow('Unauthorized');
    const url = new URL(String(pair.provider.authorizationUrl));
    url.searchParams.delete(parameter);
    if (parameter === 'code_challenge') url.searchParams.delete('code_challenge_method');
    const { url: end } = await completeSignIn(url.href, { stopBefore: ({ port }) => port === '5999' });

    expect(new URL(end).searchParams.get('error')).toBe(
      parameter === 'resource' ? 'invalid_target' : 'invalid_request',
    );
  });

  it('accepts typed credentials, from any loopback port (RFC 8252 7.3)', async () => {
    const redirectUris = ['http://127.0.0.1/integration/oauth/callback'];
    const typed = { id: 'typed', secret: 'a-typed-secret', redirectUris };
    const pair = await start({ registration: 'off', typedClients: [typed] });
    pair.provider.client = { client_id: typed.id, client_secret: typed.secret, issuer: pair.as.issuer };

    expect(await readMetadata(pair.as)).not.toHaveProperty('registration_endpoint');
    await signIn(pair);
    expect(await readText(await connect(pair), 'whoami')).toContain('Demo User');
  });
});

describe('tokens', () => {
  it('rotates refresh tokens, and a reused one revokes all of them (RFC 9700 4.14.2)', async () => {
    const pair = await start();
    const first = await signIn(pair);
    const refresh = (token = ''): Promise<Response> =>
      post(pair, '/token', { grant_type: 'refresh_token', refresh_token: token });

    const second = (await (await refresh(first.refresh_token)).json()) as OAuthTokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    pair.provider.saved = second;
    expect(await readText(await connect(pair), 'whoami')).toContain('Demo User');

    expect((await refresh(first.refresh_token)).status).toBe(400);
    expect((await refresh(second.refresh_token)).status).toBe(400);
  });

  it('keeps the refresh token if rotation is off', async () => {
    const pair = await start({ rotateRefreshTokens: false });
    const { refresh_token = '' } = await signIn(pair);

    const response = await post(pair, '/token', { grant_type: 'refresh_token', refresh_token });
    expect(await response.json()).toMatchObject({ refresh_token });
  });

  it('refuses a revoked access token at once (RFC 7009)', async () => {
    const pair = await start();
    const { access_token: token } = await signIn(pair);
    expect((await post(pair, '/revoke', { token })).status).toBe(200);

    const response = await call(pair.mcp, token);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('refuses an expired access token', async () => {
    const pair = await start({ accessTokenSeconds: 1 });
    const { access_token: token, expires_in: seconds } = await signIn(pair);
    expect(seconds).toBe(1);

    await expect.poll(async () => (await call(pair.mcp, token)).status).toBe(401);
  });

  it('refuses the token of another MCP server (RFC 8707)', async () => {
    const pair = await start();
    const other = await startMcpServer({ authorizationServer: pair.as });
    cleanUps.push(() => other.close());
    const { access_token: token } = await signIn(pair);

    expect((await call(pair.mcp, token)).status).toBe(200);
    expect((await call(other, token)).status).toBe(401);
  });

  it('asks for the additional scope of one tool (RFC 6750 3.1, MCP step-up)', async () => {
    const pair = await start();
    const { access_token: token } = await signIn(pair);
    const response = await call(pair.mcp, token, 'tools/call', { name: 'delete_notes', arguments: {} });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toMatch(/error="insufficient_scope".*scope="notes:admin"/);

    await expect(readText(await connect(pair), 'delete_notes')).rejects.toThrow('Unauthorized');
    const end = await completeSignIn(String(pair.provider.authorizationUrl), {
      stopBefore: ({ port }) => port === '5999',
    });
    await finish(pair, new URL(end.url));
    expect(await readText(await connect(pair), 'delete_notes')).toBe('Removed 0 notes.');
  });

  it('grants fewer scopes when the user does', async () => {
    const pair = await start({ grantScopes: () => ['notes:read'] });
    expect((await signIn(pair)).scope).toBe('notes:read');
  });
});

describe('registration', () => {
  it('responds with 201, an echo and defaults (spec 2.5, 4.2)', async () => {
    const { as } = await start();
    const redirect_uris = ['http://127.0.0.1:5999/cb', 'http://localhost:5999/cb', 'http://[::1]:5999/cb'];
    const response = await register(as, { redirect_uris });

    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({
      client_id: expect.any(String),
      client_secret: expect.any(String),
      client_id_issued_at: expect.any(Number),
      client_secret_expires_at: 0,
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    expect(await (await register(as, { redirect_uris, token_endpoint_auth_method: 'none' })).json()).toMatchObject({
      token_endpoint_auth_method: 'none',
    });
  });

  it.each([
    'https://evil.example/cb',
    'http://evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://user@127.0.0.1/cb',
    'https://127.0.0.1/cb',
    'com.example.app:/cb',
  ])('refuses the redirect URI %s', async (redirectUri) => {
    const { as } = await start();
    const response = await register(as, { redirect_uris: ['http://127.0.0.1:5999/cb', redirectUri] });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  it('refuses an unknown scope', async () => {
    const { as } = await start();
    const redirect_uris = ['http://127.0.0.1:5999/cb'];
    expect((await register(as, { redirect_uris, scope: 'notes:read mail' })).status).toBe(400);
    expect((await register(as, { redirect_uris, scope: 'notes:read' })).status).toBe(201);
  });

  it('lists its endpoint and refuses everyone when closed', async () => {
    const { as } = await start({ registration: 'refuse' });
    expect(await readMetadata(as)).toHaveProperty('registration_endpoint');
    expect((await register(as, { redirect_uris: ['http://127.0.0.1:5999/cb'] })).status).toBe(403);
  });

  it('keeps clients and grants over a restart, in a file that only its owner can read', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'demo-'));
    cleanUps.push(() => rm(folder, { recursive: true }));
    const storeFile = path.join(folder, 'store', 'server.json');
    const as = await startAuthorizationServer({ storeFile });
    const mcp = await startMcpServer({ authorizationServer: as });
    const provider = new MemoryAuthProvider();
    await signIn({ as, mcp, provider });
    await as.close();
    await mcp.close();
    const before = { ...provider.saved };

    const again = await startAuthorizationServer({ storeFile, port: as.port });
    cleanUps.push(() => again.close());
    const mcpAgain = await startMcpServer({ authorizationServer: again, port: mcp.port });
    cleanUps.push(() => mcpAgain.close());
    const pair = { as: again, mcp: mcpAgain, provider };
    // The pooled connections of this process to the earlier servers close first.
    for (const { origin } of [again, mcpAgain]) {
      await expect.poll(() => fetch(origin).then(() => 'answers', String)).toBe('answers');
    }
    expect(await readText(await connect(pair), 'whoami')).toContain('Demo User');
    const form = { grant_type: 'refresh_token', refresh_token: before.refresh_token ?? '' };
    expect((await post(pair, '/token', form)).status).toBe(200);

    expect((await stat(storeFile)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(storeFile))).mode & 0o777).toBe(0o700);
    expect(await readdir(path.dirname(storeFile))).toEqual(['server.json']);
  });
});

describe('metadata', () => {
  it.each([
    ['', '/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'],
    ['/tenant1', '/.well-known/oauth-authorization-server/tenant1', '/tenant1/.well-known/openid-configuration'],
  ])('is served for the issuer path "%s" in the forms of RFC 8414 and OIDC', async (issuerPath, ...forms) => {
    const { as } = await start({ issuerPath });
    for (const form of forms) {
      const response = await fetch(`${as.origin}${form}`);
      expect(await response.json()).toMatchObject({
        issuer: as.issuer,
        token_endpoint: `${as.issuer}/token`,
        code_challenge_methods_supported: ['S256'],
        scopes_supported: ['notes:read', 'notes:write', 'notes:admin', 'offline_access'],
      });
    }
  });

  it('can be served in only one form, and be changed', async () => {
    const { as } = await start({
      issuerPath: '/t',
      metadataForms: ['oidc-appended'],
      metadata: (document) => ({ ...document, code_challenge_methods_supported: undefined }),
    });
    expect((await fetch(`${as.origin}/.well-known/oauth-authorization-server/t`)).status).toBe(404);
    const response = await fetch(`${as.issuer}/.well-known/openid-configuration`);
    expect(await response.json()).not.toHaveProperty('code_challenge_methods_supported');
  });

  it.each([
    ['path', 200, 404],
    ['root', 404, 200],
    ['both', 200, 200],
    ['none', 404, 404],
  ] as const)('of the resource is served at: %s (RFC 9728 3.1)', async (resourceMetadata, atPath, atRoot) => {
    const { mcp } = await start({}, { resourceMetadata });
    const wellKnown = `${mcp.origin}/.well-known/oauth-protected-resource`;
    expect([(await fetch(`${wellKnown}/mcp`)).status, (await fetch(wellKnown)).status]).toEqual([atPath, atRoot]);
  });

  it('is named by the challenge, with the scopes to request, unless turned off', async () => {
    expect(await readChallenge({})).toMatch(
      /^Bearer resource_metadata="http:.*\/\.well-known\/oauth-protected-resource\/mcp", scope="notes:read notes:write"$/,
    );
    expect(await readChallenge({ challenge: { resourceMetadata: false, scope: false } })).toBe('Bearer');
    expect(await readChallenge({ challenge: 'none' })).toBeNull();
  });
});

describe('the MCP server', () => {
  it('requires no sign-in without an authorization server', async () => {
    const mcp = await startMcpServer();
    cleanUps.push(() => mcp.close());
    const client = await connect({ as: undefined as never, mcp, provider: new MemoryAuthProvider() });

    expect(await readText(client, 'whoami')).toContain('a guest');
    expect((await fetch(`${mcp.origin}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404);
  });

  it('records requests, and can reject a token by a switch', async () => {
    const rejected = new Set<string>();
    const pair = await start({}, { reject: (token) => rejected.has(token) });
    const { access_token: token } = await signIn(pair);
    await (await connect(pair)).listTools();
    expect(pair.mcp.requests.at(-1)).toMatchObject({ method: 'POST', path: '/mcp', rpcMethod: 'tools/list', token });

    rejected.add(token);
    const before = pair.as.requests.length;
    // The official client responds to a 401 by refreshing.
    await (await connect(pair)).listTools();
    expect(pair.as.requests.slice(before).map(({ body }) => body?.['grant_type'])).toContain('refresh_token');
  });

  it('refuses a foreign Host (DNS rebinding)', async () => {
    const { as, mcp } = await start();
    for (const origin of [as.origin, mcp.origin]) {
      const [response] = (await once(get(origin, { headers: { host: 'rebound.example' } }), 'response')) as [
        IncomingMessage,
      ];
      response.resume();
      expect(response.statusCode).toBe(421);
    }
  });
});
