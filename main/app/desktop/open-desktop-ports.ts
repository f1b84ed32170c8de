import type { AppView } from '../../../shared/app-view.ts';
import type { StorageFinding } from '../../desktop/state/storage-health.ts';
import { StorageHealth } from '../../desktop/state/storage-health.ts';
import { freePort } from '../../engine/gateway/free-port.ts';
import type { Installation } from '../../engine/installation.ts';
import { openKeychains } from '../../engine/keychains.ts';
import { openEngine } from '../../engine/open-engine.ts';
import type { Engine } from '../../engine/open-engine.ts';
import { openPrograms, programsHere } from '../../engine/programs/open-programs.ts';
import type { Profile } from '../../engine/open-profile.ts';
import { systemRandom } from '../../engine/random.ts';
import type { ProgramEngine, ProgramsHere } from '../../programs/program-engine.ts';
import type { Collections } from '../../gateway-ports.ts';
import type { HistoryStore } from '../../history-ports.ts';
import type { KeptData } from '../../kept-data-ports.ts';
import { keychainBackend } from '../../storage/keychain/keychain-service.ts';
import { ActivityReader } from '../../storage/profile/activity-reader.ts';
import { openIconStore } from '../../storage/profile/icon-store.ts';
import { openSettingsFile } from '../../storage/settings/open-settings-file.ts';
import { createMemoryVault } from '../../storage/vault/memory-vault.ts';
import { testStorage } from '../../storage/vault/storage-self-test.ts';
import { createSwitchableStore } from '../../storage/settings/switchable-store.ts';
import { createTrialStore } from '../../storage/settings/trial-store.ts';
import { openVault } from '../../storage/vault/vault.ts';
import type { ActivityLog, IconStore, SettingsFile } from '../../window-ports.ts';
import { readProxySettings } from '../../user-agent/http/proxy-settings.ts';
import { chooseSystemProxy, describeProxies } from '../system/system-proxy.ts';
import { windowLanguage } from '../../window-words.ts';

export interface DesktopPorts extends Pick<Engine, 'ports' | 'close'> {
  readonly kept: KeptData;
  readonly health: StorageHealth;
  readonly settingsFile: SettingsFile;
  readonly activity: ActivityLog;
  readonly icons: IconStore;
  readonly history: HistoryStore;
  readonly programs: ProgramsHere;
  readonly collections: Collections;
  /** Errors: CFG_*. */
  readonly openPrograms: () => Promise<ProgramEngine>;
  /** Errors: GATEWAY_PORT. */
  readonly freePort: () => Promise<number>;
  /** How the internet is reached. */
  proxy(): Promise<AppView['proxy']>;
}

/** Everything that the engine needs, for a program with windows. Opens nothing yet: no keychain, no port. */
export async function openDesktopPorts({
  profile,
  installation,
  onHealth,
}: {
  readonly profile: Profile;
  readonly installation: Installation;
  readonly onHealth: () => void;
}): Promise<DesktopPorts> {
  const { folder, log, locks, store: kept } = profile;
  const proxies = readProxySettings(process.env);
  const keychains = openKeychains(installation);
  const keychain = keychains.own;
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
  const owned = { folder, locks, records: kept.programs, store: kept, vault: () => health.vault() };
  const engine = openEngine({
    profile,
    installation,
    keychains,
    systemProxy: chooseSystemProxy(proxies),
    language: () => windowLanguage,
    vault: () => health.vault(),
    store,
  });
  return {
    ...engine,
    kept: await engine.kept(),
    health,
    settingsFile: openSettingsFile({ folder, store: kept, locks }),
    activity: new ActivityReader(folder),
    icons: openIconStore(folder),
    history: await profile.history(),
    programs: programsHere(owned),
    collections: kept.collections,
    openPrograms: () => openPrograms(installation, owned),
    freePort,
    proxy: () => describeProxies(proxies),
  };
}
