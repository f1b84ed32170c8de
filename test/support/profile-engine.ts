import type { EnginePorts } from '../../main/engine/engine-ports.ts';
import type { AppRecords } from '../../main/gateway-ports.ts';
import { systemClock, systemRandom } from '../../main/host/system-ports.ts';
import { createLocalServers } from '../../main/local/local-servers.ts';
import { createCallbackReceiver } from '../../main/net/callback-listener.ts';
import { createHttp } from '../../main/net/http/http.ts';
import type { StoredData, Keychain } from '../../main/ports.ts';
import { assertionFiles } from '../../main/storage/files/assertion-file.ts';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { createStoredData } from '../../main/storage/profile/stored-data.ts';
import { openCatalogStore, openPinStore } from '../../main/storage/profile/server-files.ts';
import { createSignInLeases } from '../../main/storage/profile/sign-in-leases.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { openVault } from '../../main/storage/vault/vault.ts';
import type { VaultOptions } from '../../main/storage/vault/vault.ts';
import { createFileKeychain } from './file-keychain.ts';
import { freePort } from './free-port.ts';

export interface ProfileEngineOptions {
  readonly keychain?: Keychain;
  readonly replace?: VaultOptions['replace'];
  readonly beforeStep?: (step: string) => void;
}

export interface ProfileEngine {
  readonly ports: EnginePorts;
  readonly storedData: StoredData;
  readonly apps: AppRecords;
  close(): Promise<void>;
}

/**
 * The engine on a profile folder, as the command line composes it, with real files, kernel locks, HTTP and clock. Only
 * the keychain is a file, so that any number of processes can share it.
 */
export function openProfileEngine(folder: string, options: ProfileEngineOptions = {}): ProfileEngine {
  const locks = createLocks(folder);
  const http = createHttp();
  const { keychain = createFileKeychain(folder), replace, beforeStep } = options;
  const vault = openVault({ folder, keychain, locks, random: systemRandom, ...(replace && { replace }) });
  const store = openIntegrationStore({ folder, locks });
  return {
    ports: {
      http,
      clock: systemClock,
      random: systemRandom,
      callbacks: { ...createCallbackReceiver(), freePort },
      vault: () => vault,
      store,
      locks,
      leases: createSignInLeases({ folder, locks }),
      assertions: assertionFiles,
      refreshesInFlight: new Map(),
      catalog: openCatalogStore(folder),
      pins: openPinStore({ profileFolder: folder, locks, list: store }),
      local: createLocalServers(folder),
      log: { write: () => {} },
    },
    storedData: createStoredData({ folder, keychain, locks, ...(beforeStep && { beforeStep }) }),
    apps: store.apps,
    close: () => http.close(),
  };
}
