import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';
import { PosternError } from '../../postern-error.ts';

/** What opens a keyring: a passphrase that a person chose, or a file of random bytes. */
export const keyringKinds = ['passphrase', 'file'] as const;
export type KeyringKind = (typeof keyringKinds)[number];

/**
 * scrypt (RFC 7914) with 128 MiB for each try of a passphrase. Whoever edits the file may ask for more, within what a
 * computer has, and never for less. Of a file of random bytes nothing can be guessed, so HKDF (RFC 5869) is enough.
 */
export const derivationSchema = z.discriminatedUnion('name', [
  z.strictObject({
    name: z.literal('scrypt'),
    cost: z.union([z.literal(131_072), z.literal(262_144), z.literal(524_288)]),
    blockSize: z.literal(8),
    parallelization: z.literal(1),
    salt: z.string().regex(/^[0-9a-f]{32}$/u),
  }),
  z.strictObject({ name: z.literal('hkdf-sha256'), salt: z.string().regex(/^[0-9a-f]{32}$/u) }),
]);
export type Derivation = z.infer<typeof derivationSchema>;

const keyLength = 32;
const nonceLength = 12;
const tagLength = 16;
const deriveByScrypt = promisify<Buffer, Buffer, number, object, Buffer>(scrypt);

/** How the key of a new keyring is made of what opens it. */
export function newDerivation(kind: KeyringKind): Derivation {
  const salt = randomBytes(16).toString('hex');
  return kind === 'passphrase'
    ? { name: 'scrypt', cost: 131_072, blockSize: 8, parallelization: 1, salt }
    : { name: 'hkdf-sha256', salt };
}

export async function deriveKey(derivation: Derivation, secret: Buffer): Promise<Buffer> {
  const salt = Buffer.from(derivation.salt, 'hex');
  if (derivation.name === 'hkdf-sha256')
    return Buffer.from(hkdfSync('sha256', secret, salt, 'postern-keyring-1', keyLength));
  const { cost, blockSize, parallelization } = derivation;
  const maxmem = 256 * cost * blockSize;
  return await deriveByScrypt(secret, salt, keyLength, { cost, blockSize, parallelization, maxmem });
}

/** AES-256-GCM, bound to how the key was made and to what the value is called. */
export function sealValue(key: Buffer, derivation: Derivation, name: string, value: string): string {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(associated(derivation, name));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Errors: KEYRING_WRONG_KEY for whatever this key does not open. */
export function openValue(key: Buffer, derivation: Derivation, name: string, sealed: string): string {
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
    const detail = { kind: derivation.name === 'scrypt' ? 'passphrase' : 'file' };
    throw new PosternError('KEYRING_WRONG_KEY', { stage: 'storage', cause: error, detail });
  }
}

/** The order of the members is that of the schema, whatever the file has. */
function associated(derivation: Derivation, name: string): Buffer {
  return Buffer.from(JSON.stringify(['postern-keyring-1', Object.entries(derivation), name]));
}
