import { describe, expect, it } from 'vitest';
import { removeIntegration } from '../../../main/engine/removal/remove-integration.ts';
import { signOut } from '../../../main/engine/removal/sign-out.ts';
import { reauthenticate } from '../../../main/engine/sign-in/reauthenticate.ts';
import { stateLifetime } from '../../../main/limits.ts';
import { requestsTo, startPair } from '../../support/demo-pair.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { failureOf } from '../../support/prove-connection.ts';
import { refreshIntegration } from '../../support/refresh-integration.ts';
import { approving, createTestEngine } from '../../support/test-engine.ts';

const { signal } = new AbortController();

/** The user signs in as `now`. */
function changing() {
  const who = { now: 'ada' };
  return { who, engine: createTestEngine({ user: (...args) => approving({ user: who.now })(...args) }) };
}

describe('switching the account', () => {
  it('requires a new login and replaces the account in the same entry', async () => {
    const { mcp } = await startPair();
    const { who, engine } = changing();
    const { integration } = await engine.connect(mcp.url);
    expect(await engine.call(integration, 'whoami')).toMatch(/ada/iu);
    who.now = 'grace';
    const switched = await reauthenticate(engine.ports, integration, { freshLogin: true }, engine.interaction, signal);
    expect(engine.opened.map(({ searchParams }) => searchParams.get('prompt'))).toEqual(['consent', 'login consent']);
    expect(switched.id).toBe(integration.id);
    expect(await engine.call(await engine.read(integration), 'whoami')).toMatch(/grace/iu);
    expect(await engine.ports.store.list()).toHaveLength(1);
  });

  it('requests account selection if the service supports it', async () => {
    const { mcp } = await startPair({
      metadata: (document) => ({ ...document, prompt_values_supported: ['login', 'consent', 'select_account'] }),
    });
    const { engine } = changing();
    const { integration } = await engine.connect(mcp.url);
    // oidc-provider itself rejects that prompt; what matters is what it was asked.
    await reauthenticate(engine.ports, integration, { freshLogin: true }, engine.interaction, signal).catch(() => {});
    expect(engine.opened.at(-1)?.searchParams.get('prompt')).toBe('select_account consent');
    expect(await engine.call(await engine.read(integration), 'whoami')).toMatch(/ada/iu);
  });

  it('keeps the old sign-in if the new one is not finished', async () => {
    const { mcp } = await startPair();
    const { engine } = changing();
    const { integration } = await engine.connect(mcp.url);
    const cancelled = AbortSignal.abort();
    const end = reauthenticate(engine.ports, integration, { freshLogin: true }, engine.interaction, cancelled);
    expect(await failureOf(end)).toMatchObject({ code: 'USER_CANCELLED' });
    expect(await engine.call(await engine.read(integration), 'whoami')).toMatch(/ada/iu);
  });
});

describe('an old registration whose sign-in page never redirected back', () => {
  it('is not tried again: the next sign-in registers again', async () => {
    const { as, mcp } = await startPair();
    const clock = createFakeClock(Date.now());
    const engine = createTestEngine({ clock });
    await engine.connect(mcp.url);
    const { open } = engine.interaction;
    // The page is open, and the user never comes back.
    Object.assign(engine.interaction, { open: async () => clock.advance(stateLifetime) });
    expect(await failureOf(engine.connect(mcp.url))).toMatchObject({ code: 'STATE_EXPIRED' });
    expect(requestsTo(as, '/register')).toHaveLength(1);
    Object.assign(engine.interaction, { open });
    await engine.connect(mcp.url);
    expect(requestsTo(as, '/register')).toHaveLength(2);
    // A fresh one is not to blame: the user may have gone for coffee.
    await engine.connect(mcp.url);
    expect(requestsTo(as, '/register')).toHaveLength(2);
  });
});

describe('a refresh in flight (RF-16)', () => {
  it.each([
    ['sign-out', signOut],
    ['removal', removeIntegration],
  ] as const)('when %s comes leaves nothing behind, and its new tokens are revoked', async (_name, end) => {
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const held = { now: false };
    const { as, mcp } = await startPair({
      intercept: async ({ url }) => {
        if (held.now && url === '/token') {
          held.now = false;
          arrived.resolve();
          await gate.promise;
        }
        return false;
      },
    });
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url);
    held.now = true;
    const refreshed = refreshIntegration(engine.ports, integration, { signal });
    await arrived.promise;
    const ended = end(engine.ports, integration, signal);
    gate.resolve();
    await Promise.all([refreshed, ended]);
    const kinds = (await engine.vault.keysOf(integration.id)).map(({ kind }) => kind);
    expect(kinds).not.toContain('tokens');
    const revoked = requestsTo(as, '/revoke').map(({ body }) => body?.['token']);
    const renewed = engine.sent.filter(({ purpose }) => purpose === 'refresh');
    expect(renewed).toHaveLength(1);
    expect(revoked).toHaveLength(2);
    expect(revoked).not.toContain(new URLSearchParams(renewed[0]?.body).get('refresh_token'));
  });
});
