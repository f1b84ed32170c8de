import { profileSurroundings } from '../../engine/installation.ts';
import { glanceAtKeyAccount } from '../../storage/profile/glance-at-profile.ts';
import { profilePath } from '../../storage/profile/profile-folder.ts';
import type { CommandContext } from '../command-context.ts';

/**
 * The keychain's process takes as long to start as the rest of a command to load, so it starts first; and where the
 * integration that the first word names needs a secret, the keychain is asked for its key meanwhile.
 */
export async function wakeKeychain({ args, installation, keychains }: CommandContext): Promise<void> {
  if (args.options.has('memory')) return;
  const folder = profilePath(profileSurroundings(installation));
  (await keychains()).own.prepare(glanceAtKeyAccount(folder, args.positionals[0] ?? ''));
}
