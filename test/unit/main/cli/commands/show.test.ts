import { describe, expect, it } from 'vitest';
import { describeAccess } from '../../../../../main/cli/commands/show.ts';
import type { Integration } from '../../../../../shared/integration.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

const now = Date.UTC(2026, 10, 20, 12);
const rowsOf = (change: Partial<Integration>): Record<string, string | undefined> =>
  Object.fromEntries(describeAccess(anIntegration({ signedInAt: now, ...change }), now));

describe('describeAccess', () => {
  it('shows that there is no refresh token and that the lifetime is unknown', () => {
    const rows = rowsOf({ hasRefreshToken: false });
    expect(rows['Token expires']).toContain('unknown');
    expect(rows['Refresh']).toContain('no refresh token');
  });

  it('shows when the token expires, but not a refresh that is automatic', () => {
    const rows = rowsOf({ hasRefreshToken: true, expiresAt: now + 3_600_000 });
    expect(rows['Token expires']).toContain('in 60 minutes');
    expect(rows['Refresh']).toBeUndefined();
    expect(rowsOf({})['Refresh']).toBeUndefined();
  });

  it('treats the requested scope as granted if the response has none (RFC 6749 5.1)', () => {
    const rows = rowsOf({ scopeRequested: 'a b' });
    expect(rows['Scopes granted']).toMatch(/^a b \(/u);
    expect(rows['Scopes requested']).toBeUndefined();
    expect(rows['Scopes missing']).toBeUndefined();
    expect(rowsOf({ scope: 'a b', scopeRequested: 'a b' })['Scopes granted']).toBe('a b');
    expect(rowsOf({})['Scopes granted']).toMatch(/\bnot\b/u);
  });

  it('shows missing scopes', () => {
    const rows = rowsOf({ scope: 'a', scopeRequested: 'a b' });
    expect(rows).toMatchObject({ 'Scopes granted': 'a', 'Scopes requested': 'a b' });
    expect(rows['Scopes missing']).toMatch(/^b /);
  });

  it.each([
    [{ method: 'NoAuth' }],
    [{ method: 'NoAuth', options: { ...anIntegration().options, headerName: 'X-Key' } }],
    [{ state: 'signedOut', hasRefreshToken: false, scopeRequested: 'a' }],
  ] as const)('shows no token details without a sign-in: %j', (change) => {
    const rows = rowsOf(change);
    for (const name of ['Token expires', 'Refresh', 'Scopes granted']) expect(rows[name]).toBeUndefined();
  });
});
