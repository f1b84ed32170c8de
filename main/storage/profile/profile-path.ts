import path from 'node:path';
import type { Channel } from '../keychain/keychain-service.ts';

export interface ProfileSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The person's home folder. */
  readonly home: string;
  /** A trial build keeps to a folder of its own: what it writes, the real one may not read. */
  readonly channel?: Channel;
}

/**
 * Where the profile is, made or not: `POSTERN_HOME`, else what Electron takes as userData, so that the window and the
 * command line share it.
 */
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
