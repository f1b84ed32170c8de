import type { Remedy } from '../remedy.ts';
import { advise } from './catalogue-entry.ts';

export const unlockKeychain = 'unlockKeychain';

/** Where more is known than the code says. */
export const storageRemedies = {
  /** KC_UNAVAILABLE: another keychain sealed them. */
  sealedElsewhere: advise('mend-files', 'useWhereMade'),
  /** KC_UNAVAILABLE: they are there, and nobody is to give them up for it. */
  unreached: advise('unlock-keychain', 'openWhereKeychainIs'),
  /** KC_LOCKED: it is open, perhaps, and has no key to the vault. */
  keyMissing: advise('unlock-keychain', 'unlockKeychainOrMoveVault'),
  /** CFG_SHARED: the folder is another user's. */
  foreignFolder: advise('mend-files', 'chooseOwnFolder'),
  /** CFG_READONLY: a pipe, a device or a folder stands where a file should be. */
  notAFile: advise('mend-files', 'moveOutOfFolder'),
} satisfies Readonly<Record<string, Remedy>>;
