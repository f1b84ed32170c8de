import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { peekKeyAccount } from '../../../../../main/storage/profile/profile-path.ts';
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

describe('peekKeyAccount', () => {
  it.each(['one', 'Notes', 'notes'])(
    'finds the account of the key for an integration that needs a secret (%s)',
    (id) => {
      expect(peekKeyAccount(profile({ integrations: [signedIn] }), id)).toBe(account);
    },
  );

  it('finds it for an API key', () => {
    const keyed = { ...signedIn, method: 'NoAuth', options: { headerName: 'X-API-Key' } };
    expect(peekKeyAccount(profile({ integrations: [keyed] }), 'one')).toBe(account);
  });

  it.each<[string, unknown, unknown]>([
    ['needs no sign-in', { integrations: [{ ...signedIn, method: 'NoAuth' }] }, { account }],
    ['is signed out', { integrations: [{ ...signedIn, state: 'signedOut' }] }, { account }],
    ['does not exist', { integrations: [{ ...signedIn, id: 'two', name: 'Two' }] }, { account }],
    ['has no valid list', { integrations: 'none' }, { account }],
    ['is among invalid entries only', { integrations: [null, 1, []] }, { account }],
    ['has settings that are not JSON', 'not JSON', { account }],
    ['has a vault that is not JSON', { integrations: [signedIn] }, 'not JSON'],
    ['has a vault without an account', { integrations: [signedIn] }, { account: 7 }],
  ])('is undefined if the integration %s', (_, config, vault) => {
    expect(peekKeyAccount(profile(config, vault), 'one')).toBeUndefined();
  });

  it('is undefined if there is no profile', () => {
    expect(peekKeyAccount(path.join(temporaryFolder(), 'none'), 'one')).toBeUndefined();
  });
});
