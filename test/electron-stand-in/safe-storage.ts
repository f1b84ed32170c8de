import type * as Electron from 'electron';
import { notEmulated } from './not-emulated.ts';

/** Sealing with the system's keychain is Chromium's own business, which its protocol does not offer. */
export const safeStorage = {
  isEncryptionAvailable: (): never => notEmulated('safeStorage.isEncryptionAvailable'),
  encryptString: (): never => notEmulated('safeStorage.encryptString'),
  decryptString: (): never => notEmulated('safeStorage.decryptString'),
  getSelectedStorageBackend: (): never => notEmulated('safeStorage.getSelectedStorageBackend'),
} satisfies Partial<Electron.SafeStorage>;
