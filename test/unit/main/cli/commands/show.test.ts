import { describe, expect, it } from 'vitest';
import { describeAccess } from '../../../../../main/cli/commands/show.ts';
import type { Integration } from '../../../../../shared/integration.ts';
import { anIntegration } from '../../../../support/an-integration.ts';

const now = Date.UTC(2026, 10, 20, 12);
const rowsOf = (change: Partial<Integration>): Record<string, string | undefined> =>
  Object.fromEntries(describeAccess(anIntegration({ signedInAt: now, ...change }), now));

describe('describeAccess', () => {
  it('says that there is no refresh token, and that the lifetime is not known', () => {
    const rows = rowsOf({ hasRefreshToken: false });
    expect(rows['Access ends']).toContain('unknown');
    expect(rows['Renewal']).toContain('no refresh token');
  });

  it('says when access ends, and nothing of a renewal that works by itself', () => {
    const rows = rowsOf({ hasRefreshToken: true, expiresAt: now + 3_600_000 });
    expect(rows['Access ends']).toContain('in 60 minutes');
    expect(rows['Renewal']).toBeUndefined();
    expect(rowsOf({})['Renewal']).toBeUndefined();
  });

  it('takes what was requested as granted where the service did not say (RFC 6749 5.1)', () => {
    const rows = rowsOf({ scopeRequested: 'a b' });
    expect(rows['Scopes granted']).toMatch(/^a b \(/u);
    expect(rows['Scopes requested']).toBeUndefined();
    expect(rows['Scopes missing']).toBeUndefined();
    expect(rowsOf({ scope: 'a b', scopeRequested: 'a b' })['Scopes granted']).toBe('a b');
    expect(rowsOf({})['Scopes granted']).toMatch(/\bnot\b/u);
  });

  it('shows what is missing', () => {
    const rows = rowsOf({ scope: 'a', scopeRequested: 'a b' });
    expect(rows).toMatchObject({ 'Scopes granted': 'a', 'Scopes requested': 'a b' });
    expect(rows['Scopes missing']).toMatch(/^b /);
  });

  it.each([
    [{ method: 'NoAuth' }],
    [{ method: 'NoAuth', options: { ...anIntegration().options, headerName: 'X-Key' } }],
    [{ state: 'signedOut', hasRefreshToken: false, scopeRequested: 'a' }],
  ] as const)('says nothing of an access that is not there: %j', (change) => {
    const rows = rowsOf(change);
    for (const name of ['Access ends', 'Renewal', 'Scopes granted']) expect(rows[name]).toBeUndefined();
  });
});
