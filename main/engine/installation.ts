import { homedir } from 'node:os';
import type { KeychainProcess } from '../storage/keychain/keychain-process.ts';
import type { Channel } from '../storage/keychain/keychain-service.ts';
import type { ProfileSurroundings } from '../storage/profile/profile-path.ts';

/** How the running program was installed. */
export interface Installation {
  /** From an installer, and not from its source. */
  readonly packaged: boolean;
  readonly channel: Channel;
  /** Folder of what lies beside the archive of a package. */
  readonly resources?: string;
  /** How the keychain's process is started, where it is not forked from Node. */
  readonly startKeychain?: (childPath: string) => KeychainProcess;
}

/** A package's channel stands in its version (`1.2.0-beta.1`); the source is always `dev`. */
export function channelOf({ packaged, version }: { readonly packaged: boolean; readonly version: string }): Channel {
  if (!packaged) return 'dev';
  return version.includes('-') ? 'beta' : 'stable';
}

/** Where the profile of this person and installation is looked for. */
export function profileSurroundings({ channel }: Installation): ProfileSurroundings {
  return { env: process.env, platform: process.platform, home: homedir(), channel };
}
