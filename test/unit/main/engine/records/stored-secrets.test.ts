import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readClientRegistration, storeClientRegistration } from '../../../../../main/engine/records/stored-secrets.ts';
import type { ClientRegistration } from '../../../../../main/oauth/client/registration-response.ts';
import { Secret } from '../../../../../main/secret.ts';
import { clientCredentials } from '../../../../support/oauth-fixtures.ts';

const registration: ClientRegistration = {
  credentials: clientCredentials({ secretExpiresAt: 1_800_000_000_000 }),
  registrationAccessToken: new Secret('rat'),
  registrationClientUri: 'https://as.example/register/c-1',
  clientSecretExpiresAt: 1_800_000_000_000,
  notes: ['registration-status-not-201'],
};

describe('readClientRegistration', () => {
  it('round-trips a stored registration, including both secrets', () => {
    const read = readClientRegistration(JSON.parse(JSON.stringify(storeClientRegistration(registration))));
    expect(read).toEqual(registration);
    expect(read?.registrationAccessToken?.reveal()).toBe('rat');
    expect(read?.credentials.clientSecret?.reveal()).toBe('secret-1');
  });

  it.each([
    ['credentials', { clientId: 'c' }],
    ['registrationAccessToken', 5],
    ['notes', undefined],
  ])('refuses a record whose %s is unusable', (member, value) => {
    expect(readClientRegistration({ ...storeClientRegistration(registration), [member]: value })).toBeUndefined();
  });

  property.prop([fc.anything()])('never throws', (record) => {
    expect(readClientRegistration(record)).toBeUndefined();
  });
});
