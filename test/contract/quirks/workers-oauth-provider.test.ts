import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { startNotesWorker } from '../../support/notes-worker-server.ts';
import { proveConnection, proveUse } from '../../support/prove-connection.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** @cloudflare/workers-oauth-provider in a real workerd: authorization server and MCP server at one origin. */

describe('@cloudflare/workers-oauth-provider', () => {
  it('connects, works, is refreshed, and stepped up', async () => {
    const origin = await startNotesWorker();
    const clock = createFakeClock(Date.now());
    const engine = createTestEngine({ clock });
    const { integration } = await proveConnection(engine, `${origin}/mcp`);
    expect(integration).toMatchObject({
      method: 'OAuthWithDCR',
      issuerKey: origin,
      resource: `${origin}/mcp`,
      scopeRequested: 'notes:read offline_access',
    });
    for (let round = 0; round < 2; round += 1) {
      clock.advance(3_500_000);
      await proveUse(engine, await engine.read(integration));
    }
    expect(engine.sent.filter(({ purpose }) => purpose === 'refresh')).toHaveLength(2);

    expect(await engine.call(integration, 'delete_notes', {}, { signIn: true })).toContain('Removed');
    expect(engine.opened.at(-1)?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['notes:read', 'notes:admin']),
    );
    expect(engine.sent.filter(({ purpose }) => purpose === 'registration')).toHaveLength(1);
  });
});
