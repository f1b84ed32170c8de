import { describe, expect, it } from 'vitest';
import { loadTokens } from '../../../main/engine/records/stored-secrets.ts';
import { Secret } from '../../../main/secret.ts';
import { startResource } from '../../support/demo-pair.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { freePort } from '../../support/free-port.ts';
import { hasGlewlwyd, startGlewlwyd } from '../../support/glewlwyd.ts';
import type { Glewlwyd } from '../../support/glewlwyd.ts';
import { failureOf, proveConnection, proveUse } from '../../support/prove-connection.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Debian's glewlwyd: metadata only in the OpenID form with path appended, and its own quirks. */

async function start() {
  const port = await freePort();
  const as = await startGlewlwyd(`http://127.0.0.1:${port}/mcp`, ['notes:read', 'notes:write']);
  return { as, mcp: await startResource(as, { port }) };
}

describe.skipIf(!hasGlewlwyd)('glewlwyd', () => {
  it('connects: metadata only in the path-append form, registration answered with 200, type bearer', async () => {
    const { as, mcp } = await start();
    const { integration } = await proveConnection(createTestEngine({ user: as.user }), mcp.url);
    expect(integration).toMatchObject({
      method: 'OAuthWithDCR',
      issuerKey: as.issuer,
      resource: mcp.url,
      scope: 'notes:read notes:write',
      notes: ['registration-status-not-201'],
    });
  });

  it('gets the nonce that it requires with openid', async () => {
    const { as, mcp } = await start();
    const engine = createTestEngine({ user: as.user });
    await proveConnection(engine, mcp.url, { scope: 'openid notes:read notes:write' });
    expect(engine.opened[0]?.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/);
  });

  it('issues a token that the server rejects if no resource was named, and only then (RFC 8707)', async () => {
    const { as, mcp } = await start();
    const { warnings } = await createTestEngine({ user: as.user }).connect(mcp.url, { sendResource: false });
    expect(warnings.map(({ code }) => code)).toEqual(['TOKEN_REJECTED']);
  });

  it('binds a client to Basic without announcing it: typed credentials are tried both ways, and the way is saved', async () => {
    const { as, mcp } = await start();
    const clock = createFakeClock(Date.now());
    const engine = createTestEngine({ clock, user: as.user });
    const callbackPort = await freePort();
    await engine.ports.store.updateSettings((settings) => ({ ...settings, callbackPort }));
    const client = await registerByHand(as, `http://127.0.0.1:${callbackPort}/integration/oauth/callback`);
    const credentials = { clientId: client.client_id, clientSecret: new Secret(client.client_secret) };
    const { integration } = await proveConnection(engine, mcp.url, { credentials });
    expect(methodsOf(engine)).toEqual(['form', 'basic']);

    clock.advance(3_500_000);
    await proveUse(engine, integration);
    expect(methodsOf(engine)).toEqual(['form', 'basic', 'basic']);
  });

  it('responds to a used refresh token with an empty 400: probably the end, but stored until a sign-in brings new tokens', async () => {
    const { as, mcp } = await start();
    const clock = createFakeClock(Date.now());
    const engine = createTestEngine({ clock, user: as.user });
    const { integration } = await proveConnection(engine, mcp.url);
    const spare = await loadTokens(engine.vault, integration.id, as.issuer);
    clock.advance(3_500_000);
    await proveUse(engine, integration);
    // An old copy of the vault was restored.
    const current = await loadTokens(engine.vault, integration.id, as.issuer);
    expect(current?.refreshToken?.reveal()).not.toBe(spare?.refreshToken?.reveal());
    const key = (await engine.vault.keysOf(integration.id)).find(({ kind }) => kind === 'tokens');
    if (!key || !current || !spare?.refreshToken) throw new Error('There are no tokens.');
    const record = (await engine.vault.read(key)) as object;
    await engine.vault.write(key, { ...record, refreshToken: spare.refreshToken.reveal() });
    clock.advance(3_700_000);
    expect(await failureOf(engine.tools(integration))).toMatchObject({
      code: 'REFRESH_REFUSED',
      detail: { status: 400 },
    });
    expect((await engine.read(integration)).state).toBe('integrated');
    expect(await engine.tools(await engine.read(integration), { signIn: true })).toContain('whoami');
  });
});

async function registerByHand(as: Glewlwyd, redirectUri: string) {
  const response = await fetch(`${as.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Notes',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: 'client_secret_basic',
    }),
  });
  return (await response.json()) as { client_id: string; client_secret: string };
}

function methodsOf({ sent }: Pick<ReturnType<typeof createTestEngine>, 'sent'>): string[] {
  return sent
    .filter(({ purpose }) => purpose === 'token' || purpose === 'refresh')
    .map(({ headers }) => (headers?.['authorization'] === undefined ? 'form' : 'basic'));
}
