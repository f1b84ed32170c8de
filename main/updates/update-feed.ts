import type { UpdateObstacle } from '../../shared/update-view.ts';

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
