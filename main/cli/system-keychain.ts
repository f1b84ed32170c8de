import { join } from 'node:path';
import { keychainService, otherServices } from '../storage/keychain-service.ts';
import { createKeychain } from '../storage/keytar-keychain.ts';
import type { SystemKeychain } from '../storage/keytar-keychain.ts';
import { installation } from './installation.ts';

let keychain: SystemKeychain | undefined;

/** The keychain of this computer: one child process for one run of the program. */
export function systemKeychain(): SystemKeychain {
  const { channel, startKeychain } = installation();
  keychain ??= createKeychain({
    service: keychainService(channel),
    childPath: keychainChildPath(),
    ...(startKeychain && { start: startKeychain }),
  });
  return keychain;
}

/** Entries of other channels, for deleting what a profile of theirs names. None is started before its first call. */
export function keychainsOfOtherChannels(): readonly SystemKeychain[] {
  const { channel, startKeychain: start } = installation();
  const childPath = keychainChildPath();
  return otherServices(channel).map((service) => createKeychain({ service, childPath, ...(start && { start }) }));
}

/** The child lies beside the bundle, and in the source beside the storage that it belongs to. */
function keychainChildPath(): string {
  return import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, '../storage/keychain-child.ts')
    : join(import.meta.dirname, 'keychain-child.js');
}
