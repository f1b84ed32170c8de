import { chmod, lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { toFileSystemError } from './file-system-error.ts';
import type { Channel } from './keychain-service.ts';
import { makeFolder } from './make-folder.ts';
import { refuseSharedFolder } from './refuse-shared-folder.ts';

export interface ProfileSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The person's home folder. */
  readonly home: string;
  /** A trial build keeps to a folder of its own: what it writes, the real one may not read. */
  readonly channel?: Channel;
}

const ourNames = new Set(['config.json', 'vault', 'locks', 'logs']);

/**
 * Makes the one folder that everything of a person is kept in (`config.json`, `vault`, `logs/`, `locks/`) if need be
 * (0700), and answers its absolute path: `POSTERN_HOME`, else what Electron takes as userData, so
 * that the window and the command line share it. A folder that cannot be written still opens, for reading.
 * Errors: CFG_SHARED where others could put files into it, CFG_READONLY, CFG_DISK_FULL when it cannot be made.
 */
export async function makeProfileFolder(surroundings: ProfileSurroundings): Promise<string> {
  const folder = profilePath(surroundings);
  try {
    makeFolder(folder, 'settings');
    await refuseSharedFolder(folder, surroundings.platform);
    if (surroundings.platform !== 'win32') await tighten(folder);
  } catch (error) {
    throw toFileSystemError(error, 'settings');
  }
  return folder;
}

/** Where the profile is, made or not. */
export function profilePath(surroundings: ProfileSurroundings): string {
  return path.resolve(profileFolder(surroundings));
}

function profileFolder({ env, platform, home, channel }: ProfileSurroundings): string {
  if (env['POSTERN_HOME']) return env['POSTERN_HOME'];
  const name = channel === 'beta' ? 'Postern Beta' : 'Postern';
  if (platform === 'win32') return path.join(env['APPDATA'] || path.join(home, 'AppData', 'Roaming'), name);
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', name);
  return path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), name);
}

/** Only a folder of ours is closed to others: POSTERN_HOME may name one that they are to read in. */
async function tighten(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o077) === 0) return;
  const entries = await readdir(folder);
  if (entries.length > 0 && !entries.some((entry) => ourNames.has(entry))) return;
  if ((await lstat(folder)).isSymbolicLink()) return;
  await chmod(folder, 0o700);
}
