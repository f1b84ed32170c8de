import type { Channel } from '../storage/keychain-service.ts';
import type { KeychainProcess } from '../storage/keychain-process.ts';

/** How the program that runs came to this computer. */
export interface Installation {
  /** From an installer, and not from its source. */
  readonly packaged: boolean;
  readonly channel: Channel;
  /** How the keychain's process is started, where it is not forked from Node. */
  readonly startKeychain?: (childPath: string) => KeychainProcess;
}

let current: Installation = { packaged: false, channel: 'dev' };

/** What runs now: the source, until the composition root of a package has said otherwise. */
export function installation(): Installation {
  return current;
}

/** For a composition root, before anything else. */
export function runAs(installed: Installation): void {
  current = installed;
}

/** A package's channel stands in its version (`1.2.0-beta.1`); the source is always `dev`. */
export function channelOf({ packaged, version }: { readonly packaged: boolean; readonly version: string }): Channel {
  if (!packaged) return 'dev';
  return version.includes('-') ? 'beta' : 'stable';
}
