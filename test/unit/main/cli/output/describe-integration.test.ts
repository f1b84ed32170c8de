import { describe, expect, it } from 'vitest';
import { describeMoment, summarize } from '../../../../../main/cli/output/describe-integration.ts';
import { anIntegration, typedAt } from '../../../../support/an-integration.ts';

describe('summarize', () => {
  it('has every field of the contract, with null if it does not apply', () => {
    const {
      issuerKey: _issuer,
      scope: _scope,
      expiresAt: _expiresAt,
      ...bare
    } = anIntegration({ id: 'a', method: 'NoAuth' });
    expect(Object.keys(summarize(bare))).toEqual([
      'id',
      'name',
      'alias',
      'kind',
      'url',
      'method',
      'issuer',
      'scope',
      'expiresAt',
      'state',
      'status',
      'account',
    ]);
    expect(summarize(bare)).toMatchObject({ id: 'a', issuer: null, scope: null, expiresAt: null });
  });

  it('shows the state in the words of the list, and who is signed in', () => {
    const ended = anIntegration({
      expiresAt: 1,
      hasRefreshToken: false,
      user: { name: 'Ada', email: 'a@b.example' },
    });
    expect(summarize(ended)).toMatchObject({ status: 'needs sign-in', account: 'Ada, a@b.example' });
    expect(summarize(anIntegration({ account: '42' }))).toMatchObject({ status: 'ready', account: '42' });
    expect(summarize(anIntegration())).toMatchObject({ account: null });
  });

  it('names the published issuer, and none if the token endpoint was typed', () => {
    expect(summarize(anIntegration({ issuerKey: 'https://a.example#https://b.example' }))).toMatchObject({
      issuer: 'https://a.example',
    });
    expect(summarize(typedAt('https://as.example/token'))).toMatchObject({ issuer: null });
  });
});

describe('describeMoment', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  it.each([
    [3_600_000, 'in 60 minutes'],
    [-120_000, '2 minutes ago'],
    [10 * 3_600_000, 'in 10 hours'],
    [72 * 3_600_000, 'in 3 days'],
    [0, 'this minute'],
  ])('shows how far away %i ms is', (distance, words) => {
    expect(describeMoment(now + distance, now)).toMatch(
      new RegExp(`^2026-11-\\d\\d \\d\\d:\\d\\d \\(${words}\\)$`, 'u'),
    );
  });

  it('shows a time outside the calendar as unknown', () => {
    expect(describeMoment(Number.MAX_SAFE_INTEGER, now)).toBe('unknown');
  });
});
