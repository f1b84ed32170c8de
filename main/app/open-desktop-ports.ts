import path from 'node:path';
import type { AppView } from '../../shared/app-view.ts';
import type { StorageFinding } from '../desktop/views/storage-health.ts';
import { StorageHealth } from '../desktop/views/storage-health.ts';
import type { EnginePorts } from '../integration/engine-ports.ts';
import { installation } from '../cli/installation.ts';
import { systemClock } from '../clock.ts';
import type { KeptData, Locks, Log } from '../ports.ts';
import { systemRandom } from '../random.ts';
import type { StoredIntegrations } from '../storage/integration-store.ts';
import { keychainBackend, keychainService, otherServices } from '../storage/keychain-service.ts';
import { createKeychain } from '../storage/keytar-keychain.ts';
import { openSettingsFile } from '../storage/open-settings-file.ts';
import { createKeptData } from '../storage/kept-data.ts';
import { createMemoryVault } from '../storage/memory-vault.ts';
import { testStorage } from '../storage/storage-self-test.ts';
import { createSwitchableStore } from '../storage/switchable-store.ts';
import { createTrialStore } from '../storage/trial-store.ts';
import { openVault } from '../storage/vault.ts';
import { createSignInClaims } from '../storage/sign-in-claims.ts';
import type { SettingsFile } from '../window-ports.ts';
import { createCallbackReceiver } from '../user-agent/callback/callback-listener.ts';
import { openHttp } from '../user-agent/http/open-http.ts';
import { readProxySettings } from '../user-agent/http/proxy-settings.ts';
import { startKeychainUtility } from './keychain-utility.ts';
import { chooseSystemProxy, describeProxies } from './system-proxy.ts';

export interface DesktopPorts {
  readonly ports: EnginePorts;
  readonly health: StorageHealth;
  readonly kept: KeptData;
  readonly settingsFile: SettingsFile;
  /** How the internet is reached. */
  proxy(): Promise<AppView['proxy']>;
  close(): Promise<void>;
}

/** Everything that the engine needs, for a program with windows. Opens nothing yet: no keychain, no port. */
export async function openDesktopPorts({
  folder,
  store: kept,
  locks,
  log,
  packaged,
  onHealth,
}: {
  readonly folder: string;
  readonly store: StoredIntegrations;
  readonly locks: Locks;
  readonly log: Log;
  readonly packaged: boolean;
  readonly onHealth: () => void;
}): Promise<DesktopPorts> {
  const proxies = readProxySettings(process.env);
  const network = openHttp({
    env: process.env,
    clock: systemClock,
    packaged,
    certificateFile: async () => (await kept.settings()).certificateFile,
    systemProxy: chooseSystemProxy(proxies),
  });
  const { channel } = installation();
  const childPath = path.join(import.meta.dirname, 'keychain-child.js');
  const openKeychain = (service: string) => createKeychain({ service, childPath, start: startKeychainUtility });
  const keychain = openKeychain(keychainService(channel));
  const otherKeychains = otherServices(channel).map(openKeychain);
  const sealed = await openVault({ folder, keychain, locks, random: systemRandom });
  const store = createSwitchableStore(kept);
  const health = new StorageHealth({
    backend: keychainBackend(process.platform),
    vault: sealed,
    async test(): Promise<readonly StorageFinding[]> {
      const findings = await testStorage({ keychain, vault: sealed });
      for (const { name, error } of findings) log.write('storage-test', { step: name, code: error?.code });
      return findings;
    },
    goToMemory() {
      store.switchTo(createTrialStore(kept));
      return createMemoryVault();
    },
    onChange: onHealth,
  });
  return {
    health,
    kept: createKeptData({ folder, keychain, otherKeychains, locks }),
    settingsFile: openSettingsFile({ folder, store: kept, locks }),
    proxy: () => describeProxies(proxies),
    ports: {
      http: network.http,
      clock: systemClock,
      random: systemRandom,
      callbacks: createCallbackReceiver(),
      vault: () => health.vault(),
      store,
      locks,
      claims: createSignInClaims({ folder, locks }),
      log,
    },
    async close() {
      await Promise.allSettled([network, keychain, ...otherKeychains].map((each) => each.close()));
    },
  };
}
