import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { PosternError } from '../../errors/postern-error.ts';
import { fileBytes } from '../../limits.ts';
import { readPlainFile } from '../../plain-file.ts';
import type { Locks } from '../../ports.ts';
import { errnoOf, toFileSystemError } from '../files/file-system-error.ts';
import { replaceFile } from '../files/replace-file.ts';
import type { SystemKeychain } from './keytar-keychain.ts';

interface KeyringOptions {
  /** The profile folder. */
  readonly folder: string;
  readonly kind: KeyringKind;
  readonly locks: Locks;
  /** True if the user explicitly asked to create one. */
  readonly mayCreate: boolean;
  /** The passphrase, or the bytes of the key file. `isNew`: the keyring is being created. */
  readonly secret: (isNew: boolean) => Promise<Buffer>;
}

/** Stored with a vault as the `backend` that holds its key. */
export const keyringBackends = { passphrase: 'passphrase', file: 'key-file' } as const satisfies Record<
  KeyringKind,
  string
>;

const checkName = 'check';
const checkValue = 'postern-keyring';
const lockName = 'keyring';

/**
 * A keychain in one file of the profile, for computers without a system keychain. Values are sealed with a key derived
 * from a passphrase or a key file, and never written in plain text. Created only on explicit request.
 * Errors: KEYRING_*, KC_UNAVAILABLE if there is none and none may be created, CFG_*, those of `secret`.
 */
export function createKeyring({ folder, kind, locks, mayCreate, secret }: KeyringOptions): SystemKeychain {
  let secretBytes: Promise<Buffer> | undefined;
  let derived: { readonly salt: string; readonly key: Promise<Buffer> } | undefined;

  /** Gets the secret only once: a descriptor can be read once, and the user is asked once. */
  function derive({ derivation }: KeyringFile, isNew: boolean): Promise<Buffer> {
    if (derived?.salt === derivation.salt) return derived.key;
    secretBytes ??= secret(isNew);
    const key = secretBytes.then((bytes) => deriveKey(derivation, bytes));
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
    // Another process has created a keyring of the other kind meanwhile.
    if (keyring && keyring.kind !== kind) throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage' });
    return keyring;
  }

  async function readOrCreate(): Promise<{ readonly keyring: KeyringFile; readonly key: Buffer }> {
    const found = await read();
    if (found) return { keyring: found, key: await keyOf(found, false) };
    if (!mayCreate) throw new PosternError('KC_UNAVAILABLE', { stage: 'storage' });
    const draft: KeyringFile = { version: 1, kind, derivation: newDerivation(kind), check: '', keys: {} };
    const key = await keyOf(draft, true);
    return { keyring: { ...draft, check: sealValue(key, draft.derivation, checkName, checkValue) }, key };
  }

  async function change(work: (keyring: KeyringFile, key: Buffer) => KeyringFile['keys']): Promise<void> {
    await locks.hold(lockName, async () => {
      const { keyring, key } = await readOrCreate();
      await replaceFile(keyringPath(folder), renderKeyring({ ...keyring, keys: work(keyring, key) }));
    });
  }

  return {
    // The user may have to type the passphrase, so it is not requested before it is needed.
    prepare() {},
    async read(account) {
      const keyring = await read();
      if (!keyring) return null;
      const key = await keyOf(keyring, false);
      const sealed = Object.hasOwn(keyring.keys, account) ? keyring.keys[account] : undefined;
      return sealed === undefined ? null : openValue(key, keyring.derivation, entryName(account), sealed);
    },
    write: (account, value) =>
      change(({ keys, derivation }, key) => ({
        ...keys,
        [account]: sealValue(key, derivation, entryName(account), value),
      })),
    async delete(account) {
      await locks.hold(lockName, async () => {
        // Needs no key: entries of a keyring that can no longer be opened must still be deletable.
        const keyring = await read();
        if (!keyring || !Object.hasOwn(keyring.keys, account)) return;
        const { [account]: _deleted, ...keys } = keyring.keys;
        await replaceFile(keyringPath(folder), renderKeyring({ ...keyring, keys }));
      });
    },
    probe: () => change(({ keys }) => keys),
    async close() {},
  };
}

function entryName(account: string): string {
  return `key ${account}`;
}

/** What opens a keyring: a passphrase that the user chose, or a file of random bytes. */
const keyringKinds = ['passphrase', 'file'] as const;
export type KeyringKind = (typeof keyringKinds)[number];

/**
 * scrypt (RFC 7914) with 128 MiB per passphrase guess. An edited file may demand more, up to 512 MiB, but never less.
 * Random bytes cannot be guessed, so HKDF (RFC 5869) is enough for a key file.
 */
const derivationSchema = z.discriminatedUnion('name', [
  z.strictObject({
    name: z.literal('scrypt'),
    cost: z.union([z.literal(131_072), z.literal(262_144), z.literal(524_288)]),
    blockSize: z.literal(8),
    parallelization: z.literal(1),
    salt: z.string().check(z.regex(/^[0-9a-f]{32}$/u)),
  }),
  z.strictObject({ name: z.literal('hkdf-sha256'), salt: z.string().check(z.regex(/^[0-9a-f]{32}$/u)) }),
]);
type Derivation = z.infer<typeof derivationSchema>;

const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;
const deriveByScrypt = promisify<Buffer, Buffer, number, object, Buffer>(scrypt);

/** Key derivation parameters for a new keyring. */
function newDerivation(kind: KeyringKind): Derivation {
  const salt = randomBytes(16).toString('hex');
  return kind === 'passphrase'
    ? { name: 'scrypt', cost: 131_072, blockSize: 8, parallelization: 1, salt }
    : { name: 'hkdf-sha256', salt };
}

async function deriveKey(derivation: Derivation, secret: Buffer): Promise<Buffer> {
  const salt = Buffer.from(derivation.salt, 'hex');
  if (derivation.name === 'hkdf-sha256')
    return Buffer.from(hkdfSync('sha256', secret, salt, 'postern-keyring-1', keyLength));
  const { cost, blockSize, parallelization } = derivation;
  const maxmem = 256 * cost * blockSize;
  return await deriveByScrypt(secret, salt, keyLength, { cost, blockSize, parallelization, maxmem });
}

/** AES-256-GCM. The key derivation and the name of the value are associated data. */
function sealValue(key: Buffer, derivation: Derivation, name: string, value: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(associated(derivation, name));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Errors: KEYRING_WRONG_KEY. */
function openValue(key: Buffer, derivation: Derivation, name: string, sealed: string): string {
  try {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceLength), {
      authTagLength: tagLength,
    });
    decipher.setAAD(associated(derivation, name));
    decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength));
    const text = decipher.update(bytes.subarray(nonceLength + tagLength));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch (error) {
    const kind = derivation.name === 'scrypt' ? 'passphrase' : 'file';
    throw new PosternError('KEYRING_WRONG_KEY', { stage: 'storage', cause: error, detail: { kind } });
  }
}

/** Parsing puts the members in schema order, whatever their order in the file. */
function associated(derivation: Derivation, name: string): Buffer {
  return Buffer.from(JSON.stringify(['postern-keyring-1', Object.entries(derivation), name]));
}

const keyringSchema = z.strictObject({
  version: z.literal(1),
  kind: z.enum(['passphrase', 'file']),
  derivation: derivationSchema,
  /** A known value, sealed, to detect a wrong key first. */
  check: z.string().check(z.maxLength(200)),
  /** Sealed vault keys, by the account that the vault names. */
  keys: z.record(z.string().check(z.maxLength(200)), z.string().check(z.maxLength(1_000))),
});

/** The file that holds vault keys if there is no system keychain. */
export type KeyringFile = z.infer<typeof keyringSchema>;

function keyringPath(folder: string): string {
  return path.join(folder, 'keyring');
}

/** `undefined`: there is none. Errors: KEYRING_UNREADABLE, CFG_LINK, CFG_READONLY. */
async function readKeyring(folder: string): Promise<KeyringFile | undefined> {
  let bytes: Buffer | undefined;
  try {
    bytes = await readPlainFile(keyringPath(folder), { limit: fileBytes.settings, follow: false });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw toFileSystemError(error, 'storage');
  }
  try {
    const keyring = keyringSchema.parse(JSON.parse(bytes?.toString('utf8') ?? ''));
    if ((keyring.kind === 'passphrase') === (keyring.derivation.name === 'scrypt')) return keyring;
  } catch (error) {
    throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage', cause: error });
  }
  throw new PosternError('KEYRING_UNREADABLE', { stage: 'storage' });
}

function renderKeyring(keyring: KeyringFile): Uint8Array {
  return Buffer.from(`${JSON.stringify(keyring, null, 1)}\n`);
}
