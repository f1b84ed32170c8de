import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { systemRandom } from '../../../../../main/host/system-ports.ts';
import { createLocks } from '../../../../../main/storage/files/kernel-locks.ts';
import { createStoredData } from '../../../../../main/storage/profile/stored-data.ts';
import { createSignInLeases } from '../../../../../main/storage/profile/sign-in-leases.ts';
import { openIntegrationStore } from '../../../../../main/storage/settings/integration-store.ts';
import { openVault } from '../../../../../main/storage/vault/vault.ts';
import { anIntegration } from '../../../../support/an-integration.ts';
import { createMemoryKeychain } from '../../../../support/memory-keychain.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const key = { kind: 'tokens', owner: 'one', issuerKey: 'https://as.example' } as const;
const strangeAccount = 'vault-11111111-2222-4333-8444-555555555555';

/** A profile with every kind of file that Postern writes, and the keychain entries that they name. */
async function openProfile() {
  const folder = temporaryFolder();
  const keychain = createMemoryKeychain();
  const locks = createLocks(folder);
  const backend = 'test';
  const open = () => openVault({ folder, keychain, locks, random: systemRandom, backend });
  const put = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  const vault = await open();
  await vault.write(key, 'secret');
  await openIntegrationStore({ folder, locks }).write(anIntegration());
  await createSignInLeases({ folder, locks }).acquire('one');
  keychain.entries.set(strangeAccount, 'key');
  put('vault.corrupt-1', `{"version": 1,\n "account": "${strangeAccount}",\n "backend": "test",\n "records": [{`);
  put('vault.corrupt-2', 'nothing that can be read');
  put('config.corrupt-1.json', '{');
  put('config.json.tmp-1', '{}');
  put('window.json', '{}');
  put('window.json.tmp-1700000000000abcdef', '{');
  mkdirSync(path.join(folder, 'logs'));
  put('logs/postern.log', 'line');
  put('logs/postern.1.log', 'line');
  mkdirSync(path.join(folder, 'activity'));
  put('activity/00000001.jsonl', '{}');
  put('activity/00000002.jsonl', '{');
  mkdirSync(path.join(folder, 'history'));
  put('history/one.json', '{');
  put('history/two.json.tmp-1', '{}');
  mkdirSync(path.join(folder, 'backups/cursor'), { recursive: true });
  put('backups/cursor/20261122T100000000Z-mcp.json', '{}');
  return {
    folder,
    keychain,
    locks,
    vault,
    open,
    put,
    storedData: createStoredData({ folder, keychain, locks, backend }),
  };
}

const refused = new PosternError('KC_LOCKED', { stage: 'storage' });

describe('createStoredData', () => {
  it('deletes every entry that a file names, and every file of Postern (KC-15)', async () => {
    const { folder, keychain, storedData } = await openProfile();
    expect(keychain.entries.size).toBe(2);
    await storedData.prepare();
    expect(await storedData.deleteSecrets()).toBe(2);
    expect(keychain.entries.size).toBe(0);
    expect(readdirSync(folder).filter((name) => name.startsWith('vault'))).toEqual([]);
    await storedData.deleteRest();
    expect(readdirSync(folder, { recursive: true })).toEqual([]);
    // Again, with nothing left.
    await storedData.prepare();
    expect(await storedData.deleteSecrets()).toBe(0);
    await storedData.deleteRest();
    expect(readdirSync(folder, { recursive: true })).toEqual([]);
  });

  it('deletes the entry if another channel of Postern sealed the folder (KC-14, KC-15)', async () => {
    const { folder, keychain, locks } = await openProfile();
    const ownKeychain = createMemoryKeychain();
    ownKeychain.entries.set('vault-of-this-channel', 'key');
    const storedData = createStoredData({
      folder,
      keychain: ownKeychain,
      otherKeychains: [keychain],
      locks,
      backend: 'test',
    });
    expect(await storedData.deleteSecrets()).toBe(2);
    expect(keychain.entries.size).toBe(0);
    expect([...ownKeychain.entries.keys()]).toEqual(['vault-of-this-channel']);
  });

  it('leaves what it did not create: entries of other profiles and foreign files (KC-15)', async () => {
    const { folder, keychain, storedData, put } = await openProfile();
    const foreign = ['Preferences', 'vault.txt', 'config.json.mine', 'my-config.json'];
    for (const name of foreign) put(name, 'foreign');
    put('logs/mine.log', 'foreign');
    keychain.entries.set('vault-of-another-profile', 'key');
    await storedData.prepare();
    await storedData.deleteSecrets();
    await storedData.deleteRest();
    expect(readdirSync(folder).toSorted()).toEqual([...foreign, 'logs'].toSorted());
    expect(readdirSync(path.join(folder, 'logs'))).toEqual(['mine.log']);
    expect([...keychain.entries.keys()]).toEqual(['vault-of-another-profile']);
  });

  it('keeps the name of an entry that the keychain refuses to delete, but no record; the next run deletes it (KC-15)', async () => {
    const { folder, keychain, storedData, open } = await openProfile();
    const text = (name: string): string => readFileSync(path.join(folder, name), 'utf8');
    const { account } = JSON.parse(text('vault')) as { account: string };
    keychain.failure = refused;
    await expect(storedData.deleteSecrets()).rejects.toBe(refused);
    expect(keychain.calls.filter((call) => call === 'delete')).toHaveLength(1);
    expect(JSON.parse(text('vault'))).toMatchObject({ account, records: [] });
    expect(JSON.parse(text('vault.corrupt-1'))).toMatchObject({ account: strangeAccount, records: [] });
    expect(existsSync(path.join(folder, 'vault.corrupt-2'))).toBe(false);
    await storedData.deleteRest();
    keychain.failure = undefined;
    expect(await (await open()).owners()).toEqual([]);
    expect(await storedData.deleteSecrets()).toBe(2);
    await storedData.deleteRest();
    expect(keychain.entries.size).toBe(0);
    expect(readdirSync(folder, { recursive: true })).toEqual([]);
  });

  it('deletes each entry before the file that names it, and copies of the settings before the settings', async () => {
    const { folder, keychain, locks, storedData } = await openProfile();
    const found: boolean[] = [];
    const watching = createStoredData({
      folder,
      locks,
      backend: 'test',
      keychain: {
        ...keychain,
        delete: async (account) => {
          found.push(['vault', 'vault.corrupt-1'].some((name) => existsSync(path.join(folder, name))));
          await keychain.delete(account);
        },
      },
      beforeStep: (step) => {
        if (step !== 'remove config.json') return;
        for (const name of ['config.json.tmp-1', 'config.last-good.json'])
          found.push(!existsSync(path.join(folder, name)));
      },
    });
    await storedData.prepare();
    await watching.deleteSecrets();
    await watching.deleteRest();
    expect(found).toEqual([true, true, true, true]);
  });

  it('touches nothing that a newer version wrote (CFG_NEWER)', async () => {
    for (const name of ['config.json', 'vault']) {
      const { folder, keychain, storedData, put } = await openProfile();
      put(name, JSON.stringify({ version: 99, account: strangeAccount }));
      const before = readdirSync(folder, { recursive: true });
      await expect(storedData.prepare()).rejects.toMatchObject({ code: 'CFG_NEWER' });
      expect(readdirSync(folder, { recursive: true })).toEqual(before);
      expect(keychain.entries.size).toBe(2);
    }
  });

  it('ends sign-ins in flight in other processes before they store anything', async () => {
    const { folder, locks, storedData } = await openProfile();
    const lease = await createSignInLeases({ folder, locks }).acquire('one');
    expect(lease.isNewest()).toBe(true);
    await storedData.prepare();
    expect(lease.isNewest()).toBe(false);
  });

  it('follows no link in place of the settings or a vault', async () => {
    const { folder, storedData } = await openProfile();
    const elsewhere = temporaryFolder();
    const [settings, other] = [path.join(elsewhere, 'dotfile.json'), path.join(elsewhere, 'other')];
    writeFileSync(settings, '{"version":1}');
    writeFileSync(other, `{"account": "${strangeAccount}", "backend": "test"}`);
    await storedData.deleteRest();
    symlinkSync(settings, path.join(folder, 'config.json'));
    symlinkSync(other, path.join(folder, 'vault.corrupt-9'));
    await storedData.deleteSecrets();
    await storedData.deleteRest();
    expect(readdirSync(elsewhere)).toEqual(['dotfile.json', 'other']);
    expect(lstatSync(other).size).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lets a running process create a new key, and never use one whose entry is gone', async () => {
    const { keychain, storedData, vault, open } = await openProfile();
    await storedData.deleteSecrets();
    await storedData.deleteRest();
    await vault.write(key, 'later');
    expect(keychain.entries.size).toBe(1);
    expect(await (await open()).read(key)).toBe('later');
  });

  it('deletes no lock file while it is held', async () => {
    const { folder, locks, storedData } = await openProfile();
    await locks.hold('integration one', async () => {
      await storedData.deleteRest();
      const left = readdirSync(path.join(folder, 'locks')).filter((name) => name.endsWith('.lock'));
      expect(left).toEqual([expect.stringMatching(/^h-/)]);
    });
    await storedData.deleteRest();
    expect(existsSync(path.join(folder, 'locks'))).toBe(false);
  });
});
