import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { integrationPolicy, storedAddress } from '../../main/engine/records/integration-policy.ts';
import { loadTokens, saveTokens } from '../../main/engine/records/stored-secrets.ts';
import { credentialSource } from '../../main/engine/use/credential-source.ts';
import { systemClock } from '../../main/host/system-ports.ts';
import { createMcpFetch } from '../../main/mcp/http/mcp-fetch.ts';
import { readClientKey } from '../../main/oauth/client/client-credentials.ts';
import { ProofKey } from '../../main/oauth/http/proof-key.ts';
import type { Clock } from '../../main/ports.ts';
import type { Integration } from '../../shared/integration.ts';
import type { AuthorizationServerOptions, EndpointResponse } from '../demo/authorization-server-options.ts';
import type { McpServerOptions, RecordedMcpRequest } from '../demo/mcp-server-options.ts';
import { requestsTo, startPair, startResource, startServer } from '../support/demo-pair.ts';
import type { DemoPair } from '../support/demo-pair.ts';
import { expectNothingStored, failureOf, proveConnection, proveUse } from '../support/prove-connection.ts';
import { refreshIntegration } from '../support/refresh-integration.ts';
import { createTestEngine } from '../support/test-engine.ts';
import type { TestEngine } from '../support/test-engine.ts';

/** Tokens that are bound to a key (RFC 9449), on oidc-provider and an MCP server that checks every proof. */

const { signal } = new AbortController();
const taking: McpServerOptions = { dpop: { scheme: 'only' } };

const withToken = ({ mcp }: DemoPair): readonly RecordedMcpRequest[] =>
  mcp.requests.filter(({ headers }) => headers.authorization !== undefined);
const schemesOf = (pair: DemoPair): string[] => [
  ...new Set(withToken(pair).map(({ headers }) => headers.authorization?.split(' ')[0] ?? '')),
];
const refused = (pair: DemoPair) => withToken(pair).filter(({ status }) => status === 401);
const readClaims = (proof: unknown): Record<string, unknown> =>
  JSON.parse(Buffer.from(String(proof).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
const refresh = (engine: TestEngine, integration: Integration): Promise<Integration> =>
  refreshIntegration(engine.ports, integration, { signal });
const tokensOf = async ({ vault }: TestEngine, { id, issuerKey = '' }: Integration) => {
  const tokens = await loadTokens(vault, id, issuerKey);
  if (!tokens) throw new Error('there are none');
  return tokens;
};
/** Changes the response of the token endpoint. */
const atToken = (change: (body: Record<string, unknown>) => Record<string, unknown>) => ({
  answer: (route: string, response: EndpointResponse): EndpointResponse =>
    route === 'token' ? { ...response, body: change(response.body as Record<string, unknown>) } : response,
});
const demanding = (more: AuthorizationServerOptions = {}): AuthorizationServerOptions => ({
  dpop: 'offered',
  ...more,
  answer: (route, response, request) => {
    const body =
      route === 'registration' ? { ...(response.body as object), dpop_bound_access_tokens: true } : response.body;
    return more.answer?.(route, { ...response, body }, request) ?? { ...response, body };
  },
});
const publicClient = { id: 'public', redirectUris: ['http://127.0.0.1/integration/oauth/callback'] };

describe('a service and a server that bind tokens to a key', () => {
  it('get a proof with each request, made with the key of the sign-in (RFC 9449 sections 5, 7 and 10, DP-09)', async () => {
    const pair = await startPair({ dpop: 'offered' }, taking);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    expect(integration.boundToKey).toBe(true);
    const { binding } = await tokensOf(engine, integration);
    expect(engine.opened[0]?.searchParams.get('dpop_jkt')).toBe(await binding?.key.thumbprint());
    const [exchange] = requestsTo(pair.as, '/token');
    expect(readClaims(exchange?.headers['dpop'])).toMatchObject({ htm: 'POST', htu: `${pair.as.issuer}/token` });
    expect(schemesOf(pair)).toEqual(['DPoP']);
    expect(withToken(pair).every(({ headers }) => typeof headers['dpop'] === 'string')).toBe(true);
    expect(refused(pair)).toEqual([]);
  });

  it.each(['GET', 'DELETE'])('get a proof for the stream of a session, and for its end: %s', async (method) => {
    const pair = await startPair({ dpop: 'offered' }, taking);
    const engine = createTestEngine();
    const { integration } = await engine.connect(pair.mcp.url);
    const send = createMcpFetch({
      ...engine.ports,
      policy: integrationPolicy(integration.url, integration.options),
      credentials: credentialSource(engine.ports, integration, signal),
    });
    const { status } = await send(storedAddress(integration), { method, headers: { accept: 'text/event-stream' } });
    // The gate accepted it; the server has no sessions.
    expect(status).toBe(405);
    const sent = withToken(pair).find((request) => request.method === method);
    expect(readClaims(sent?.headers['dpop'])).toMatchObject({ htm: method, htu: pair.mcp.url });
  });

  it('get a proof with the pushed request too', async () => {
    const pair = await startPair({ dpop: 'offered', pushedRequests: 'required' }, taking);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    const [push] = requestsTo(pair.as, '/push');
    const { binding } = await tokensOf(engine, integration);
    expect(push?.body).toMatchObject({ dpop_jkt: await binding?.key.thumbprint() });
    expect(readClaims(push?.headers['dpop'])).toMatchObject({ htu: `${pair.as.issuer}/push` });
  });

  it('get a proof for the address that a request is redirected to (RFC 9110 section 15.4.9, DP-09)', async () => {
    const pair = await startPair(
      { dpop: 'offered' },
      {
        ...taking,
        path: '/mcp/v2',
        resource: (url) => url.replace('/v2', ''),
        resourceMetadata: 'root',
        intercept: ({ url, headers }, response) => {
          if (url !== '/mcp' || headers.authorization === undefined) return false;
          response.writeHead(307, { location: '/mcp/v2' }).end();
          return true;
        },
      },
    );
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    await engine.ports.store.update(integration.id, (current) => ({
      ...current,
      url: pair.mcp.url.replace('/v2', ''),
    }));
    const moved = await engine.read(integration);
    await saveTokens(engine.vault, moved, await tokensOf(engine, integration));
    await proveUse(engine, moved);
    const sentOn = withToken(pair).filter(({ status }) => status === 307);
    expect(sentOn.length).toBeGreaterThan(0);
    expect(refused(pair)).toEqual([]);
  });

  it.each([
    ['a client of its own', { dpop: 'offered' }, {}],
    [
      'a public client, whose refresh token is bound as well (RFC 9449 section 5)',
      { dpop: 'offered', registration: 'off', typedClients: [publicClient] },
      { credentials: { clientId: publicClient.id } },
    ],
  ] as const)('refresh tokens for the same key, with %s', async (_, options, choice) => {
    const pair = await startPair(options, taking);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url, choice);
    const before = await tokensOf(engine, integration);
    for (let times = 0; times < 3; times += 1) await refresh(engine, integration);
    const after = await tokensOf(engine, integration);
    expect(after.refreshToken?.reveal()).not.toBe(before.refreshToken?.reveal());
    expect(after.binding?.key.store()).toEqual(before.binding?.key.store());
    await proveUse(engine, await engine.read(integration));
    expect(schemesOf(pair)).toEqual(['DPoP']);
  });

  it('issue bound tokens for client credentials with private_key_jwt, with nonces for both', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pair = await startPair(
      {
        dpop: 'nonces',
        registration: 'off',
        tokenEndpointAuthMethods: ['client_secret_basic', 'private_key_jwt'],
        typedClients: [{ id: 'night-job', jwks: { keys: [publicKey.export({ format: 'jwk' })] }, redirectUris: [] }],
      },
      { dpop: { scheme: 'only', nonces: 'each' } },
    );
    const clientKey = readClientKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url, {
      grant: 'client-credentials',
      credentials: { clientId: 'night-job', clientKey },
    });
    expect(integration.boundToKey).toBe(true);
    await refresh(engine, integration);
    await proveUse(engine, await engine.read(integration));
    // Each assertion is new, even if only the nonce of the proof was missing (RFC 7523 section 3).
    const assertions = requestsTo(pair.as, '/token').map(({ body }) => body?.['client_assertion']);
    expect(assertions).toHaveLength(3);
    expect(new Set(assertions).size).toBe(3);
    expect(refused(pair)).toEqual([]);
  });

  it('reject a refresh token of a public client with any other key', async () => {
    const { mcp } = await startPair({ dpop: 'offered', registration: 'off', typedClients: [publicClient] }, taking);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url, { credentials: { clientId: publicClient.id } });
    const tokens = await tokensOf(engine, integration);
    const binding = { key: ProofKey.create(), isDemanded: false, bindsAccess: true };
    await saveTokens(engine.vault, integration, { ...tokens, binding });
    expect(await failureOf(refresh(engine, integration))).toMatchObject({ code: 'REFRESH_REVOKED' });
  });

  it('require a new sign-in, with a new key, if the key is lost', async () => {
    const { mcp } = await startPair({ dpop: 'offered' }, taking);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    const key = { kind: 'tokens', owner: integration.id, issuerKey: integration.issuerKey ?? '' } as const;
    const record = (await engine.vault.read(key)) as { binding: object };
    await engine.vault.write(key, { ...record, binding: { ...record.binding, key: null } });
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
    expect(await engine.tools(await engine.read(integration), { signIn: true })).toContain('whoami');
    expect(new Set(engine.opened.map(({ searchParams }) => searchParams.get('dpop_jkt'))).size).toBe(2);
  });
});

describe('nonces', () => {
  it('cost one retry the first time, and are remembered (RFC 9449 sections 8 and 9)', async () => {
    const pair = await startPair({ dpop: 'nonces' }, { dpop: { scheme: 'both', nonces: 'each' } });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    // The code exchange: one retry for the nonce. The server had named one before the sign-in.
    expect(requestsTo(pair.as, '/token')).toHaveLength(2);
    await refresh(engine, integration);
    await refresh(engine, integration);
    expect(requestsTo(pair.as, '/token')).toHaveLength(4);
    await proveUse(engine, await engine.read(integration));
    expect(refused(pair)).toEqual([]);
  });

  it('from the response to a pushed request are used for the code exchange', async () => {
    const { as, mcp } = await startPair({ dpop: 'nonces', pushedRequests: 'required' }, taking);
    await proveConnection(createTestEngine(), mcp.url);
    expect([requestsTo(as, '/push').length, requestsTo(as, '/token').length]).toEqual([2, 1]);
  });

  it('demanded late by a server cost one refused request for each in flight', async () => {
    let isLate = false;
    const pair = await startPair(
      { dpop: 'offered' },
      {
        ...taking,
        intercept: ({ headers }, response) => {
          if (!isLate || headers['dpop'] === undefined || readClaims(headers['dpop'])['nonce'] === 'late') return false;
          response.writeHead(401, { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'late' }).end();
          return true;
        },
      },
    );
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    isLate = true;
    await proveUse(engine, integration);
    const first = refused(pair).length;
    expect(first).toBeGreaterThan(0);
    await proveUse(engine, integration);
    expect(refused(pair)).toHaveLength(first);
  });

  it('that a service demands again and again end the sign-in with a typed error, after two requests (DP-01)', async () => {
    const { as, mcp } = await startPair(
      {
        dpop: 'offered',
        ...looping('/token'),
      },
      taking,
    );
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(mcp.url));
    expect(error).toMatchObject({ code: 'PROOF_REFUSED', stage: 'token', detail: { again: true } });
    expect(requestsTo(as, '/token')).toHaveLength(2);
    expect(engine.dialogs).toEqual([]);
    await expectNothingStored(engine);
  });

  it('demanded again and again at the pushed request open no page (DP-01)', async () => {
    const { as, mcp } = await startPair({ dpop: 'offered', pushedRequests: 'required', ...looping('/push') }, taking);
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'PROOF_REFUSED', stage: 'authorization' });
    expect(requestsTo(as, '/push')).toHaveLength(2);
    expect(engine.opened).toEqual([]);
  });

  it('demanded again and again at a refresh keep the sign-in, and do not flood the service (DP-01)', async () => {
    let isLooping = false;
    const loop = looping('/token');
    const { as, mcp } = await startPair(
      { dpop: 'offered', intercept: (request, response) => isLooping && loop.intercept(request, response) },
      taking,
    );
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    const before = requestsTo(as, '/token').length;
    isLooping = true;
    expect(await failureOf(refresh(engine, integration))).toMatchObject({ code: 'REFRESH_TRANSIENT' });
    expect(requestsTo(as, '/token')).toHaveLength(before + 2);
    expect((await engine.read(integration)).retryAt).toBeGreaterThan(Date.now());
    await proveUse(engine, await engine.read(integration));
    isLooping = false;
    await refresh(engine, await engine.read(integration));
    await proveUse(engine, await engine.read(integration));
  });

  it('that a server demands again and again end a request with a typed error, after two requests (DP-02)', async () => {
    let isLooping = false;
    let count = 0;
    const pair = await startPair(
      { dpop: 'offered' },
      {
        ...taking,
        intercept: ({ headers }, response) => {
          if (!isLooping || headers.authorization === undefined) return false;
          count += 1;
          const fields = { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': `nonce-${count}` };
          response.writeHead(401, fields).end();
          return true;
        },
      },
    );
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    isLooping = true;
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'PROOF_REFUSED', stage: 'connection' });
    expect(count).toBe(2);
    expect(requestsTo(pair.as, '/token')).toHaveLength(1);
    isLooping = false;
    await proveUse(engine, await engine.read(integration));
  });

  it('demanded without a value end it after one request (DP-02)', async () => {
    let isLooping = false;
    const pair = await startPair(
      { dpop: 'offered' },
      {
        ...taking,
        intercept: (_, response) => {
          if (!isLooping) return false;
          response.writeHead(401, { 'www-authenticate': 'DPoP error="use_dpop_nonce"' }).end();
          return true;
        },
      },
    );
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    const before = withToken(pair).length;
    isLooping = true;
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'PROOF_REFUSED' });
    expect(withToken(pair)).toHaveLength(before + 1);
  });

  it('of the service are not sent to a server on the same origin, nor the reverse (DP-03)', async () => {
    const seen: unknown[] = [];
    const as = await startServer({ dpop: 'nonces' });
    const mcp = await startResource(as, {
      ...taking,
      intercept: ({ headers }, response) => {
        if (headers['dpop'] !== undefined) seen.push(readClaims(headers['dpop'])['nonce']);
        response.setHeader('dpop-nonce', 'of-the-server');
        return false;
      },
    });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    await refresh(engine, integration);
    expect(new Set(seen)).toEqual(new Set(['of-the-server']));
    const atService = requestsTo(as, '/token').map(({ headers }) => readClaims(headers['dpop'])['nonce']);
    expect(atService).not.toContain('of-the-server');
  });
});

/** Responds to each request there with a demand for another nonce. */
function looping(path: string) {
  let count = 0;
  return {
    intercept: ({ url }, response) => {
      if (url !== path) return false;
      count += 1;
      response.writeHead(400, { 'content-type': 'application/json', 'dpop-nonce': `nonce-${count}` });
      response.end('{"error":"use_dpop_nonce"}');
      return true;
    },
  } satisfies AuthorizationServerOptions;
}

describe('tokens that are not bound', () => {
  const listing: McpServerOptions = {
    metadata: (document) => ({ ...document, dpop_signing_alg_values_supported: ['ES256'] }),
  };
  const unbound = (body: Record<string, unknown>): Record<string, unknown> =>
    'access_token' in body ? { ...body, token_type: 'Bearer' } : body;

  it('are requested if the server names only Bearer: it would refuse bound ones', async () => {
    const pair = await startPair({ dpop: 'offered' });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    expect(integration.boundToKey).toBeUndefined();
    expect(requestsTo(pair.as, '/token')[0]?.headers['dpop']).toBeUndefined();
    expect(schemesOf(pair)).toEqual(['Bearer']);
  });

  it('are accepted and noted if the service merely supports binding, and are sent as bearer tokens', async () => {
    const pair = await startPair({ dpop: 'offered', ...atToken(unbound) }, { ...listing, challenge: { scope: true } });
    // Its challenge names Bearer, its metadata also DPoP.
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    expect(integration.notes).toContain('token-not-bound');
    expect(integration.boundToKey).toBeUndefined();
    expect(schemesOf(pair)).toEqual(['Bearer']);
    expect(withToken(pair).filter(({ headers }) => headers['dpop'] !== undefined)).toEqual([]);
  });

  it('are refused if the registration demanded bound ones (RFC 9449 section 5.2, DP-04)', async () => {
    const pair = await startPair(demanding(atToken(unbound)), { ...listing });
    const engine = createTestEngine();
    const error = await failureOf(engine.connect(pair.mcp.url));
    expect(error).toMatchObject({ code: 'TOKEN_TYPE', detail: { unbound: true } });
    expect(withToken(pair)).toEqual([]);
    await expectNothingStored(engine);
  });

  it('do not replace bound ones at a refresh when those are required (DP-04)', async () => {
    let isUnbound = false;
    const pair = await startPair(demanding(atToken((body) => (isUnbound ? unbound(body) : body))), taking);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, pair.mcp.url);
    isUnbound = true;
    expect(await failureOf(refresh(engine, integration))).toMatchObject({
      code: 'REFRESH_TRANSIENT',
      cause: { code: 'TOKEN_TYPE' },
    });
    await proveUse(engine, await engine.read(integration));
    expect(schemesOf(pair)).toEqual(['DPoP']);
  });

  it('that a service calls bound although it got no key are refused (DP-05)', async () => {
    const pair = await startPair(atToken((body) => ('access_token' in body ? { ...body, token_type: 'DPoP' } : body)));
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(pair.mcp.url))).toMatchObject({ code: 'TOKEN_TYPE' });
    expect(withToken(pair)).toEqual([]);
    await expectNothingStored(engine);
  });

  it('are replaced by bound ones at the next sign-in, if the server now requires them', async () => {
    let isStrict = false;
    const pair = await startPair(
      { dpop: 'offered' },
      {
        intercept: ({ headers, url }, response) => {
          if (!isStrict || url !== '/mcp' || headers['dpop'] !== undefined) return false;
          response.writeHead(401, { 'www-authenticate': 'DPoP algs="ES256"' }).end();
          return true;
        },
        dpop: { scheme: 'both' },
        challenge: { resourceMetadata: true },
      },
    );
    const engine = createTestEngine();
    const { integration } = await engine.connect(pair.mcp.url);
    isStrict = true;
    expect(await engine.tools(integration, { signIn: true })).toContain('whoami');
    expect((await engine.read(integration)).boundToKey).toBe(true);
  });
});

describe('a request that is redirected to another origin carries no proof (DP-06)', () => {
  const leading =
    (path: string, to: string): AuthorizationServerOptions['intercept'] =>
    ({ url }, response) => {
      if (url !== path) return false;
      response.writeHead(307, { location: to }).end();
      return true;
    };

  it.each(['/push', '/token'])('from %s of the service', async (path) => {
    const otherPair = await startPair();
    const intercept = leading(path, `${otherPair.as.issuer}${path}`);
    const { mcp } = await startPair(
      { dpop: 'offered', pushedRequests: 'required', ...(intercept && { intercept }) },
      taking,
    );
    expect(await failureOf(createTestEngine().connect(mcp.url))).toMatchObject({ code: 'REDIRECT_REFUSED' });
    expect(otherPair.as.requests).toEqual([]);
  });

  it('from the MCP server', async () => {
    const otherPair = await startPair();
    let isElsewhere = false;
    const elsewhere = leading('/mcp', otherPair.mcp.url);
    const { mcp } = await startPair(
      { dpop: 'offered' },
      { ...taking, intercept: (...came) => isElsewhere && (elsewhere?.(...came) ?? false) },
    );
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    isElsewhere = true;
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'REDIRECT_REFUSED' });
    expect(otherPair.mcp.requests).toEqual([]);
  });
});

describe('a wrong clock', () => {
  const off: Clock = { ...systemClock, now: () => systemClock.now() + 3_600_000 };

  it('is reported when the service refuses the proof because of it (RFC 9449 section 11.1)', async () => {
    const { mcp } = await startPair({ dpop: 'offered' }, taking);
    const error = await failureOf(createTestEngine({ clock: off }).connect(mcp.url));
    expect(error).toMatchObject({ code: 'PROOF_REFUSED', stage: 'token', remedy: { kind: 'check-clock' } });
  });

  it('is reported when the server does', async () => {
    const { mcp } = await startPair({ dpop: 'nonces' }, taking);
    const engine = createTestEngine({ clock: off });
    const { warnings } = await engine.connect(mcp.url);
    expect(warnings).toMatchObject([{ code: 'PROOF_REFUSED', remedy: { kind: 'check-clock' } }]);
  });
});
