import type { Request, RequestHandler, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { startResource } from '../../support/demo-pair.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { failureOf, proveConnection, proveUse } from '../../support/prove-connection.ts';
import { startScriptedAuthorizationServer } from '../../support/scripted-authorization-server.ts';
import type { ScriptedAuthorizationServerOptions } from '../../support/scripted-authorization-server.ts';
import { startSdkProxyServer } from '../../support/sdk-proxy-server.ts';
import { startSdkServer } from '../../support/sdk-server.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Servers built with version 1 of the official SDK and its authorization router. */

const resourceMetadata = '/.well-known/oauth-protected-resource';

/** No resource metadata anywhere, as before MCP 2025-06-18. */
const hideResourceMetadata: RequestHandler = (request, response, next) => {
  if (request.path.startsWith(resourceMetadata)) response.status(404).json({});
  else next();
};

/** Does not list how clients authenticate. */
function answerOwnMetadata({ headers }: Request, response: Response): void {
  const issuer = `http://${headers.host}/`;
  response.status(200).json({
    issuer,
    authorization_endpoint: `${issuer}authorize`,
    token_endpoint: `${issuer}token`,
    registration_endpoint: `${issuer}register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  });
}

describe('@modelcontextprotocol/sdk 1.x', () => {
  it('connects as it is: a public path, an issuer that ends in a slash, form fields (RFC 8414 3.3)', async () => {
    const server = await startSdkServer();
    const { integration } = await proveConnection(createTestEngine(), server.url);
    expect(integration).toMatchObject({
      method: 'OAuthWithDCR',
      issuerKey: `${server.origin}/`,
      resource: server.url,
      protocol: 'session',
      notes: [],
    });
    expect(server.log.filter((line) => line.includes(' /token'))).toEqual(['POST /token 200']);
  });

  it('gets no scope if none is listed', async () => {
    const server = await startSdkServer();
    await proveConnection(createTestEngine(), server.url);
    expect(server.authorizations.map(({ scopes }) => scopes)).toEqual([[]]);
  });

  it('connects without any resource metadata: its own origin has the server metadata (MCP 2025-03-26)', async () => {
    const server = await startSdkServer({ before: hideResourceMetadata, challenge: 'none' });
    const { integration } = await proveConnection(createTestEngine(), server.url);
    expect(integration).toMatchObject({
      issuerKey: `${server.origin}/`,
      notes: ['no-resource-metadata', 'issuer-trailing-slash'],
    });
    expect(integration.resource).toBeUndefined();
    expect(server.authorizations.map(({ resource }) => resource)).toEqual([undefined]);
  });

  it('connects if the resource metadata names no authorization server', async () => {
    const server = await startSdkServer({
      before: (request, response, next) => {
        if (request.path !== `${resourceMetadata}/mcp`) return next();
        response.status(200).json({ resource: `http://${request.headers.host}/mcp` });
      },
    });
    const { integration } = await proveConnection(createTestEngine(), server.url);
    expect(integration).toMatchObject({ issuerKey: `${server.origin}/`, resource: server.url });
    expect(server.authorizations.map(({ resource }) => resource?.href)).toEqual([server.url]);
  });

  it('connects with its default endpoints if it publishes nothing (--legacy-endpoints)', async () => {
    const server = await startSdkServer({
      challenge: 'none',
      before: (request, response, next) => {
        if (request.path.startsWith('/.well-known/')) response.status(404).json({});
        else next();
      },
    });
    expect(await failureOf(createTestEngine().connect(server.url))).toMatchObject({ code: 'PRM_MISSING' });
    const { integration } = await proveConnection(createTestEngine(), server.url, { legacyEndpoints: true });
    expect(integration).toMatchObject({
      issuerKey: server.origin,
      notes: ['legacy-endpoints', 'other-client-authentication'],
    });
  });

  it('that registers for Basic and only reads form fields gets a second request, and that is remembered', async () => {
    const server = await startSdkServer({
      before: (request, response, next) => {
        if (request.path.startsWith('/.well-known/oauth-authorization-server')) answerOwnMetadata(request, response);
        else next();
      },
    });
    const engine = createTestEngine();
    await proveConnection(engine, server.url);
    await proveConnection(engine, server.url);
    expect(server.log.filter((line) => line.includes('POST /register'))).toEqual(['POST /register 201']);
    expect(server.log.filter((line) => line.includes('POST /token'))).toEqual([
      'POST /token 400',
      'POST /token 200',
      'POST /token 200',
    ]);
  });

  it('is refreshed with a token that rotates', async () => {
    const clock = createFakeClock(Date.now());
    const server = await startSdkServer({ accessTokenSeconds: 1_000 });
    const engine = createTestEngine({ clock });
    const { integration } = await proveConnection(engine, server.url);
    for (let round = 0; round < 2; round += 1) {
      clock.advance(900_000);
      await proveUse(engine, integration);
    }
    expect(server.log.filter((line) => line === 'POST /token 200')).toHaveLength(3);
  });

  it('that has forgotten its clients gets a new registration and sign-in, once a user is there', async () => {
    const clock = createFakeClock(Date.now());
    const server = await startSdkServer({ accessTokenSeconds: 1_000 });
    const engine = createTestEngine({ clock });
    const { integration } = await proveConnection(engine, server.url);
    server.forgetClients();
    clock.advance(1_000_000);
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'SIGN_IN_REQUIRED' });
    expect(await engine.tools(integration, { signIn: true })).toContain('whoami');
    expect(server.log.filter((line) => line === 'POST /register 201')).toHaveLength(2);
    await proveUse(engine, await engine.read(integration));
  });

  it('whose client secrets expire gets a sign-in with a new one', async () => {
    const clock = createFakeClock(Date.now());
    const server = await startSdkServer({ clientSecretSeconds: 3_600 });
    const engine = createTestEngine({ clock });
    await proveConnection(engine, server.url);
    // Less of it is left than a sign-in may take.
    clock.advance(3_060_000);
    await proveConnection(engine, server.url);
    expect(server.log.filter((line) => line === 'POST /register 201')).toHaveLength(2);
  });
});

describe('the proxy of @modelcontextprotocol/sdk 1.x', () => {
  /** The SDK's proxy in front of an authorization server that judges registrations by `register`. */
  async function start(register: ScriptedAuthorizationServerOptions['register']) {
    const registered: Record<string, unknown> = { token_endpoint_auth_method: 'client_secret_post' };
    const upstream = await startScriptedAuthorizationServer({
      authentication: 'form',
      register: (body) => {
        registered['redirect_uris'] = body['redirect_uris'];
        return register?.(body);
      },
      registered,
    });
    const proxy = await startSdkProxyServer(upstream.issuer);
    const mcp = await startResource({ ...upstream, issuer: proxy.issuer });
    const registrations = () => proxy.log.filter((line) => line.startsWith('POST /register'));
    return { upstream, mcp, registrations };
  }

  it('responds with 500 if its upstream rejects the scope: it gets a registration without one, with a note', async () => {
    const { mcp, registrations } = await start((body) =>
      body['scope'] === undefined ? undefined : { status: 400, json: { error: 'invalid_client_metadata' } },
    );
    const { integration } = await proveConnection(createTestEngine(), mcp.url);
    expect(integration.notes).toEqual(['registered-without-scope']);
    expect(registrations()).toEqual(['POST /register 500', 'POST /register 201']);
  });

  it('gets no third request if its upstream rejects that too', async () => {
    const { mcp, registrations } = await start(() => ({ status: 400, json: { error: 'invalid_client_metadata' } }));
    expect(await failureOf(createTestEngine().connect(mcp.url))).toMatchObject({
      code: 'DCR_UNSUPPORTED',
      cause: { code: 'REG_UNAVAILABLE', detail: { status: 500 } },
    });
    expect(registrations()).toEqual(['POST /register 500', 'POST /register 500']);
  });
});
