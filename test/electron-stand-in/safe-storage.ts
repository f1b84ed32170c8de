import type * as Electron from 'electron';
import { notEmulated } from './not-emulated.ts';

/** Encryption with the system's keychain is internal to Chromium and not available over its protocol. */
export const safeStorage = {
  isEncryptionAvailable: (): never => notEmulated('safeStorage.isEncryptionAvailable'),
  encryptString: (): never => notEmulated('safeStorage.encryptString'),
  decryptString: (): never => notEmulated('safeStorage.decryptString'),
  getSelectedStorageBackend: (): never => notEmulated('safeStorage.getSelectedStorageBackend'),
} satisfies Partial<Electron.SafeStorage>;
