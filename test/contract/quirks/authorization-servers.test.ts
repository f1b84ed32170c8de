import { describe, expect, it } from 'vitest';
import { summarize } from '../../../main/cli/output/describe-integration.ts';
import { Secret } from '../../../main/secret.ts';
import { describeIntegration } from '../../../main/window/views/describe-integration.ts';
import type { AuthorizationServer, AuthorizationServerOptions } from '../../demo/authorization-server-options.ts';
import { requestsTo, startResource, startServer } from '../../support/demo-pair.ts';
import { failureOf, proveConnection, proveUse } from '../../support/prove-connection.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Several authorization servers for one MCP server, at once and in sequence. */

const naming =
  (...issuers: string[]) =>
  (document: Record<string, unknown>) => ({ ...document, authorization_servers: issuers });

const dead = 'http://127.0.0.1:9';

describe('several authorization servers', () => {
  it('are tried in order; the first that works is used, and the others are suggested (RFC 9728 7.6)', async () => {
    const first = await startServer({ metadataForms: [] });
    const second = await startServer();
    const mcp = await startResource(second, { metadata: naming(dead, first.issuer, second.issuer) });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration).toMatchObject({ issuerKey: second.issuer, notes: ['authorization-server-skipped'] });
    const decided = engine.events.find((event) => event.event === 'method');
    expect(decided?.discovery.alternatives).toEqual([dead, first.issuer]);
    expect(requestsTo(first, '/register')).toEqual([]);
  });

  it('leave the choice to the user, and the chosen one is pinned', async () => {
    const first = await startServer();
    const second = await startServer();
    const mcp = await startResource(second, { metadata: naming(first.issuer, second.issuer) });
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url, { authorizationServer: second.issuer });
    expect(integration.issuerKey).toBe(second.issuer);
    expect(await engine.call(integration, 'delete_notes', {}, { signIn: true })).toContain('Removed');
    expect(first.requests).toEqual([]);
  });
});

describe('a server that names another authorization server than before', () => {
  /** Both know the resource; after `move` the MCP server names `next` and accepts only its tokens. */
  async function prepare(options: AuthorizationServerOptions = {}, nextOptions: AuthorizationServerOptions = {}) {
    const old = await startServer(options);
    const next = await startServer(nextOptions);
    let current = old;
    const mcp = await startResource(
      {
        get issuer() {
          return current.issuer;
        },
        introspection: {
          get endpoint() {
            return current.introspection.endpoint;
          },
          get clientId() {
            return current.introspection.clientId;
          },
          get clientSecret() {
            return current.introspection.clientSecret;
          },
        },
        addResource: (resource, scopes) => [old, next].forEach((server) => server.addResource(resource, scopes)),
      },
      { metadata: (document) => ({ ...document, authorization_servers: [current.issuer] }) },
    );
    const move = (): void => void (current = next);
    return { old, next, mcp, move };
  }

  /** Everything `server` received, except from the MCP server, which asks it about tokens. */
  const received = (server: AuthorizationServer): readonly string[] =>
    server.requests
      .filter(({ path }) => path !== '/introspect')
      .map(({ path, query, headers, body }) => JSON.stringify([path, [...query], headers, body]));

  it('gets a new registration and sign-in; the new one gets no credential of the old one (RG-11)', async () => {
    const { old, next, mcp, move } = await prepare();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    const oldClient = requestsTo(old, '/authorize')[0]?.query.get('client_id') ?? '';
    const oldTokens = mcp.requests.flatMap(({ token }) => token ?? []);
    move();
    // Its refresh token goes only to the old one, which still issues tokens that the server no longer accepts.
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'TOKEN_REJECTED' });
    expect(received(next)).toEqual([]);

    expect(await engine.tools(await engine.read(integration), { signIn: true })).toContain('whoami');
    expect(requestsTo(next, '/register')).toHaveLength(1);
    const seen = received(next).join('\n');
    for (const secret of [oldClient, ...oldTokens]) expect(seen).not.toContain(secret);

    const after = await engine.read(integration);
    expect(after.issuerKey).toBe(next.issuer);
    await proveUse(engine, after);
    const keys = await engine.vault.keysOf(integration.id);
    expect(keys.flatMap((key) => (key.kind === 'tokens' ? [key.issuerKey] : []))).toEqual([next.issuer]);
  });

  it('is reported if the credentials were typed: they are not sent to the new one (REG_ISSUER_MISMATCH)', async () => {
    const client = { id: 'typed', redirectUris: ['http://127.0.0.1/integration/oauth/callback'] };
    const { next, mcp, move } = await prepare(
      { registration: 'off', typedClients: [{ ...client, secret: 'secret-of-the-old-one' }] },
      { registration: 'off', typedClients: [{ ...client, secret: 'secret-of-the-new-one' }] },
    );
    const credentials = { clientId: 'typed', clientSecret: new Secret('secret-of-the-old-one') };
    const engine = createTestEngine({
      // First without a user; then the same ID is typed without a secret, and finally the new one.
      dialogs: [
        () => undefined,
        () => ({ clientId: 'typed' }),
        () => ({ clientId: 'typed', clientSecret: new Secret('secret-of-the-new-one') }),
      ],
    });
    const { integration } = await proveConnection(engine, mcp.url, { credentials });
    move();
    const rejected = await failureOf(engine.tools(integration, { signIn: true }));
    expect(rejected).toMatchObject({ code: 'REG_ISSUER_MISMATCH', detail: { host: new URL(next.issuer).host } });
    expect(engine.dialogs[0]?.earlier).toBeUndefined();

    expect(await engine.tools(await engine.read(integration), { signIn: true })).toContain('whoami');
    expect(received(next).join('\n')).not.toContain('secret-of-the-old-one');
    expect((await engine.read(integration)).issuerKey).toBe(next.issuer);
  });

  it('between the two discoveries of one sign-in is never shown the secret typed for the old one', async () => {
    const client = { id: 'typed', redirectUris: ['http://127.0.0.1/integration/oauth/callback'] };
    const { next, mcp, move } = await prepare(
      {
        registration: 'off',
        intercept: ({ url }) => {
          if (url?.startsWith('/.well-known/') === true) move();
          return false;
        },
      },
      { registration: 'off', typedClients: [{ ...client, secret: 'secret-of-the-new-one' }] },
    );
    const engine = createTestEngine({
      dialogs: [
        () => ({ clientId: 'typed' }),
        () => ({ clientId: 'typed', clientSecret: new Secret('secret-of-the-new-one') }),
      ],
    });
    const credentials = { clientId: 'typed', clientSecret: new Secret('secret-of-the-old-one') };
    const { integration } = await proveConnection(engine, mcp.url, { credentials });
    expect(engine.dialogs.map(({ error, earlier }) => [error?.code, earlier])).toEqual([
      ['REG_ISSUER_MISMATCH', undefined],
      ['TOKEN_ERROR', { clientId: 'typed', secretStored: false }],
    ]);
    expect(received(next).join('\n')).not.toContain('secret-of-the-old-one');
    expect(integration.issuerKey).toBe(next.issuer);
  });

  it('between the two discoveries of one sign-in gets a registration instead (MCP 2026-07-28)', async () => {
    const { old, next, mcp, move } = await prepare({
      intercept: ({ url }) => {
        if (url === '/register') move();
        return false;
      },
    });
    const { integration } = await proveConnection(createTestEngine(), mcp.url);
    expect(integration.issuerKey).toBe(next.issuer);
    expect(requestsTo(old, '/authorize')).toEqual([]);
    expect(requestsTo(old, '/token')).toEqual([]);
  });
});

describe('typed endpoints', () => {
  it('sign in where a service publishes nothing, with PKCE and the typed client', async () => {
    const client = {
      id: 'typed',
      secret: 'secret',
      redirectUris: ['http://127.0.0.1/integration/oauth/callback'],
      applicationType: 'native' as const,
    };
    const as = await startServer({ metadataForms: [], typedClients: [client] });
    const mcp = await startResource(as);
    const engine = createTestEngine();
    const credentials = { clientId: client.id, clientSecret: new Secret(client.secret) };
    const endpoints = { authorization: `${as.origin}/authorize`, token: `${as.origin}/token` };
    const { integration } = await proveConnection(engine, mcp.url, { credentials, endpoints });
    expect(integration).toMatchObject({
      method: 'OAuth',
      issuerKey: endpoints.token,
      notes: expect.arrayContaining(['typed-endpoints']),
    });
    expect(engine.opened[0]?.searchParams.get('code_challenge_method')).toBe('S256');
    // Nothing was published: there is an endpoint, and no issuer.
    expect(describeIntegration(integration, {}).issuer).toBeUndefined();
    expect(summarize(integration)).toMatchObject({ issuer: null });
  });

  it.each(['javascript:alert(1)', 'http://192.168.7.7/token', 'https://user:secret@as.example/token'])(
    'obey the address rule: %s (MD-13, NW-01)',
    async (token) => {
      const mcp = await startResource(await startServer());
      const engine = createTestEngine();
      const endpoints = { authorization: 'https://as.example/authorize', token };
      const { code } = await failureOf(engine.connect(mcp.url, { endpoints }));
      expect(['URL_SCHEME', 'HOST_BLOCKED', 'URL_USERINFO']).toContain(code);
      expect(engine.opened).toEqual([]);
    },
  );
});
