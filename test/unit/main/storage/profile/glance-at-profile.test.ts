import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { glanceAtKeyAccount } from '../../../../../main/storage/profile/profile-path.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const account = 'vault-1';
const signedIn = { id: 'one', name: 'Notes', method: 'OAuthWithDCR', state: 'integrated', options: {} };

function profile(config: unknown, vault: unknown = { version: 1, account, records: [] }): string {
  const folder = temporaryFolder();
  const render = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  if (config !== undefined) writeFileSync(path.join(folder, 'config.json'), render(config));
  if (vault !== undefined) writeFileSync(path.join(folder, 'vault'), render(vault));
  return folder;
}

describe('glanceAtKeyAccount', () => {
  it.each(['one', 'Notes', 'notes'])(
    'names the account of the key for an integration that needs a secret (%s)',
    (id) => {
      expect(glanceAtKeyAccount(profile({ integrations: [signedIn] }), id)).toBe(account);
    },
  );

  it('names it for an API key', () => {
    const keyed = { ...signedIn, method: 'NoAuth', options: { headerName: 'X-API-Key' } };
    expect(glanceAtKeyAccount(profile({ integrations: [keyed] }), 'one')).toBe(account);
  });

  it.each<[string, unknown, unknown]>([
    ['needs no sign-in', { integrations: [{ ...signedIn, method: 'NoAuth' }] }, { account }],
    ['is signed out', { integrations: [{ ...signedIn, state: 'signedOut' }] }, { account }],
    ['is not there', { integrations: [{ ...signedIn, id: 'two', name: 'Two' }] }, { account }],
    ['stands in no list', { integrations: 'none' }, { account }],
    ['has entries beside it that are none', { integrations: [null, 1, []] }, { account }],
    ['has a list that is no JSON', 'not JSON', { account }],
    ['has a vault that is no JSON', { integrations: [signedIn] }, 'not JSON'],
    ['has a vault without an account', { integrations: [signedIn] }, { account: 7 }],
  ])('says nothing where the integration %s', (_, config, vault) => {
    expect(glanceAtKeyAccount(profile(config, vault), 'one')).toBeUndefined();
  });

  it('says nothing where there is no profile', () => {
    expect(glanceAtKeyAccount(path.join(temporaryFolder(), 'none'), 'one')).toBeUndefined();
  });
});
