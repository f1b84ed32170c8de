import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createKeychain } from '../../main/storage/keychain/keytar-keychain.ts';
import { keychainContract } from '../support/keychain-contract.ts';

const childPath = path.join(import.meta.dirname, '../../main/storage/keychain/keychain-child.ts');

describe('createKeychain on the system keyring (KC-18)', () => {
  const keychain = createKeychain({ service: 'postern-test', childPath });
  afterAll(() => keychain.close());

  keychainContract(() => keychain);

  it('keeps services separate: a trial build cannot read or overwrite the real entries (KC-14)', async () => {
    const other = createKeychain({ service: 'postern-test-beta', childPath });
    await keychain.write('same', 'stable');
    await other.write('same', 'beta');
    expect([await keychain.read('same'), await other.read('same')]).toEqual(['stable', 'beta']);
    await other.delete('same');
    expect([await keychain.read('same'), await other.read('same')]).toEqual(['stable', null]);
    await other.close();
  });
});
