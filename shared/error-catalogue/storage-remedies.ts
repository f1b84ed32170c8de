import type { Remedy } from '../remedy.ts';
import { advise } from './catalogue-entry.ts';

export const unlockKeychain =
  'Unlock it (on Linux by logging in to the desktop, or with Seahorse or KWallet; the README says how without a desktop), then try again.';

/** Where more is known than the code says. */
export const storageRemedies = {
  /** KC_UNAVAILABLE: another keychain sealed them. */
  sealedElsewhere: advise(
    'mend-files',
    'Use them where they were made, or move the file "vault" out of the profile folder and sign in again.',
  ),
  /** KC_UNAVAILABLE: they are there, and nobody is to give them up for it. */
  unreached: advise(
    'unlock-keychain',
    'They are not lost. Open Postern where your keychain is (on Linux in your desktop session): it takes the place of one that runs without it.',
  ),
  /** KC_LOCKED: it is open, perhaps, and has no key to the vault. */
  keyMissing: advise(
    'unlock-keychain',
    'Unlock it (on Linux by logging in to the desktop, or with Seahorse or KWallet; the README says how without a desktop), then try again. If these sign-ins came from elsewhere, move the file "vault" out of the profile folder and sign in again.',
  ),
  /** CFG_SHARED: the folder is another user's. */
  foreignFolder: advise(
    'mend-files',
    'Choose a folder of your own (POSTERN_HOME), or run Postern as the user who owns it.',
  ),
  /** CFG_READONLY: a pipe, a device or a folder stands where a file should be. */
  notAFile: advise(
    'mend-files',
    'Move it out of that folder, then try again; or choose another folder (POSTERN_HOME).',
  ),
} satisfies Readonly<Record<string, Remedy>>;
