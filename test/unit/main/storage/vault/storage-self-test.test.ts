import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { createMemoryVault, testStorage } from '../../../../../main/storage/vault/vault.ts';
import { createMemoryKeychain } from '../../../../support/memory-keychain.ts';

describe('testStorage', () => {
  it('finds no problem in working storage, and leaves nothing behind', async () => {
    const keychain = createMemoryKeychain();
    expect(await testStorage({ keychain, vault: createMemoryVault() })).toEqual([
      { name: 'keychain' },
      { name: 'vault' },
    ]);
    expect(keychain.entries.size).toBe(0);
  });

  it("reports the keychain's error for both, without a second wait", async () => {
    const keychain = createMemoryKeychain();
    keychain.failure = new PosternError('KC_TIMEOUT', { stage: 'storage' });
    const findings = await testStorage({ keychain, vault: createMemoryVault() });
    expect(findings.map(({ name, error }) => [name, error?.code])).toEqual([
      ['keychain', 'KC_TIMEOUT'],
      ['vault', 'KC_TIMEOUT'],
    ]);
    expect(keychain.calls).toEqual(['write']);
  });

  it('reports KC_WRITE_UNVERIFIED for a keychain or vault that loses data', async () => {
    const lossy = { ...createMemoryKeychain(), write: async () => {} };
    expect((await testStorage({ keychain: lossy, vault: createMemoryVault() }))[0]?.error?.code).toBe(
      'KC_WRITE_UNVERIFIED',
    );
    const vault = { ...createMemoryVault(), write: async () => {} };
    expect((await testStorage({ keychain: createMemoryKeychain(), vault }))[1]?.error?.code).toBe(
      'KC_WRITE_UNVERIFIED',
    );
  });

  it('does not accept a keychain that cannot delete', async () => {
    const undeletable = { ...createMemoryKeychain(), delete: async () => {} };
    expect((await testStorage({ keychain: undeletable, vault: createMemoryVault() }))[0]?.error?.code).toBe(
      'KC_WRITE_UNVERIFIED',
    );
  });
});
