import { createPublicKey, verify } from 'node:crypto';
import type { UpdateObstacle } from '../../../shared/desktop-view.ts';
import { PosternError } from '../../errors/postern-error.ts';

/** Where updates come from, and the key that signs them. */
export interface UpdateFeed {
  /** URL of a folder; ends with `/`. */
  readonly url: string;
  /** Ed25519, as DER (SubjectPublicKeyInfo) in base64. */
  readonly publicKey: string;
}

export interface UpdateEnvironment {
  readonly packaged: boolean;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `app-update.yml` next to the executable, which electron-builder writes if a feed is configured. */
  readonly config: string | undefined;
  /** `updates.publicKey` of package.json, inside the archive whose integrity Electron checks. */
  readonly publicKey: string | undefined;
  /** `package-type` next to the executable, such as deb. */
  readonly packageType: string | undefined;
}

const offValues = new Set(['off', '0', 'false', 'no']);

/**
 * The update feed, or why there is none. `POSTERN_UPDATES=off` is for administrators; `POSTERN_UPDATE_FEED` sets
 * another https URL, with the same signature check.
 */
export function chooseUpdateFeed(environment: UpdateEnvironment): UpdateFeed | UpdateObstacle {
  const { packaged, platform, env, config, publicKey = '' } = environment;
  if (!packaged) return 'source';
  if (offValues.has((env['POSTERN_UPDATES'] ?? '').trim().toLowerCase())) return 'managed';
  if (config === undefined || publicKey === '') return 'unsigned-build';
  // Without a publisher name, electron-updater would install any executable without checking its signature (PK-06).
  if (platform === 'win32' && readSetting(config, 'publisherName') === undefined) return 'unsigned-build';
  if (platform === 'linux' && !env['APPIMAGE'] && environment.packageType !== 'deb') return 'not-installed';
  const url = parseFolderUrl(env['POSTERN_UPDATE_FEED'] || readSetting(config, 'url'));
  return url === undefined ? 'unsigned-build' : { url, publicKey };
}

/** A top-level entry of the file, or the first item if it is a list. electron-builder writes one entry per line. */
function readSetting(config: string, name: string): string | undefined {
  const found = new RegExp(`^${name}:[ \\t]*(?:\\n[ \\t]*-[ \\t]*)?(.+)$`, 'm').exec(config)?.[1]?.trim();
  return found?.replace(/^(['"])(.*)\1$/, '$2') || undefined;
}

function parseFolderUrl(text: string | undefined): string | undefined {
  const url = text === undefined ? null : URL.parse(text);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url.href;
}

/** One file of a release, as listed in the feed. */
export interface ReleaseFile {
  /** Without a path. */
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

/** Names of the two files next to a release. */
export const checksumsName = 'checksums.txt';
export const signatureName = 'checksums.txt.sig';

/**
 * Accepts a release only if each of its files is in the signed list, under a name with this version: a compromised feed
 * can neither add files nor present an old release as new. Errors: UPD_SIGNATURE.
 */
export function verifyRelease({ version, files, checksums, signature }: SignedRelease, publicKey: string): void {
  const signed = isSigned(checksums, signature, publicKey) ? readChecksums(checksums) : undefined;
  const isListed = ({ name, sha512 }: ReleaseFile): boolean =>
    name.startsWith(`Postern-${version}-`) && signed?.get(name) === Buffer.from(sha512, 'base64').toString('hex');
  if (files.length === 0 || !files.every(isListed)) throw new PosternError('UPD_SIGNATURE', { stage: 'postern' });
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
