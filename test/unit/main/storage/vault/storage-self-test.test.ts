import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { createMemoryVault, testStorage } from '../../../../../main/storage/vault/vault.ts';
import { createMemoryKeychain } from '../../../../support/memory-keychain.ts';

describe('testStorage', () => {
  it('finds nothing where all is well, and leaves nothing behind', async () => {
    const keychain = createMemoryKeychain();
    expect(await testStorage({ keychain, vault: createMemoryVault() })).toEqual([
      { name: 'keychain' },
      { name: 'vault' },
    ]);
    expect(keychain.entries.size).toBe(0);
  });

  it('names the error of the keychain for both, without a second wait', async () => {
    const keychain = createMemoryKeychain();
    keychain.failure = new PosternError('KC_TIMEOUT', { stage: 'storage' });
    const findings = await testStorage({ keychain, vault: createMemoryVault() });
    expect(findings.map(({ name, error }) => [name, error?.code])).toEqual([
      ['keychain', 'KC_TIMEOUT'],
      ['vault', 'KC_TIMEOUT'],
    ]);
    expect(keychain.calls).toEqual(['write']);
  });

  it('says KC_WRITE_UNVERIFIED of a keychain or a vault that forgets', async () => {
    const forgetful = { ...createMemoryKeychain(), write: async () => {} };
    expect((await testStorage({ keychain: forgetful, vault: createMemoryVault() }))[0]?.error?.code).toBe(
      'KC_WRITE_UNVERIFIED',
    );
    const vault = { ...createMemoryVault(), write: async () => {} };
    expect((await testStorage({ keychain: createMemoryKeychain(), vault }))[1]?.error?.code).toBe(
      'KC_WRITE_UNVERIFIED',
    );
  });

  it('does not take a keychain that cannot delete for a good one', async () => {
    const keeping = { ...createMemoryKeychain(), delete: async () => {} };
    expect((await testStorage({ keychain: keeping, vault: createMemoryVault() }))[0]?.error?.code).toBe(
      'KC_WRITE_UNVERIFIED',
    );
  });
});
