import { session } from 'electron';
import type { AppView } from '../../../../shared/app-view.ts';
import { displayHost } from '../../../address/display-text.ts';
import { classifyHost } from '../../../address/host.ts';
import type { ProgramEngine, ProgramsHere } from '../../../apps/program-engine.ts';
import { createForgetfulCollections } from '../../../apps/records/program-secret.ts';
import type { Collections } from '../../../gateway-ports.ts';
import type { Installation } from '../../../host/installation.ts';
import { openKeychains } from '../../../host/keychains.ts';
import { openEngine } from '../../../host/open-engine.ts';
import type { Engine } from '../../../host/open-engine.ts';
import type { Profile } from '../../../host/open-profile.ts';
import { openPrograms, programsHere } from '../../../host/programs/open-programs.ts';
import { systemRandom } from '../../../host/system-ports.ts';
import { freePort } from '../../../net/endpoint/loopback-door.ts';
import type { ChooseProxy } from '../../../net/http/pinned-connector.ts';
import { chooseProxy, readPacAnswer, readProxySettings } from '../../../net/http/proxy-settings.ts';
import type { ProxyServer, ProxySettings } from '../../../net/http/proxy-settings.ts';
import type { HistoryStore, KeptData } from '../../../ports.ts';
import { keychainBackend } from '../../../storage/keychain/keychain-service.ts';
import { ActivityReader } from '../../../storage/profile/activity-store.ts';
import { openIconStore } from '../../../storage/profile/icon-store.ts';
import { openSettingsFile } from '../../../storage/settings/settings-file.ts';
import { createSwitchableStore, createTrialStore } from '../../../storage/settings/store-layers.ts';
import { createMemoryVault, openVault, testStorage } from '../../../storage/vault/vault.ts';
import type { ActivityLog, IconStore, SettingsFile } from '../../../window-ports.ts';
import { windowLanguage } from '../../../window-words.ts';
import { StorageHealth } from '../../state/storage-health.ts';
import type { StorageFinding } from '../../state/storage-health.ts';

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
    collections: createForgetfulCollections(kept.collections, kept.programs, () => health.vault()),
    openPrograms: () => openPrograms(installation, owned),
    freePort,
    proxy: () => describeProxies(proxies),
  };
}

/** What the environment says, as on the command line; where it says nothing, the system's own setting. */
function chooseSystemProxy(environment: ProxySettings): ChooseProxy {
  return async (target) => {
    if (environment.https || environment.http) return chooseProxy(environment, target);
    // A proxy's own loopback is another machine.
    if (classifyHost(target.hostname) === 'loopback') return undefined;
    return await askSystem(`${target.protocol}//${target.hostname}:${target.port}/`);
  };
}

/** For the settings page: which proxy leads to the internet. */
async function describeProxies(environment: ProxySettings): Promise<AppView['proxy']> {
  if (environment.unusable.length > 0) return { mode: 'notUsed' };
  const server = environment.https ?? environment.http ?? (await askSystem('https://example.com/'));
  return server ? { mode: 'inUse', host: displayHost(server.hostname) } : { mode: 'direct' };
}

/**
 * A setting that cannot be read leaves the connection direct, as browsers do. The session is for the question alone and
 * never has a page: the one of our own pages has a proxy that leads nowhere.
 */
async function askSystem(address: string): Promise<ProxyServer | undefined> {
  const asking = session.fromPartition('system-proxy', { cache: false });
  return readPacAnswer(await asking.resolveProxy(address).catch(() => 'DIRECT'));
}
