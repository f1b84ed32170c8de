/**
 * use-vault.ts FOLDER OPERATION…: carries the operations out on the real keychain, one after the other, and prints for
 * each a line of JSON: its value, or the code of its error. `--timeout=MS` bounds each keychain call.
 */
import { execFileSync } from 'node:child_process';
import { systemRandom } from '../../../main/host/system-ports.ts';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { keychainService } from '../../../main/storage/keychain/keychain-service.ts';
import { createKeychain } from '../../../main/storage/keychain/keytar-keychain.ts';
import { createKeptData } from '../../../main/storage/profile/kept-data.ts';
import { openVault, testStorage } from '../../../main/storage/vault/vault.ts';

const [folder = '', ...rest] = process.argv.slice(2);
const timeout = Number(rest.find((word) => word.startsWith('--timeout='))?.split('=')[1] ?? 30_000);
const childPath = new URL('../../../main/storage/keychain/keychain-child.ts', import.meta.url).pathname;
const key = { kind: 'tokens', owner: 'one', issuerKey: 'https://as.example' } as const;

async function open() {
  const keychain = createKeychain({ service: keychainService('dev'), childPath, timeout });
  const locks = createLocks(folder);
  const vault = await openVault({ folder, keychain, locks, random: systemRandom });
  return { keychain, vault, kept: createKeptData({ folder, keychain, locks }) };
}

/** Accounts of every entry that the keyring has of this service, whoever named them. */
async function listEntries(): Promise<string[]> {
  const { default: keytar } = await import('keytar');
  return (await keytar.findCredentials(keychainService('dev'))).map(({ account }) => account);
}

/** Locks the login keyring, as the desktop does when a person leaves. */
function lock(): void {
  const target = '/org/freedesktop/secrets/collection/login';
  const method = ['/org/freedesktop/secrets', 'org.freedesktop.Secret.Service.Lock', `array:objpath:${target}`];
  execFileSync('dbus-send', ['--session', '--print-reply', '--dest=org.freedesktop.secrets', ...method]);
}

let opened = await open();
const operations: Readonly<Record<string, () => unknown>> = {
  ready: () => opened.vault.ready(),
  read: () => opened.vault.read(key),
  write: () => opened.vault.write(key, { accessToken: `token of ${folder}` }),
  delete: () => opened.vault.delete(key),
  'write-entry': () => opened.keychain.write('entry', 'value'),
  'read-entry': () => opened.keychain.read('entry'),
  'read-nothing': () => opened.keychain.read('nothing'),
  'delete-entry': () => opened.keychain.delete('entry'),
  test: async () => (await testStorage(opened)).map(({ name, error }) => `${name} ${error?.code ?? 'ok'}`),
  entries: async () => (await listEntries()).length,
  'delete-secrets': () => opened.kept.deleteSecrets(),
  'delete-rest': () => opened.kept.deleteRest(),
  lock,
  reopen: async () => {
    await opened.keychain.close();
    opened = await open();
  },
};

for (const name of rest.filter((word) => !word.startsWith('--'))) {
  try {
    console.log(JSON.stringify({ [name]: (await operations[name]?.()) ?? 'ok' }));
  } catch (error) {
    console.log(JSON.stringify({ [name]: (error as { code?: string }).code ?? String(error) }));
  }
}
// No `process.exit()` and no `close()`: nothing of the keychain may keep this process alive.
