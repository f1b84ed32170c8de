// Loaded before timing starts, as for the other contenders.
import path from 'node:path';
import 'node:sqlite';
import { connectServer } from '../../main/engine/connect/connect-server.ts';
import { findIntegration } from '../../main/engine/records/find-integration.ts';
import '../../main/engine/sign-in/reauthenticate.ts';
import type { SignInInteraction } from '../../main/engine/sign-in/sign-in-interaction.ts';
import { listTools } from '../../main/engine/use/use-server.ts';
import { createLog } from '../../main/host/open-profile.ts';
import { systemClock, systemRandom } from '../../main/host/system-ports.ts';
import { createLocalServers } from '../../main/local/local-servers.ts';
import '../../main/mcp/client/connect-mcp.ts';
import { createCallbackReceiver } from '../../main/net/callback-listener.ts';
import { createHttp } from '../../main/net/http/http.ts';
import type { Keychain } from '../../main/ports.ts';
import { assertionFiles } from '../../main/storage/files/assertion-file.ts';
import { createLocks } from '../../main/storage/files/kernel-locks.ts';
import { openCatalogStore, openPinStore } from '../../main/storage/profile/server-files.ts';
import { createSignInLeases } from '../../main/storage/profile/sign-in-leases.ts';
import { openIntegrationStore } from '../../main/storage/settings/integration-store.ts';
import { openVault } from '../../main/storage/vault/vault.ts';
import { localOptions } from '../support/local-options.ts';

/** From nothing, or with `stored` tokens, to the server's number of tools. */
export async function runEngine(folder: string, keychain: Keychain, url: string, stored: boolean): Promise<number> {
  const locks = createLocks(folder);
  const store = openIntegrationStore({ folder, locks });
  const vault = openVault({ folder, keychain, locks, random: systemRandom });
  const ports = {
    http: createHttp(),
    clock: systemClock,
    random: systemRandom,
    callbacks: createCallbackReceiver(),
    vault: () => vault,
    store,
    locks,
    leases: createSignInLeases({ folder, locks }),
    assertions: assertionFiles,
    refreshesInFlight: new Map(),
    catalog: openCatalogStore(folder),
    pins: openPinStore({ profileFolder: folder, locks, list: store }),
    local: createLocalServers(folder),
    log: createLog(path.join(folder, 'logs')),
  };
  const interaction: SignInInteraction = {
    onEvent: () => {},
    askCredentials: async () => undefined,
    open: async ({ url: page }) =>
      void process.stdout.write(`${JSON.stringify({ event: 'authorization', url: page })}\n`),
  };
  const { signal } = new AbortController();
  const tools = stored
    ? await listTools(ports, await findIntegration(ports.store, 'Bench'), { signal })
    : (await connectServer(ports, { url, name: 'Bench', options: localOptions, surface: 'bench' }, interaction, signal))
        .tools;
  return tools.length;
}
