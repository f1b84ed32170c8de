import { createHash, generateKeyPairSync } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { signOut } from '../../main/engine/removal/sign-out.ts';
import { readClientKey } from '../../main/oauth/client/client-credentials.ts';
import { renewIntegration } from '../../main/operations/servers.ts';
import type { AuthorizationServerOptions, RecordedRequest } from '../demo/authorization-server-options.ts';
import { completeSignIn } from '../support/scripted-browser.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { hasTicket } from '../support/connection-facts.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { proveConnection, proveUse } from '../support/prove-connection.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Clients that authenticate with a key (`private_key_jwt`, RFC 7523 2.2, OIDC Core 9), on oidc-provider. */

const { signal } = new AbortController();

/** The MCP server of the demo introspects tokens with a secret, so the service supports that method as well. */
const taking = (...methods: readonly string[]): AuthorizationServerOptions => ({
  tokenEndpointAuthMethods: ['client_secret_basic', 'client_secret_post', 'none', 'private_key_jwt'],
  metadata: (document) => ({ ...document, token_endpoint_auth_methods_supported: methods }),
});

const keysOnly = taking('private_key_jwt');

/** The parts of a JWT, unchecked: oidc-provider has checked the signature. */
function partsOf(request: RecordedRequest | undefined): readonly Record<string, unknown>[] {
  const assertion = String(request?.body?.['client_assertion']);
  const parts = assertion.split('.').slice(0, 2);
  return parts.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>);
}

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

function privatePartsIn(text: string, jwk: object): string[] {
  return Object.entries(jwk)
    .filter(([name, value]) => ['d', 'p', 'q', 'dp', 'dq', 'qi'].includes(name) && text.includes(String(value)))
    .map(([name]) => name);
}

describe('a service that accepts only clients with a key', () => {
  it('gets the public half at registration, and a signature wherever the client authenticates', async () => {
    const { as, mcp } = await startPair({ ...keysOnly, pushedRequests: 'required' });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(await renewIntegration(engine.ports, integration, { signal })).toMatchObject({ kind: 'renewed' });
    await proveUse(engine, await engine.read(integration));
    expect(await signOut(engine.ports, integration, signal)).toMatchObject({ revocation: 'revoked' });

    const [registration] = requestsTo(as, '/register');
    expect(registration?.body).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [{ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' }] },
    });
    const proved = ['/push', '/token', '/revoke'].flatMap((path) => requestsTo(as, path));
    expect(proved).toHaveLength(5);
    const now = Date.now() / 1_000;
    const ids = proved.map((request) => {
      expect(request.headers.authorization).toBeUndefined();
      expect(request.body).toMatchObject({ client_assertion_type: assertionType });
      const [header, claims] = partsOf(request);
      const clientId = request.body?.['client_id'];
      expect(header).toMatchObject({ alg: 'ES256', kid: expect.any(String) });
      expect(claims).toMatchObject({ aud: as.issuer, iss: clientId, sub: clientId });
      expect(Number(claims?.['exp']) - now).toBeLessThanOrEqual(60);
      return claims?.['jti'];
    });
    expect(new Set(ids).size).toBe(5);
  });

  it('gets the full FAPI 2.0 profile: pushed requests, bound tokens and their nonces, one issuer as audience', async () => {
    const { as, mcp } = await startPair(
      { ...keysOnly, pushedRequests: 'required', dpop: 'nonces' },
      { dpop: { scheme: 'only', nonces: 'each' } },
    );
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration).toMatchObject({ boundToKey: true, method: 'OAuthWithDCR' });
    expect(await renewIntegration(engine.ports, integration, { signal })).toMatchObject({ kind: 'renewed' });
    await proveUse(engine, await engine.read(integration));
    // Section 5.3.3: the browser carries only a reference, and the client authenticates and proves its key.
    const [page] = requestsTo(as, '/authorize');
    expect([...(page?.query.keys() ?? [])].toSorted()).toEqual(['client_id', 'request_uri']);
    const requests = [...requestsTo(as, '/push'), ...requestsTo(as, '/token')];
    expect(requests.length).toBeGreaterThanOrEqual(3);
    for (const request of requests) {
      expect(partsOf(request)[1]).toMatchObject({ aud: as.issuer });
      expect(request.headers['dpop']).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/u);
      expect(request.body).not.toHaveProperty('client_secret');
    }
    const pushed = requestsTo(as, '/push').at(-1)?.body;
    expect(pushed).toMatchObject({ code_challenge_method: 'S256', resource: mcp.url });
  });

  it('is never sent the private half, which is not in the settings either', async () => {
    const { as, mcp } = await startPair(keysOnly);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    const key = await engine.vault.read({
      kind: 'credentials',
      owner: integration.id,
      issuerKey: integration.issuerKey ?? '',
    });
    const { clientKey } = key as { clientKey: Record<string, string> };
    expect(clientKey['d']).toMatch(/^[\w-]{40,}$/u);
    expect(privatePartsIn(JSON.stringify([engine.sent, as.requests.map(({ body }) => body)]), clientKey)).toEqual([]);
    expect(privatePartsIn(JSON.stringify(await engine.ports.store.list()), clientKey)).toEqual([]);
    expect(privatePartsIn(JSON.stringify(engine.events), clientKey)).toEqual([]);
  });

  it.each([
    [['RS256'], { kty: 'RSA', alg: 'RS256' }],
    [['PS256', 'RS256'], { kty: 'RSA', alg: 'PS256' }],
    [['RS256', 'ES256'], { kty: 'EC', alg: 'ES256' }],
  ])('and lists %j gets a registration with a matching key', async (clientSigningAlgorithms, key) => {
    const { as, mcp } = await startPair({ ...keysOnly, clientSigningAlgorithms });
    await proveConnection(createTestEngine(), mcp.url);
    expect(requestsTo(as, '/register')[0]?.body).toMatchObject({ jwks: { keys: [key] } });
    expect(partsOf(requestsTo(as, '/token')[0])[0]).toMatchObject({ alg: key.alg });
  });

  it('recognizes the earlier registration by the same key, and each service gets its own key', async () => {
    const [one, two] = [await startPair(keysOnly), await startPair(keysOnly)];
    const engine = createTestEngine();
    await engine.connect(one.mcp.url);
    await proveConnection(engine, one.mcp.url);
    await proveConnection(engine, two.mcp.url);
    const keys = [one, two].map(({ as }) => requestsTo(as, '/register').map(({ body }) => thumbprintOf(body)));
    expect(keys.map((each) => each.length)).toEqual([1, 1]);
    expect(keys[0]).not.toEqual(keys[1]);
  });
});

describe('a service that supports keys but does not need them', () => {
  it.each(['none', 'client_secret_basic', 'client_secret_post'] as const)('gets %s', async (method) => {
    const { as, mcp } = await startPair(taking('private_key_jwt', method));
    await proveConnection(createTestEngine(), mcp.url);
    expect(requestsTo(as, '/register')[0]?.body).toMatchObject({ token_endpoint_auth_method: method });
    expect(requestsTo(as, '/register')[0]?.body?.['jwks']).toBeUndefined();
  });
});

const typed = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const pem = typed.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const publicJwk = typed.publicKey.export({ format: 'jwk' });
const clientId = 'app-with-a-key';

/** A service where a user has registered an OAuth app, with the public half of its key. */
const withTypedKey = (...clientSigningAlgorithms: readonly string[]): AuthorizationServerOptions => ({
  ...keysOnly,
  clientSigningAlgorithms,
  registration: 'off',
  typedClients: [
    {
      id: clientId,
      jwks: { keys: [publicJwk] },
      redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
    },
  ],
});

describe("a user's OAuth app with a key", () => {
  it.each([['RS256'], ['PS256']])('signs with an algorithm that the service lists: %s', async (algorithm) => {
    const { as, mcp } = await startPair(withTypedKey(algorithm));
    const engine = createTestEngine({ dialogs: [() => ({ clientId, clientKey: readClientKey(pem) })] });
    const { integration } = await proveConnection(engine, mcp.url);
    await renewIntegration(engine.ports, integration, { signal });
    const headers = requestsTo(as, '/token').map((request) => partsOf(request)[0]);
    expect(headers).toMatchObject([{ alg: algorithm }, { alg: algorithm }]);
  });

  it('is typed on standard input, completely, and is in no output and no file', async () => {
    const { as, mcp } = await startPair(withTypedKey('RS256'));
    const home = temporaryFolder();
    const words = ['connect', mcp.url, '--local', '--client-id', clientId, '--client-key-stdin', '--trace', '--json'];
    const ways = { home, stdin: pem };
    const result = await runInProcess([...words, '--sign-in', 'browser'], ways);
    expect(result).toMatchObject({ code: 0, last: { integration: { method: 'OAuth' } } });
    const line = pem.split('\n')[3] ?? '';
    const { d = '' } = typed.privateKey.export({ format: 'jwk' });
    const files = globSync(`${home}/**/*`, { withFileTypes: true }).filter((entry) => entry.isFile());
    const stored = files.map((file) => readFileSync(`${file.parentPath}/${file.name}`, 'latin1')).join('\n');
    expect(stored).not.toBe('');
    const assertion = String(requestsTo(as, '/token')[0]?.body?.['client_assertion']);
    for (const part of [line, d, assertion]) {
      expect(result.stdout + result.stderr).not.toContain(part);
      expect(stored).not.toContain(part);
    }
  });

  it.each([
    ['next to a secret', ['--client-secret-stdin'], 2, 'USAGE'],
    ['with a passphrase', [], 1, 'CLIENT_KEY_INVALID'],
  ])('%s is refused before anything is sent', async (_, more, code, error) => {
    const { as, mcp } = await startPair(withTypedKey('RS256'));
    const requestCount = as.requests.length;
    const locked = { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'p' } as const;
    const stdin = typed.privateKey.export(locked).toString();
    const words = ['connect', mcp.url, '--local', '--client-id', clientId, '--client-key-stdin', ...more, '--json'];
    const result = await runInProcess(words, { home: temporaryFolder(), stdin });
    expect(result).toMatchObject({ code, last: { error: { code: error } } });
    expect(as.requests.length).toBe(requestCount);
  });

  it('is pasted into the secret field in the window, and an unreadable key is asked for again', async () => {
    const { as, mcp } = await startPair(withTypedKey('RS256'));
    const desktop = await createTestDesktop({ onPage: (url) => void completeSignIn(url).catch(() => {}) });
    const { id } = await desktop.call('connection:discover', { url: mcp.url, options: { local: true } });
    await desktop.connection(id, ({ state }) => state.name === 'discovered');
    await desktop.call('connection:start', { id });
    await desktop.connection(id, ({ state }) => state.name === 'awaitingCredentials');
    const submit = (clientSecret: string) =>
      desktop.call('connection:submitCredentials', { id, clientId, clientSecret });
    await expect(submit('-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----')).rejects.toMatchObject({
      plain: { code: 'CLIENT_KEY_INVALID' },
    });
    expect(requestsTo(as, '/token')).toEqual([]);
    await submit(pem.replaceAll('\n', ''));
    await desktop.connection(id, hasTicket);
    expect(partsOf(requestsTo(as, '/token')[0])[1]).toMatchObject({ aud: as.issuer, sub: clientId });
  });
});

function thumbprintOf(body: Record<string, unknown> | undefined): string {
  return createHash('sha256').update(JSON.stringify(body?.['jwks'])).digest('hex');
}
