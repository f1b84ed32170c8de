import { describe, expect, it } from 'vitest';
import { accountOf } from '../../../../renderer/integrations/arrange-rows.ts';

describe('accountOf', () => {
  it('distinguishes two organizations of one user', () => {
    const of = (organization?: string) => ({
      state: 'integrated' as const,
      user: { email: 'ada@example.com', ...(organization !== undefined && { organization }) },
    });
    expect(accountOf(of('Acme'))).not.toBe(accountOf(of('Globex')));
    expect(accountOf(of())).toBe('ada@example.com');
    expect(accountOf({ state: 'integrated', user: { organization: 'Acme' } })).toBe('Acme');
    expect(accountOf({ state: 'integrated' })).toBeUndefined();
    expect(accountOf({ ...of('Acme'), state: 'signedOut' })).toBeUndefined();
  });
});
