import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** Bytes of a path that every system takes for a socket (macOS has 104, with its end). */
const longestSocketPath = 100;

/** The profile folder of whoever was not told one: the one that Postern itself would take. @returns {string} */
export function ownProfileFolder({ env, platform } = process) {
  if (env['POSTERN_HOME']) return path.resolve(env['POSTERN_HOME']);
  if (platform === 'win32') return path.join(env['APPDATA'] || path.join(homedir(), 'AppData', 'Roaming'), 'Postern');
  if (platform === 'darwin') return path.join(homedir(), 'Library', 'Application Support', 'Postern');
  return path.join(env['XDG_CONFIG_HOME'] || path.join(homedir(), '.config'), 'Postern');
}

/** What the system made for this person's programs, also where nobody told its place. @returns {string | undefined} */
export function runtimeFolder({ env, platform } = process) {
  if (env['XDG_RUNTIME_DIR']) return env['XDG_RUNTIME_DIR'];
  const folder = `/run/user/${process.getuid?.()}`;
  return platform === 'linux' && isClosed(folder) ? folder : undefined;
}

/**
 * Where the gateway of a profile may listen, the likeliest first: what `node:net` connects to. Looked for anew at every
 * try, since the gateway makes its folder when it starts.
 * @param {string} profileFolder absolute
 * @returns {readonly string[]}
 */
export function gatewayPlaces(profileFolder) {
  if (process.platform === 'win32') return namedPipe(path.join(profileFolder, 'run', 'endpoint.json'));
  const usual = path.join(profileFolder, 'run');
  const isShort = Buffer.byteLength(path.join(usual, 'gateway.sock')) <= longestSocketPath;
  const folders = isShort ? [usual] : shortFolders(profileFolder);
  return folders.filter(isClosed).map((folder) => path.join(folder, 'gateway.sock'));
}

/** Whether Postern has kept anything there: in a folder that an entry names wrongly it would begin anew. @param {string} folder */
export function holdsProfile(folder) {
  return ['config.json', 'config.last-good.json'].some((name) => existsSync(path.join(folder, name)));
}

/** @param {string} profileFolder @returns {readonly string[]} */
function shortFolders(profileFolder) {
  // Whatever name it goes by.
  const stats = statSync(profileFolder, { bigint: true, throwIfNoEntry: false });
  if (!stats) return [];
  const name = `postern-${stats.dev}-${stats.ino}`;
  const runtime = runtimeFolder();
  return [...new Set([...(runtime === undefined ? [] : [runtime]), tmpdir(), '/tmp'])].map((folder) =>
    path.join(folder, name),
  );
}

/**
 * A folder of this person's that nobody else can enter: a socket in another one may be anybody's. @param {string}
 * folder
 */
function isClosed(folder) {
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
