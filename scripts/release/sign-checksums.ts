// `UPDATE_SIGNING_KEY=… npx node scripts/release/sign-checksums.ts <folder>` writes checksums.txt and its .sig, by which
// an installed Postern recognizes an update as the publisher's.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ownFiles = /^checksums\.txt(?:\.sig)?$/;

/** `sha512sum` lines for every file in the folder. */
export function listChecksums(folder: string): string {
  return readdirSync(folder)
    .filter((name) => !ownFiles.test(name) && statSync(join(folder, name)).isFile())
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha512')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');
}

/** Ed25519 over the bytes, in base64. `privateKey`: PEM. */
export function signChecksums(checksums: string, privateKey: string): string {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('UPDATE_SIGNING_KEY is not an Ed25519 key');
  return sign(null, Buffer.from(checksums), key).toString('base64');
}

/** The public key that is built into Postern: DER (SubjectPublicKeyInfo) in base64. */
export function publicKeyOf(privateKey: string): string {
  return createPublicKey(createPrivateKey(privateKey)).export({ format: 'der', type: 'spki' }).toString('base64');
}

if (import.meta.main) {
  const [folder = 'out'] = process.argv.slice(2);
  const privateKey = process.env['UPDATE_SIGNING_KEY'] ?? '';
  if (privateKey === '')
    throw new Error('UPDATE_SIGNING_KEY is missing: a PEM from `openssl genpkey -algorithm ed25519`');
  const expected = process.env['UPDATE_PUBLIC_KEY'] ?? '';
  if (expected !== '' && expected !== publicKeyOf(privateKey))
    throw new Error(
      'UPDATE_SIGNING_KEY and UPDATE_PUBLIC_KEY are not a pair: no installed Postern would accept this release',
    );
  const checksums = listChecksums(folder);
  if (checksums === '') throw new Error(`There is nothing to sign in ${folder}`);
  writeFileSync(join(folder, 'checksums.txt'), checksums);
  writeFileSync(join(folder, 'checksums.txt.sig'), `${signChecksums(checksums, privateKey)}\n`);
}
