import { describe, expect, it } from 'vitest';
import type { AuthorizationServerOptions } from '../../demo/authorization-server-options.ts';
import type { McpServerOptions } from '../../demo/mcp-server-options.ts';
import { requestsTo, startPair } from '../../support/demo-pair.ts';
import { failureOf, proveConnection } from '../../support/prove-connection.ts';
import type { ConnectOptions } from '../../support/test-engine.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { without } from '../../support/without.ts';

/** Where the requested scope comes from, and how it grows (MCP 2025-11-25 and 2026-07-28, scope selection). */

const listing = (...scopes: string[]): McpServerOptions => ({
  challenge: { scope: false },
  metadata: (document) => ({ ...document, scopes_supported: scopes }),
});
const unlisted: McpServerOptions = {
  challenge: { scope: false },
  metadata: without('scopes_supported'),
};
const noOffline: AuthorizationServerOptions = { scopesSupported: ['notes:read', 'notes:write', 'notes:admin'] };

const scopesOf = (as: Parameters<typeof requestsTo>[0]) =>
  requestsTo(as, '/authorize').map(({ query }) => query.get('scope'));

describe('the requested scope', () => {
  it.each<[string, AuthorizationServerOptions, McpServerOptions, ConnectOptions, string]>([
    [
      'the user’s own before all others',
      {},
      { metadata: (document) => ({ ...document, scopes_supported: ['notes:admin'] }) },
      { scope: 'notes:read' },
      'notes:read',
    ],
    [
      'the challenge’s before the resource metadata’s',
      noOffline,
      { metadata: (document) => ({ ...document, scopes_supported: ['notes:admin'] }) },
      {},
      'notes:read notes:write',
    ],
    ['the resource metadata’s before the server metadata’s', noOffline, listing('notes:read'), {}, 'notes:read'],
    ['the server metadata’s if nothing else names any', noOffline, unlisted, {}, 'notes:read notes:write notes:admin'],
    ['with offline_access where the server lists it', {}, listing('notes:read'), {}, 'notes:read offline_access'],
    [
      'without offline_access where only the resource lists it',
      noOffline,
      listing('notes:read', 'offline_access'),
      {},
      'notes:read',
    ],
  ])('is %s', async (_, options, mcpOptions, chosen, scope) => {
    const { as, mcp } = await startPair(options, mcpOptions);
    await proveConnection(createTestEngine(), mcp.url, chosen);
    expect(scopesOf(as)).toEqual([scope]);
  });

  it('is stored with the granted one, and the difference is reported, if a user grants less (AZ-39)', async () => {
    const { mcp } = await startPair({ grantScopes: (scopes) => scopes.filter((scope) => scope !== 'notes:write') });
    const { integration, warnings } = await createTestEngine().connect(mcp.url);
    expect(warnings.map(({ code }) => code)).toEqual(['SCOPE_REDUCED']);
    expect(integration.scopeRequested?.split(' ')).toContain('notes:write');
    expect(integration.scope?.split(' ')).not.toContain('notes:write');
    expect(integration.scope?.split(' ')).toContain('notes:read');
  });
});

describe('a step-up', () => {
  it('without a user ends with SCOPE_REQUIRED, and nothing is opened', async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(await failureOf(engine.call(integration, 'delete_notes'))).toMatchObject({ code: 'SCOPE_REQUIRED' });
    expect(requestsTo(as, '/authorize')).toHaveLength(1);
  });

  it('requests the union of earlier and required scopes, and continues', async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    const { integration } = await proveConnection(engine, mcp.url);
    expect(await engine.call(integration, 'delete_notes', {}, { signIn: true })).toContain('Removed 0 notes');
    expect(scopesOf(as).map((scope) => scope?.split(' ').toSorted())).toEqual([
      ['notes:read', 'notes:write', 'offline_access'],
      ['notes:admin', 'notes:read', 'notes:write', 'offline_access'],
    ]);
    expect(requestsTo(as, '/register')).toHaveLength(1);

    const after = await engine.read(integration);
    expect(after.scope?.split(' ')).toContain('notes:admin');
    expect(await engine.call(after, 'delete_notes')).toContain('Removed 0 notes');
  });

  it('keeps the user’s own choice in the union', async () => {
    const { as, mcp } = await startPair();
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url, { scope: 'notes:read' });
    await engine.call(integration, 'delete_notes', {}, { signIn: true });
    expect(scopesOf(as)[1]?.split(' ')).toEqual(expect.arrayContaining(['notes:read', 'notes:admin']));
  });

  it('is tried at most three times for one operation, including the first sign-in (RF-21)', async () => {
    const { as, mcp } = await startPair({ grantScopes: (scopes) => scopes.filter((scope) => scope !== 'notes:admin') });
    const engine = createTestEngine();
    const { integration } = await engine.connect(mcp.url);
    const error = await failureOf(engine.call(integration, 'delete_notes', {}, { signIn: true }));
    expect(error).toMatchObject({
      code: 'SCOPE_REQUIRED',
      detail: { scopes: ['notes:admin'], scopeAnswer: 'refused' },
    });
    expect(engine.opened).toHaveLength(3);
    expect(requestsTo(as, '/token').map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
