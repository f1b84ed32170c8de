import { systemClock } from '../../main/engine/clock.ts';
import type { ProgramRecords } from '../../main/gateway-ports.ts';
import type { EnginePorts } from '../../main/integration/engine-ports.ts';
import type { KeptData } from '../../main/kept-data-ports.ts';
import type { Keychain } from '../../main/ports.ts';
import { systemRandom } from '../../main/engine/random.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { createKeptData } from '../../main/storage/profile/kept-data.ts';
import { createLocalServers } from '../../main/local/local-servers.ts';
import { assertionFiles } from '../../main/storage/files/assertion-file.ts';
import { openCatalogueStore } from '../../main/storage/profile/catalogue-store.ts';
import { openPinStore } from '../../main/storage/profile/pin-store.ts';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openVault } from '../../main/storage/vault/vault.ts';
import type { VaultOptions } from '../../main/storage/vault/vault.ts';
import { createSignInLeases } from '../../main/storage/profile/sign-in-leases.ts';
import { createCallbackReceiver } from '../../main/user-agent/callback/callback-listener.ts';
import { createHttp } from '../../main/user-agent/http/http.ts';
import { createFileKeychain } from './file-keychain.ts';
import { freePort } from './free-port.ts';

export interface ProfileEngineOptions {
  readonly keychain?: Keychain;
  readonly replace?: VaultOptions['replace'];
  readonly beforeStep?: (step: string) => void;
}

export interface ProfileEngine {
  readonly ports: EnginePorts;
  readonly kept: KeptData;
  readonly programs: ProgramRecords;
  close(): Promise<void>;
}

/**
 * The engine on a profile folder, as the command line composes it: real files, kernel locks, HTTP and clock. Only the
 * keychain is a file, so that any number of processes can share it.
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
      catalogue: openCatalogueStore(folder),
      pins: openPinStore({ profileFolder: folder, locks, list: store }),
      local: createLocalServers(folder),
      log: { write: () => {} },
    },
    kept: createKeptData({ folder, keychain, locks, ...(beforeStep && { beforeStep }) }),
    programs: store.programs,
    close: () => http.close(),
  };
}
