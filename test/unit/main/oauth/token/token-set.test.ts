import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readTokenSet, storeTokenSet } from '../../../../../main/oauth/token/token-set.ts';
import { ProofKey } from '../../../../../main/oauth/wire/proof-key.ts';
import { Secret } from '../../../../../main/secret.ts';
import { tokenSet } from '../../../../support/oauth-fixtures.ts';

const throughVault = (record: unknown): unknown => JSON.parse(JSON.stringify(record));

describe('readTokenSet', () => {
  it('reads back what was stored, both tokens included', () => {
    const read = readTokenSet(throughVault(storeTokenSet(tokenSet())));
    expect(read).toEqual(tokenSet());
    expect(read?.accessToken.reveal()).toBe('old-access');
    expect(read?.refreshToken?.reveal()).toBe('old-refresh');
  });

  it('forgets the monotonic clock of another process', () => {
    const stored = storeTokenSet(tokenSet({ receivedAt: { wall: 5, monotonic: 77 }, notes: ['token-type-missing'] }));
    expect(readTokenSet(throughVault(stored))).toMatchObject({ receivedAt: { wall: 5 }, notes: [] });
    expect(JSON.stringify(stored)).not.toContain('77');
  });

  it('keeps an unknown lifetime unknown', () => {
    const { expiresAt: _, ...unknown } = tokenSet();
    expect(readTokenSet(throughVault(storeTokenSet(unknown)))).toEqual(unknown);
  });

  it('reads the key back that tokens are bound to, and none of them without it', () => {
    const key = ProofKey.create();
    const stored = storeTokenSet(tokenSet({ binding: { key, isDemanded: true, bindsAccess: true } }));
    const { binding } = readTokenSet(throughVault(stored)) ?? {};
    expect(binding).toMatchObject({ isDemanded: true, bindsAccess: true });
    expect(binding?.key.store()).toEqual(key.store());
    for (const lost of [undefined, {}, { ...key.store(), d: '' }, { ...key.store(), crv: 'P-384' }]) {
      const record = { ...stored, binding: { ...stored.binding, key: lost } };
      expect(readTokenSet(throughVault(record))).toBeUndefined();
    }
  });

  it.each([
    ['accessToken', ''],
    ['accessToken', 'x'.repeat(32_769)],
    ['refreshToken', ''],
    ['expiresAt', 1.5],
    ['receivedAt', undefined],
    ['issuer', ''],
    ['tokenEndpoint', undefined],
  ])('refuses a record whose %s is unusable', (member, value) => {
    const record = { ...storeTokenSet(tokenSet()), [member]: value };
    expect(readTokenSet(throughVault(record))).toBeUndefined();
  });

  property.prop([fc.anything()])('never throws', (record) => {
    expect(readTokenSet(record)).toBeUndefined();
  });
});

describe('storeTokenSet', () => {
  it('is the only rendering that holds the tokens', () => {
    const tokens = tokenSet({ accessToken: new Secret('canary-a'), refreshToken: new Secret('canary-r') });
    expect(JSON.stringify(tokens)).not.toContain('canary');
    expect(JSON.stringify(storeTokenSet(tokens))).toContain('canary-a');
  });
});
