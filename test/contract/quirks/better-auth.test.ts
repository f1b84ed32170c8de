import { describe, expect, it } from 'vitest';
import { findBetterAuth, startBetterAuthServer } from '../../support/better-auth-server.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { failureOf, proveConnection, proveUse } from '../../support/prove-connection.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** A web application with better-auth and its MCP plugin; skipped if the package is not installed. */

const packages = await findBetterAuth();

describe.skipIf(packages === undefined)('better-auth with its MCP plugin', () => {
  async function start() {
    if (packages === undefined) throw new Error('better-auth is not installed.');
    const server = await startBetterAuthServer(packages);
    const clock = createFakeClock(Date.now());
    return { server, clock, engine: createTestEngine({ clock, user: server.user }) };
  }

  it('connects: a resource that is the origin, metadata below a path, openid by default', async () => {
    const { server, engine } = await start();
    const { integration } = await proveConnection(engine, server.url);
    expect(integration).toMatchObject({
      method: 'OAuthWithDCR',
      issuerKey: server.origin,
      resource: server.origin,
      scope: 'openid profile email offline_access',
      notes: [],
    });
    expect(engine.opened[0]?.searchParams.get('nonce')).not.toBeNull();
    expect(engine.opened[0]?.searchParams.get('prompt')).toBe('consent');
  });

  it('is refreshed, and signed in to again when it has forgotten the refresh token', async () => {
    const { server, clock, engine } = await start();
    const { integration } = await proveConnection(engine, server.url);
    clock.advance(3_500_000);
    await proveUse(engine, integration);
    server.forgetTokens();
    clock.advance(3_500_000);
    expect(await failureOf(engine.tools(integration))).toMatchObject({ code: 'REFRESH_REVOKED' });
    expect(await engine.tools(await engine.read(integration), { signIn: true })).toContain('whoami');
    expect(server.log.filter((line) => line.includes('/mcp/register'))).toEqual(['POST /api/auth/mcp/register 201']);
  });
});
