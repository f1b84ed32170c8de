import { profileEnvironment } from '../../host/installation.ts';
import type { Installation } from '../../host/installation.ts';
import { openKeychains } from '../../host/keychains.ts';
import type { Keychains } from '../../host/keychains.ts';
import { peekKeyringKind } from '../../storage/keychain/keychain-service.ts';
import { peekKeyAccount, profilePath } from '../../storage/profile/profile-path.ts';

/**
 * Starts the keychain process, and already fetches the key if the integration `reference` needs a secret. `undefined`
 * if the profile has its own keyring.
 */
export function prepareKeychain(reference: string, installation: Installation): Keychains | undefined {
  const folder = profilePath(profileEnvironment(installation));
  if (peekKeyringKind(folder) !== undefined) return undefined;
  const keychains = openKeychains(installation);
  keychains.own.prepare(peekKeyAccount(folder, reference));
  return keychains;
}
