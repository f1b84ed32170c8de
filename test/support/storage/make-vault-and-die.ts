/**
 * make-vault-and-die.ts FOLDER FATAL: creates the vault of a new profile and writes to it, killed at point FATAL.
 * Prints all points if it reaches its end.
 */
import { systemRandom } from '../../../main/host/system-ports.ts';
import type { Keychain } from '../../../main/ports.ts';
import { createLocks } from '../../../main/storage/files/kernel-locks.ts';
import { moveFile } from '../../../main/storage/files/replace-file.ts';
import { openVault } from '../../../main/storage/vault/vault.ts';
import { createFaultPoints, replaceWithFaultPoints } from '../fault-points.ts';
import { createFileKeychain } from '../file-keychain.ts';

const [folder = '', fatal = '0'] = process.argv.slice(2);
const points = createFaultPoints(folder, Number(fatal));
const real = createFileKeychain(folder);
const keychain: Keychain = {
  ...real,
  async write(account, value) {
    points.pass('before the entry');
    await real.write(account, value);
    points.pass('after the entry');
  },
};
const vault = await openVault({
  folder,
  keychain,
  locks: createLocks(folder),
  random: systemRandom,
  replace: replaceWithFaultPoints(points),
  async move(from, to) {
    points.pass('before the move');
    await moveFile(from, to);
    points.pass('after the move');
  },
});
await vault.ready();
points.pass('ready');
await vault.write({ kind: 'tokens', owner: 'one', issuerKey: 'https://as.example' }, 'saved');
console.log(JSON.stringify(points.passed));
