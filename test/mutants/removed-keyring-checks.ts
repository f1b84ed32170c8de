import type { Mutant } from './mutant.ts';
import { removedCheck } from './removed-check.ts';

const keyring = 'unit/main/storage/keychain/keyring.test.ts';
const keyFile = 'unit/main/storage/keychain/key-file.test.ts';
const unattended = ['contract', 'contract/unattended-vault.test.ts'] as const;

/** What seals sign-ins on a computer without a keychain. */
export const removedKeyringChecks: readonly Mutant[] = [
  removedCheck(
    'keyring-by-itself',
    ['createKeyring', 'if (!$mayMake) throw $error;', ''],
    ['unit', keyring, 'is made only where somebody has said so'],
  ),
  removedCheck(
    'unproven-keyring-key',
    ['createKeyring', 'if (!$isNew && openValue($$check) !== $value) throw $error;', ''],
    ['unit', keyring, 'tells a wrong secret before it writes'],
  ),
  removedCheck(
    'unbound-keyring-values',
    ['sealValue', "['postern-keyring-1', $derivation, $name]", "['postern-keyring-1', $derivation]"],
    ['unit', keyring, 'opens no value under another name'],
  ),
  removedCheck(
    'cheap-passphrase',
    ['derivationSchema', 'z.union([z.literal(131_072), z.literal(262_144), z.literal(524_288)])', 'z.number()'],
    ['unit', keyring, 'takes no keyring of a passphrase with a cost of 1,024'],
  ),
  removedCheck(
    'keyring-unlocked',
    [
      'createKeyring',
      'await locks.hold(lockName, async () => { const $made = await readOrMake(); $$work });',
      'await (async () => { const $made = await readOrMake(); $$work })();',
    ],
    ['unit', keyring, 'is one where two make it at once'],
  ),
  removedCheck(
    'key-file-of-everybody',
    ['readSecretFile', '($uid !== $own && $uid !== 0) || ($mode & $others) !== 0', '$uid !== $own && $uid !== 0'],
    ['unit', keyFile, 'refuses a file that others may use'],
  ),
  removedCheck(
    'key-file-over-another',
    ['makeKeyFile', "open($file, 'wx', 0o600)", "open($file, 'w', 0o600)"],
    ['unit', keyFile, 'over nothing'],
  ),
  removedCheck(
    'key-beside-the-vault',
    ['keyringSecret', 'if (isInside($folder, $file)) throw $error;', ''],
    [...unattended, 'makes the file for its person alone'],
  ),
  removedCheck(
    'short-passphrase',
    ['keyringSecret', 'if (bytes.length >= least) return bytes;', 'if (least > 0) return bytes;'],
    [...unattended, 'takes no short passphrase'],
  ),
  removedCheck(
    'vault-secret-for-a-command',
    ['exec', '{ ...process.env, ...withoutSecrets, [$variable]: $given }', '{ ...process.env, [$variable]: $given }'],
    [...unattended, 'gives the commands that exec runs nothing'],
  ),
];
