import { describe, expect, it } from 'vitest';
import type { AuthorizationServer } from '../../demo/authorization-server-options.ts';
import { requestsTo, startResource, startServer } from '../../support/demo-pair.ts';
import { expectNothingStored, failureOf, proveConnection } from '../../support/prove-connection.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** A server without resource metadata that copies its authorization server's metadata to its own origin. */
async function startCopying(
  as: AuthorizationServer,
  change: (copy: Record<string, unknown>) => Record<string, unknown> = (copy) => copy,
) {
  const form = '/.well-known/oauth-authorization-server';
  const published = (await (await fetch(`${as.issuer}${form}`)).json()) as Record<string, unknown>;
  return await startResource(as, {
    resourceMetadata: 'none',
    challenge: 'none',
    intercept: (request, response) => {
      if (request.url !== form) return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(change(published)));
      return true;
    },
  });
}

describe('a server that copies the metadata of an authorization server', () => {
  it('leads to that server itself, and stores the same as if resource metadata had named it', async () => {
    const as = await startServer();
    const mcp = await startCopying(as);
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(integration).toMatchObject({ issuerKey: as.issuer, authorizationServer: as.issuer });
    expect(integration.notes).toContain('issuer-by-copy');
    // Its tokens are for this server only, as they would be there (RFC 8707 section 2).
    expect(requestsTo(as, '/authorize')[0]?.query.get('resource')).toBe(mcp.url);
    expect(requestsTo(as, '/token')[0]?.body).toMatchObject({ resource: mcp.url });
    await engine.connect(mcp.url);
    expect(requestsTo(as, '/register')).toHaveLength(1);
  });

  it.each([
    'authorization_endpoint',
    'token_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
    'pushed_authorization_request_endpoint',
    'device_authorization_endpoint',
  ])('with another %s is rejected: it would get secrets for the authorization server (RFC 8414 3.3)', async (name) => {
    const offering = { pushedRequests: 'offered', deviceSignIn: {} } as const;
    const as = await startServer(offering);
    const stranger = await startServer(offering);
    const mcp = await startCopying(as, (copy) => ({
      ...copy,
      [name]: String(copy[name]).replace(as.issuer, stranger.issuer),
    }));
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'ISSUER_MISMATCH' });
    expect(stranger.requests).toEqual([]);
    expect(requestsTo(as, '/register')).toEqual([]);
    await expectNothingStored(engine);
  });

  it('is rejected if the authorization server names itself differently', async () => {
    const as = await startServer();
    const other = await startServer({ metadata: (document) => ({ ...document, issuer: as.issuer }) });
    const mcp = await startCopying(as, (copy) => ({ ...copy, issuer: other.issuer }));
    const engine = createTestEngine();
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'ISSUER_MISMATCH' });
    expect(requestsTo(as, '/register')).toEqual([]);
  });

  it('is rejected if the authorization server publishes nothing', async () => {
    const as = await startServer();
    const mcp = await startCopying(as, (copy) => ({
      ...copy,
      issuer: `${new URL(copy['issuer'] as string).origin}/gone`,
    }));
    expect(await failureOf(createTestEngine().connect(mcp.url))).toMatchObject({ code: 'ISSUER_MISMATCH' });
  });
});
