import { join } from 'node:path';
import { keychainBackend, keychainService, otherServices } from '../storage/keychain/keychain-service.ts';
import { createKeychain } from '../storage/keychain/keytar-keychain.ts';
import type { SystemKeychain } from '../storage/keychain/keytar-keychain.ts';
import type { Installation } from './installation.ts';

/** The keychain of this computer, a child process for each service. None is started before its first call. */
export interface Keychains {
  readonly own: SystemKeychain;
  /** Entries of other channels, for deleting what a profile of theirs names. */
  readonly others: readonly SystemKeychain[];
  /** Kept beside what is sealed: which of all keychains has its key. */
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

/** The child lies beside the bundle, and in the source beside the storage that it belongs to. */
function keychainChildPath(): string {
  return import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, '../storage/keychain/keychain-child.ts')
    : join(import.meta.dirname, 'keychain-child.js');
}
