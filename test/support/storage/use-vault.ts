/**
 * use-vault.ts FOLDER OPERATION…: runs the operations on the real keychain, one after the other, and prints a JSON line
 * for each: its value or error code. `--timeout=MS` limits each keychain call.
 */
import { execFileSync } from 'node:child_process';
import { systemRandom } from '../../../main/host/system-ports.ts';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { keychainService } from '../../../main/storage/keychain/keychain-service.ts';
import { createKeychain } from '../../../main/storage/keychain/keytar-keychain.ts';
import { createStoredData } from '../../../main/storage/profile/stored-data.ts';
import { openVault, testStorage } from '../../../main/storage/vault/vault.ts';

const [folder = '', ...rest] = process.argv.slice(2);
const timeout = Number(rest.find((word) => word.startsWith('--timeout='))?.split('=')[1] ?? 30_000);
const childPath = new URL('../../../main/storage/keychain/keychain-child.ts', import.meta.url).pathname;
const key = { kind: 'tokens', owner: 'one', issuerKey: 'https://as.example' } as const;

async function open() {
  const keychain = createKeychain({ service: keychainService('dev'), childPath, timeout });
  const locks = createLocks(folder);
  const vault = await openVault({ folder, keychain, locks, random: systemRandom });
  return { keychain, vault, storedData: createStoredData({ folder, keychain, locks }) };
}

/** Accounts of all keyring entries of this service. */
async function listEntries(): Promise<string[]> {
  const { default: keytar } = await import('keytar');
  return (await keytar.findCredentials(keychainService('dev'))).map(({ account }) => account);
}

/** Locks the login keyring, as the desktop does when the user locks the screen. */
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
  'delete-secrets': () => opened.storedData.deleteSecrets(),
  'delete-rest': () => opened.storedData.deleteRest(),
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
// No `process.exit()` and no `close()`: the keychain must not keep this process alive.
