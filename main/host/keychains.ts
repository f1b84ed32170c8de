import { join } from 'node:path';
import { keychainBackend, keychainService, otherServices } from '../storage/keychain/keychain-service.ts';
import { createKeychain } from '../storage/keychain/keytar-keychain.ts';
import type { SystemKeychain } from '../storage/keychain/keytar-keychain.ts';
import type { Installation } from './installation.ts';

/** This computer's keychain, one child process per service. None is started before its first call. */
export interface Keychains {
  readonly own: SystemKeychain;
  /** Services of other channels, to delete entries that one of their profiles names. */
  readonly others: readonly SystemKeychain[];
  /** Stored next to sealed data: which keychain holds its key. */
  readonly backend: string;
  close(): Promise<void>;
}

export function openKeychains({ channel, startKeychain: start }: Installation): Keychains {
  const childPath = keychainChildPath();
  const open = (service: string): SystemKeychain => createKeychain({ service, childPath, ...(start && { start }) });
  const own = open(keychainService(channel));
  const others = otherServices(channel).map(open);
  return {
    own,
    others,
    backend: keychainBackend(process.platform),
    async close() {
      await Promise.allSettled([own, ...others].map((keychain) => keychain.close()));
    },
  };
}

/** The child is next to the bundle; in the source it is in the storage folder. */
function keychainChildPath(): string {
  return import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, '../storage/keychain/keychain-child.ts')
    : join(import.meta.dirname, 'keychain-child.js');
}
