import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renewIntegration } from '../../main/integration/use/refresh-integration.ts';
import { signOut } from '../../main/integration/leave/sign-out.ts';
import type { AuthorizationServerOptions, RecordedRequest } from '../demo/authorization-server-options.ts';
import { requestsTo, startPair } from '../support/demo-pair.ts';
import { proveConnection, proveUse } from '../support/prove-connection.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Clients that prove who they are with a key (`private_key_jwt`, RFC 7523 2.2, OIDC Core 9), on oidc-provider. */

const { signal } = new AbortController();

/** The MCP server of the demo asks it about tokens with a secret, so that it knows that way as well. */
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

describe('a service that takes no client but with a key', () => {
  it('gets the public half at the registration, and a signature wherever the client says who it is', async () => {
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
  ])('and lists %j is registered with a key for that', async (clientSigningAlgorithms, key) => {
    const { as, mcp } = await startPair({ ...keysOnly, clientSigningAlgorithms });
    await proveConnection(createTestEngine(), mcp.url);
    expect(requestsTo(as, '/register')[0]?.body).toMatchObject({ jwks: { keys: [key] } });
    expect(partsOf(requestsTo(as, '/token')[0])[0]).toMatchObject({ alg: key.alg });
  });

  it('knows the registration of before by the same key, and a key of its own is made for each service', async () => {
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

describe('a service that takes keys beside what needs none', () => {
  it.each(['none', 'client_secret_basic', 'client_secret_post'] as const)('gets %s', async (method) => {
    const { as, mcp } = await startPair(taking('private_key_jwt', method));
    await proveConnection(createTestEngine(), mcp.url);
    expect(requestsTo(as, '/register')[0]?.body).toMatchObject({ token_endpoint_auth_method: method });
    expect(requestsTo(as, '/register')[0]?.body?.['jwks']).toBeUndefined();
  });
});

function thumbprintOf(body: Record<string, unknown> | undefined): string {
  return createHash('sha256').update(JSON.stringify(body?.['jwks'])).digest('hex');
}
