import { homedir } from 'node:os';
import path from 'node:path';
// Loaded here, where the other programs load theirs: what is timed comes after the imports.
import 'conf';
import 'node:sqlite';
import '../../main/integration/reauthenticate.ts';
import '../../main/mcp/connect-mcp.ts';
import { systemClock } from '../../main/clock.ts';
import { connectServer } from '../../main/integration/connect-server.ts';
import { findIntegration } from '../../main/integration/find-integration.ts';
import type { SignInInteraction } from '../../main/integration/sign-in-interaction.ts';
import { listTools } from '../../main/integration/use-server.ts';
import { createLog } from '../../main/log.ts';
import { systemRandom } from '../../main/random.ts';
import { openIntegrationStore } from '../../main/storage/integration-store.ts';
import { createLocks } from '../../main/storage/kernel-locks.ts';
import { glanceAtKeyAccount } from '../../main/storage/glance-at-profile.ts';
import { keychainService } from '../../main/storage/keychain-service.ts';
import { createKeychain } from '../../main/storage/keytar-keychain.ts';
import { openProfile } from '../../main/storage/profile-folder.ts';
import { openVault } from '../../main/storage/vault.ts';
import { createCallbackReceiver } from '../../main/user-agent/callback-listener.ts';
import { createHttp } from '../../main/user-agent/http.ts';

/**
 * `engine-program.ts CHILD URL [stored]`: Postern's engine as the command line composes it, without the command line.
 * CHILD is the built keychain child.
 * Tells the milliseconds from after its imports to the list of tools.
 */
const [, , childPath = '', url = '', mode] = process.argv;
const start = performance.now();
const { folder } = await openProfile({ env: process.env, platform: process.platform, home: homedir() });
const locks = createLocks(folder);
const keychain = createKeychain({ service: keychainService('dev'), childPath });
keychain.prepare(mode === 'stored' ? glanceAtKeyAccount(folder, 'Bench') : undefined);
const vault = openVault({ folder, keychain, locks, random: systemRandom });
const ports = {
  http: createHttp(),
  clock: systemClock,
  random: systemRandom,
  callbacks: createCallbackReceiver(),
  vault: () => vault,
  store: openIntegrationStore({ folder, locks }),
  locks,
  log: createLog(path.join(folder, 'logs')),
};
const interaction: SignInInteraction = {
  onEvent: () => {},
  askCredentials: async () => undefined,
  open: async ({ url: page }) => console.log(JSON.stringify({ event: 'authorization', url: page })),
};
const options = {
  local: true,
  allowedHosts: [],
  allowHttp: false,
  pkce: 'when-listed',
  legacyEndpoints: false,
  sendResource: true,
} as const;
const { signal } = new AbortController();
const tools =
  mode === 'stored'
    ? await listTools(ports, await findIntegration(ports.store, 'Bench'), { signal })
    : (
        await connectServer(
          ports,
          { url, name: 'Bench', options: { ...options, allowedHosts: [] }, surface: 'bench' },
          interaction,
          signal,
        )
      ).tools;
console.log(JSON.stringify({ milliseconds: performance.now() - start, tools: tools.length }));
process.exit();
