import { createHash, generateKeyPairSync } from 'node:crypto';
import { signChecksums } from '../../../scripts/release/sign-checksums.ts';

export interface PublisherKeys {
  /** PEM, as used for a release. */
  readonly privateKey: string;
  /** As built into the app. */
  readonly publicKey: string;
}

export function makePublisherKeys(): PublisherKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

export interface MadeRelease {
  readonly version: string;
  readonly files: readonly { readonly name: string; readonly sha512: string }[];
  readonly checksums: string;
  readonly signature: string;
}

/** A release as the workflow makes it: its files, their checksums, and the signature over them. */
export function makeRelease(
  keys: PublisherKeys,
  version: string,
  contents: Readonly<Record<string, Buffer>>,
): MadeRelease {
  const hash = (content: Buffer) => createHash('sha512').update(content);
  const checksums = Object.entries(contents)
    .map(([name, content]) => `${hash(content).digest('hex')}  ${name}\n`)
    .join('');
  return {
    version,
    files: Object.entries(contents).map(([name, content]) => ({ name, sha512: hash(content).digest('base64') })),
    checksums,
    signature: signChecksums(checksums, keys.privateKey),
  };
}
