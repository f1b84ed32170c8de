import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readClientCredentials, storeClientCredentials } from '../../../../../main/oauth/client/client-credentials.ts';
import { Secret } from '../../../../../main/secret.ts';
import { clientCredentials, publicClient } from '../../../../support/oauth-fixtures.ts';

const throughVault = (record: unknown): unknown => JSON.parse(JSON.stringify(record));

describe('readClientCredentials', () => {
  it('round-trips stored credentials, including the secret', () => {
    const credentials = clientCredentials({
      authentication: 'client_secret_basic',
      rawBasic: true,
      secretExpiresAt: 1_800_000_000_000,
    });
    const read = readClientCredentials(throughVault(storeClientCredentials(credentials)));
    expect(read).toEqual(credentials);
    expect(read?.clientSecret?.reveal()).toBe('secret-1');
  });

  it('round-trips a public client without a secret', () => {
    const read = readClientCredentials(throughVault(storeClientCredentials(publicClient())));
    expect(read).toEqual(publicClient());
    expect(Object.hasOwn(read ?? {}, 'clientSecret')).toBe(false);
  });

  it.each([
    ['clientId', ''],
    ['clientId', 5],
    ['clientSecret', ''],
    ['clientSecret', '[secret]'.repeat(2_000)],
    ['authentication', 'private_key_jwt'],
    ['source', 'elsewhere'],
    ['issuer', undefined],
    ['redirectUri', null],
    ['secretExpiresAt', '0'],
  ])('refuses a record whose %s is %j', (member, value) => {
    const record = { ...storeClientCredentials(clientCredentials()), [member]: value };
    expect(readClientCredentials(throughVault(record))).toBeUndefined();
  });

  property.prop([fc.anything()])('never throws', (record) => {
    expect(readClientCredentials(record)).toBeUndefined();
  });
});

describe('storeClientCredentials', () => {
  it('is the only rendering that contains the secret', () => {
    const credentials = clientCredentials({ clientSecret: new Secret('canary') });
    expect(JSON.stringify(credentials)).not.toContain('canary');
    expect(JSON.stringify(storeClientCredentials(credentials))).toContain('canary');
  });
});
