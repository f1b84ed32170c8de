import { homedir } from 'node:os';
import { glanceAtKeyAccount } from '../storage/glance-at-profile.ts';
import { profilePath } from '../storage/profile-folder.ts';
import { installation } from './installation.ts';
import type { ParsedArguments } from './options/parse-arguments.ts';
import { systemKeychain } from './system-keychain.ts';

/**
 * The keychain's process takes as long to start as the rest of a command to load, so it starts first; and where the
 * integration that the first word names needs a secret, the keychain is asked for its key meanwhile.
 */
export function wakeKeychain({ options, positionals }: ParsedArguments): void {
  if (options.has('memory')) return;
  const folder = profilePath({
    env: process.env,
    platform: process.platform,
    home: homedir(),
    channel: installation().channel,
  });
  systemKeychain().prepare(glanceAtKeyAccount(folder, positionals[0] ?? ''));
}
