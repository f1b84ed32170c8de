// The list of a release's files and its signature, by which a program knows an update as the publisher's:
// `UPDATE_SIGNING_KEY=… npx node scripts/release/sign-checksums.ts <folder>` writes checksums.txt and its .sig.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ours = /^checksums\.txt(?:\.sig)?$/;

/** Lines of `sha512sum` over every file of the folder. */
export function listChecksums(folder: string): string {
  return readdirSync(folder)
    .filter((name) => !ours.test(name) && statSync(join(folder, name)).isFile())
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

/** What goes into the program: DER (SubjectPublicKeyInfo) in base64. */
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
    throw new Error('UPDATE_SIGNING_KEY and UPDATE_PUBLIC_KEY are not of one pair: no program would take this release');
  const checksums = listChecksums(folder);
  if (checksums === '') throw new Error(`There is nothing to sign in ${folder}`);
  writeFileSync(join(folder, 'checksums.txt'), checksums);
  writeFileSync(join(folder, 'checksums.txt.sig'), `${signChecksums(checksums, privateKey)}\n`);
}
