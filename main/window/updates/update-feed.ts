import { createPublicKey, verify } from 'node:crypto';
import type { UpdateObstacle } from '../../../shared/app-view.ts';
import { PosternError } from '../../errors/postern-error.ts';

/** Where newer versions come from, and by whose signature they are known. */
export interface UpdateFeed {
  /** A folder; ends with `/`. */
  readonly url: string;
  /** Ed25519, as DER (SubjectPublicKeyInfo) in base64. */
  readonly publicKey: string;
}

export interface UpdateSurroundings {
  readonly packaged: boolean;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `app-update.yml` beside the program, which electron-builder writes where a feed was given. */
  readonly config: string | undefined;
  /** `updates.publicKey` of the program's own description, which lies in the archive that Electron checks. */
  readonly publicKey: string | undefined;
  /** `package-type` beside the program: deb and others. */
  readonly packageType: string | undefined;
}

const off = new Set(['off', '0', 'false', 'no']);

/**
 * The feed of this program, or why it has none. `POSTERN_UPDATES=off` is for whoever manages this computer;
 * `POSTERN_UPDATE_FEED` names another place (https), where the same signature is asked for.
 */
export function chooseUpdateFeed(surroundings: UpdateSurroundings): UpdateFeed | UpdateObstacle {
  const { packaged, platform, env, config, publicKey = '' } = surroundings;
  if (!packaged) return 'source';
  if (off.has((env['POSTERN_UPDATES'] ?? '').trim().toLowerCase())) return 'managed';
  if (config === undefined || publicKey === '') return 'unsigned-build';
  // Without this line electron-updater would install whatever runs, without a word (PK-06).
  if (platform === 'win32' && readSetting(config, 'publisherName') === undefined) return 'unsigned-build';
  if (platform === 'linux' && !env['APPIMAGE'] && surroundings.packageType !== 'deb') return 'not-installed';
  const url = readFolder(env['POSTERN_UPDATE_FEED'] || readSetting(config, 'url'));
  return url === undefined ? 'unsigned-build' : { url, publicKey };
}

/** A top-level entry of the file, which electron-builder writes one on a line; of a list its first. */
function readSetting(config: string, name: string): string | undefined {
  const found = new RegExp(`^${name}:[ \\t]*(?:\\n[ \\t]*-[ \\t]*)?(.+)$`, 'm').exec(config)?.[1]?.trim();
  return found?.replace(/^(['"])(.*)\1$/, '$2') || undefined;
}

function readFolder(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url.href;
}

/** One file of a release, as a feed names it. */
export interface ReleaseFile {
  /** Without any folder. */
  readonly name: string;
  /** In base64. */
  readonly sha512: string;
}

interface SignedRelease {
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
