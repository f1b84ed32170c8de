import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readAccount, readHolder, readTokenSet, storeTokenSet } from '../../../../../main/oauth/token/token-set.ts';
import { ProofKey } from '../../../../../main/oauth/http/proof-key.ts';
import { Secret } from '../../../../../main/secret.ts';
import { tokenSet } from '../../../../support/oauth-fixtures.ts';

const throughVault = (record: unknown): unknown => JSON.parse(JSON.stringify(record));

describe('readTokenSet', () => {
  it('round-trips stored tokens, including both secrets', () => {
    const read = readTokenSet(throughVault(storeTokenSet(tokenSet())));
    expect(read).toEqual(tokenSet());
    expect(read?.accessToken.reveal()).toBe('old-access');
    expect(read?.refreshToken?.reveal()).toBe('old-refresh');
  });

  it('drops the monotonic time of another process', () => {
    const stored = storeTokenSet(tokenSet({ receivedAt: { wall: 5, monotonic: 77 }, notes: ['token-type-missing'] }));
    expect(readTokenSet(throughVault(stored))).toMatchObject({ receivedAt: { wall: 5 }, notes: [] });
    expect(JSON.stringify(stored)).not.toContain('77');
  });

  it('leaves an unknown lifetime undefined', () => {
    const { expiresAt: _, ...unknown } = tokenSet();
    expect(readTokenSet(throughVault(storeTokenSet(unknown)))).toEqual(unknown);
  });

  it('reads the key of bound tokens, and none of them without it', () => {
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
    ['issuer', ''],
    ['server', 7],
    ['resource', 7],
    ['tokenEndpoint', undefined],
    ['binding', {}],
  ])('refuses a record whose %s is unusable', (member, value) => {
    const record = { ...storeTokenSet(tokenSet()), [member]: value };
    expect(readTokenSet(throughVault(record))).toBeUndefined();
  });

  it.each([
    ['expiresAt', 1.5],
    ['receivedAt', null, { wall: 0 }],
    ['scope', 7],
    ['earlierToken', ''],
    ['revocationEndpoint', ''],
    ['asClient', 'client_credentials'],
    ['identity', {}],
    ['lostAt', null],
    ['refusals', 0],
    ['failures', 1.5],
    ['retryAt', null],
    ['refused', { kind: 'of-tomorrow' }],
    ['refused', { kind: 'answer', status: 400, error: 'of_tomorrow' }, { kind: 'answer', status: 400 }],
    ['refreshForm', { scope: null }],
    ['account', 7],
    ['holder', { sub: 7 }],
  ] as [string, unknown, unknown?][])(
    'reads the tokens and the rest of a record whose %s is %j',
    (member, value, read) => {
      const { [member as 'scope']: _own, ...rest } = tokenSet();
      const record = { ...storeTokenSet(tokenSet()), [member]: value };
      expect(readTokenSet(throughVault(record))).toEqual(read === undefined ? rest : { ...rest, [member]: read });
    },
  );

  property.prop([fc.anything()])('never throws', (record) => {
    expect(readTokenSet(record)).toBeUndefined();
  });
});

describe('storeTokenSet', () => {
  it('is the only rendering that contains the tokens', () => {
    const tokens = tokenSet({ accessToken: new Secret('canary-a'), refreshToken: new Secret('canary-r') });
    expect(JSON.stringify(tokens)).not.toContain('canary');
    expect(JSON.stringify(storeTokenSet(tokens))).toContain('canary-a');
  });
});

const longest = 'x'.repeat(256);

it.each([
  ['a text', 'user-1', 'user-1', 'user-1'],
  ['a number', 42, '42', '42'],
  ['a string of the maximum length', longest, longest, longest],
  ['a string that is too long', `${longest}x`, undefined, undefined],
  ['an empty string', '', undefined, undefined],
  // Two IDs could be read as the same number.
  ['an inexact number', 2 ** 53, undefined, undefined],
  ['a fraction', 1.5, undefined, undefined],
  ['another type', true, undefined, undefined],
  ['nothing', undefined, undefined, undefined],
])('identifies the account by %s: %j', (_, id, shown, compared) => {
  // The label is cut to fit.
  expect(readAccount({ user_id: id })?.slice(0, 20)).toBe(shown?.slice(0, 20));
  expect(readHolder({ user_id: id })).toEqual(compared === undefined ? {} : { user_id: compared });
  expect(readHolder({ team: { id } }, { tid: id })).toEqual(
    compared === undefined ? {} : { 'team.id': compared, 'id_token tid': compared },
  );
});

it('prefers the most stable member, and skips an empty one', () => {
  expect(readAccount({ email: 'a@example.com', sub: 's' })).toBe('s');
  expect(readAccount({ sub: '', email: 'a@example.com' })).toBe('a@example.com');
  expect(readHolder({ team: 'T1' })).toEqual({});
});
