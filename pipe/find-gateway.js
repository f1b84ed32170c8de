import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** Bytes of a socket path that every system accepts (macOS allows 104, including the terminator). */
const maxSocketPathBytes = 100;

/**
 * The default profile folder, the same one that Postern itself uses.
 * @returns {string}
 */
export function ownProfileFolder({ env, platform } = process) {
  if (env['POSTERN_HOME']) return path.resolve(env['POSTERN_HOME']);
  if (platform === 'win32') return path.join(env['APPDATA'] || path.join(homedir(), 'AppData', 'Roaming'), 'Postern');
  if (platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'Postern');
  return path.join(env['XDG_CONFIG_HOME'] || path.join(homedir(), '.config'), 'Postern');
}

/**
 * The user's runtime folder, also if `XDG_RUNTIME_DIR` is not set.
 * @returns {string | undefined}
 */
export function runtimeFolder({ env, platform } = process) {
  if (env['XDG_RUNTIME_DIR']) return env['XDG_RUNTIME_DIR'];
  const folder = `/run/user/${process.getuid?.()}`;
  return platform === 'linux' && isPrivate(folder) ? folder : undefined;
}

/**
 * Where a profile's gateway may listen, most likely first, as `node:net` connects. Computed on every attempt, since the
 * gateway creates its folder when it starts.
 * @param {string} profileFolder absolute
 * @returns {readonly string[]}
 */
export function gatewayAddresses(profileFolder) {
  if (process.platform === 'win32') return namedPipe(path.join(profileFolder, 'run', 'endpoint.json'));
  const usual = path.join(profileFolder, 'run');
  const isShort = Buffer.byteLength(path.join(usual, 'gateway.sock')) <= maxSocketPathBytes;
  const folders = isShort ? [usual] : shortFolders(profileFolder);
  return folders.filter(isPrivate).map((folder) => path.join(folder, 'gateway.sock'));
}

/**
 * Whether the folder contains a profile: for a wrong folder in an entry, Postern would create a new one.
 * @param {string} folder
 */
export function holdsProfile(folder) {
  return ['config.json', 'config.last-good.json'].some((name) => existsSync(path.join(folder, name)));
}

/** @param {string} profileFolder @returns {readonly string[]} */
function shortFolders(profileFolder) {
  // Follows symbolic links.
  const stats = statSync(profileFolder, { bigint: true, throwIfNoEntry: false });
  if (!stats) return [];
  const name = `postern-${stats.dev}-${stats.ino}`;
  const runtime = runtimeFolder();
  return [...new Set([...(runtime === undefined ? [] : [runtime]), tmpdir(), '/tmp'])].map((folder) =>
    path.join(folder, name),
  );
}

/**
 * Whether the folder is the user's and no one else can access it: a socket elsewhere could be anyone's.
 * @param {string} folder
 */
function isPrivate(folder) {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
}

/** @param {string} file @returns {readonly string[]} */
function namedPipe(file) {
  try {
    const { pipe } = JSON.parse(readFileSync(file, 'utf8'));
    return typeof pipe === 'string' && pipe.startsWith('\\\\.\\pipe\\') ? [pipe] : [];
  } catch {
    return [];
  }
}
