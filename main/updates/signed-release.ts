import { createPublicKey, verify } from 'node:crypto';
import { PosternError } from '../postern-error.ts';

/** One file of a release, as a feed names it. */
export interface ReleaseFile {
  /** Without any folder. */
  readonly name: string;
  /** In base64. */
  readonly sha512: string;
}

export interface SignedRelease {
  readonly version: string;
  readonly files: readonly ReleaseFile[];
  /** Lines of `sha512sum`: hash in hex, two spaces, name. */
  readonly checksums: string;
  /** Over the bytes of `checksums`, Ed25519 in base64. */
  readonly signature: string;
}

/** Names of the two files beside a release. */
export const checksumsName = 'checksums.txt';
export const signatureName = 'checksums.txt.sig';

/**
 * Lets a release pass only when every file of it stands in the signed list, under a name of this version: a feed alone
 * can neither bring files of its own nor pass an old release off as a new one. Errors: UPD_SIGNATURE.
 */
export function verifyRelease({ version, files, checksums, signature }: SignedRelease, publicKey: string): void {
  const signed = isSigned(checksums, signature, publicKey) ? readChecksums(checksums) : undefined;
  const isKnown = ({ name, sha512 }: ReleaseFile): boolean =>
    name.startsWith(`Postern-${version}-`) && signed?.get(name) === Buffer.from(sha512, 'base64').toString('hex');
  if (files.length === 0 || !files.every(isKnown)) throw new PosternError('UPD_SIGNATURE', { stage: 'app' });
}

function isSigned(text: string, signature: string, publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') return false;
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function readChecksums(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').map((line) => /^([0-9a-f]{128}) [ *](\S+)$/.exec(line.trimEnd()));
  return new Map(lines.flatMap((line) => (line ? [[line[2] ?? '', line[1] ?? ''] as const] : [])));
}
