import type { Locks } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import { replaceFile } from '../files/replace-file.ts';
import { deriveKey, newDerivation, openValue, sealValue } from './keyring-key.ts';
import type { KeyringKind } from './keyring-key.ts';
import { keyringPath, readKeyring, renderKeyring } from './keyring-file.ts';
import type { KeyringFile } from './keyring-file.ts';
import type { SystemKeychain } from './keytar-keychain.ts';

export interface KeyringOptions {
  /** The profile folder. */
  readonly folder: string;
  readonly kind: KeyringKind;
  readonly locks: Locks;
  /** Somebody has said aloud that one may be made here. */
  readonly mayMake: boolean;
  /** The passphrase, or the bytes of the key file; `isNew`: of a keyring that is being made. */
  readonly secret: (isNew: boolean) => Promise<Buffer>;
}

/** Kept beside a vault: which keychain has its key. */
export const keyringBackends = { passphrase: 'passphrase', file: 'key-file' } as const satisfies Record<
  KeyringKind,
  string
>;

const checkName = 'check';
const checkValue = 'postern-keyring';
const lockName = 'keyring';

/**
 * A keychain in one file of the profile, for computers that have none: each value sealed with a key that is made of a
 * passphrase or a key file. It is made only where somebody has said so, and what it holds is never written in clear.
 * Errors: KEYRING_*, KC_UNAVAILABLE where there is none and none may be made, CFG_*, those of `secret`.
 */
export function createKeyring({ folder, kind, locks, mayMake, secret }: KeyringOptions): SystemKeychain {
  let asked: Promise<Buffer> | undefined;
  let derived: { readonly salt: string; readonly key: Promise<Buffer> } | undefined;

  /** A descriptor can be read once, and a person is asked once. */
  function derive({ derivation }: KeyringFile, isNew: boolean): Promise<Buffer> {
    if (derived?.salt === derivation.salt) return derived.key;
    asked ??= secret(isNew);
    const key = asked.then((bytes) => deriveKey(derivation, bytes));
    derived = { salt: derivation.salt, key };
    return key;
  }

  async function keyOf(keyring: KeyringFile, isNew: boolean): Promise<Buffer> {
    const key = await derive(keyring, isNew);
    if (!isNew && openValue(key, keyring.derivation, checkName, keyring.check) !== checkValue)
      throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage' });
    return key;
  }

  async function read(): Promise<KeyringFile | undefined> {
    const keyring = await readKeyring(folder);
    // Another process has meanwhile made a keyring that is opened in another way.
    if (keyring && keyring.kind !== kind) throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage' });
    return keyring;
  }

  async function readOrMake(): Promise<{ readonly keyring: KeyringFile; readonly key: Buffer }> {
    const found = await read();
    if (found) return { keyring: found, key: await keyOf(found, false) };
    if (!mayMake) throw new PosternError('KC_UNAVAILABLE', { stage: 'storage' });
    const draft: KeyringFile = { version: 1, kind, derivation: newDerivation(kind), check: '', keys: {} };
    const key = await keyOf(draft, true);
    return { keyring: { ...draft, check: sealValue(key, draft.derivation, checkName, checkValue) }, key };
  }

  async function change(work: (keyring: KeyringFile, key: Buffer) => KeyringFile['keys']): Promise<void> {
    await locks.hold(lockName, async () => {
      const { keyring, key } = await readOrMake();
      await replaceFile(keyringPath(folder), renderKeyring({ ...keyring, keys: work(keyring, key) }));
    });
  }

  return {
    // A person may have to type it, so it is not asked for before it is needed.
    prepare() {},
    async read(account) {
      const keyring = await read();
      if (!keyring) return null;
      const key = await keyOf(keyring, false);
      const sealed = Object.hasOwn(keyring.keys, account) ? keyring.keys[account] : undefined;
      return sealed === undefined ? null : openValue(key, keyring.derivation, nameOf(account), sealed);
    },
    write: (account, value) =>
      change(({ keys, derivation }, key) => ({
        ...keys,
        [account]: sealValue(key, derivation, nameOf(account), value),
      })),
    async delete(account) {
      await locks.hold(lockName, async () => {
        // Needs no key: a keyring that nobody can open any more has to be deletable too.
        const keyring = await read();
        if (!keyring || !Object.hasOwn(keyring.keys, account)) return;
        const { [account]: _gone, ...keys } = keyring.keys;
        await replaceFile(keyringPath(folder), renderKeyring({ ...keyring, keys }));
      });
    },
    prove: () => change(({ keys }) => keys),
    async close() {},
  };
}

function nameOf(account: string): string {
  return `key ${account}`;
}
