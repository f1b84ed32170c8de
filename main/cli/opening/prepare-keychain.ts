import { profileSurroundings } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { openKeychains } from '../../host/keychains.ts';
import type { Keychains } from '../../host/keychains.ts';
import { glanceAtKeyring } from '../../storage/keychain/keychain-service.ts';
import { glanceAtKeyAccount, profilePath } from '../../storage/profile/profile-path.ts';

/**
 * Starts the keychain's process; where the integration that `reference` names needs a secret, the keychain is asked for
 * its key meanwhile. `undefined` where no keychain seals the profile.
 */
export function prepareKeychain(reference: string, installation: Installation): Keychains | undefined {
  const folder = profilePath(profileSurroundings(installation));
  if (glanceAtKeyring(folder) !== undefined) return undefined;
  const keychains = openKeychains(installation);
  keychains.own.prepare(glanceAtKeyAccount(folder, reference));
  return keychains;
}
