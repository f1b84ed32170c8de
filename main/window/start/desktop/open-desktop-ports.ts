import { session } from 'electron';
import type { DesktopView } from '../../../../shared/desktop-view.ts';
import { displayHost } from '../../../address/display-text.ts';
import { classifyHost } from '../../../address/host.ts';
import type { AppDependencies, AppReader } from '../../../apps/app-dependencies.ts';
import { collectionsWithSecretCleanup } from '../../../apps/records/app-secret.ts';
import type { Collections } from '../../../gateway-ports.ts';
import type { Installation } from '../../../host/installation.ts';
import { openKeychains } from '../../../host/keychains.ts';
import { openEngine } from '../../../host/open-engine.ts';
import type { Engine } from '../../../host/open-engine.ts';
import type { Profile } from '../../../host/open-profile.ts';
import { openApps, createAppReader } from '../../../host/apps/open-apps.ts';
import { systemRandom } from '../../../host/system-ports.ts';
import { freePort } from '../../../net/endpoint/loopback-listener.ts';
import type { ChooseProxy } from '../../../net/http/pinned-connector.ts';
import { chooseProxy, parsePacResult, readProxySettings } from '../../../net/http/proxy-settings.ts';
import type { ProxyServer, ProxySettings } from '../../../net/http/proxy-settings.ts';
import type { HistoryStore, StoredData } from '../../../ports.ts';
import { keychainBackend } from '../../../storage/keychain/keychain-service.ts';
import { ActivityReader } from '../../../storage/profile/activity-store.ts';
import { openIconStore } from '../../../storage/profile/icon-store.ts';
import { openTodaysCalls } from '../../../storage/profile/todays-calls.ts';
import { openSettingsFile } from '../../../storage/settings/settings-file.ts';
import { createSwitchableStore, createMemoryStore } from '../../../storage/settings/store-layers.ts';
import { createMemoryVault, openVault, testStorage } from '../../../storage/vault/vault.ts';
import type { ActivityLog, IconStore, SettingsFile, TodaysCalls } from '../../../window-ports.ts';
import { windowLanguage } from '../../../window-words.ts';
import { StorageHealth } from '../../state/storage-health.ts';
import type { StorageFinding } from '../../state/storage-health.ts';

export interface DesktopPorts extends Pick<Engine, 'ports' | 'close'> {
  readonly storedData: StoredData;
  readonly health: StorageHealth;
  readonly settingsFile: SettingsFile;
  readonly activity: ActivityLog;
  readonly todaysCalls: TodaysCalls;
  readonly icons: IconStore;
  readonly history: HistoryStore;
  readonly apps: AppReader;
  readonly collections: Collections;
  /** Errors: CFG_*. */
  readonly openApps: () => Promise<AppDependencies>;
  /** Errors: GATEWAY_PORT. */
  readonly freePort: () => Promise<number>;
  /** The proxy in use. */
  proxy(): Promise<DesktopView['proxy']>;
}

/** The engine's ports for the window process. Opens no keychain and no port yet. */
export async function openDesktopPorts({
  profile,
  installation,
  onHealthChange,
}: {
  readonly profile: Profile;
  readonly installation: Installation;
  readonly onHealthChange: () => void;
}): Promise<DesktopPorts> {
  const { folder, log, locks, store: profileStore } = profile;
  const proxies = readProxySettings(process.env);
  const keychains = openKeychains(installation);
  const keychain = keychains.own;
  const sealedVault = await openVault({ folder, keychain, locks, random: systemRandom });
  const store = createSwitchableStore(profileStore);
  const health = new StorageHealth({
    backend: keychainBackend(process.platform),
    vault: sealedVault,
    async test(): Promise<readonly StorageFinding[]> {
      const findings = await testStorage({ keychain, vault: sealedVault });
      for (const { name, error } of findings) log.write('storage-test', { step: name, code: error?.code });
      return findings;
    },
    switchToMemory() {
      store.switchTo(createMemoryStore(profileStore));
      return createMemoryVault();
    },
    onChange: onHealthChange,
  });
  const appOptions = { folder, locks, records: profileStore.apps, store: profileStore, vault: () => health.vault() };
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
    storedData: await engine.storedData(),
    health,
    settingsFile: openSettingsFile({ folder, store: profileStore, locks }),
    activity: new ActivityReader(folder),
    todaysCalls: openTodaysCalls(folder, engine.ports.clock),
    icons: openIconStore(folder),
    history: await profile.history(),
    apps: createAppReader(appOptions),
    collections: collectionsWithSecretCleanup(profileStore.collections, profileStore.apps, () => health.vault()),
    openApps: () => openApps(installation, appOptions),
    freePort,
    proxy: () => describeProxies(proxies),
  };
}

/** The proxy from the environment, as on the command line, or else from the system settings. */
function chooseSystemProxy(environment: ProxySettings): ChooseProxy {
  return async (target) => {
    if (environment.https || environment.http) return chooseProxy(environment, target);
    // Loopback behind a proxy would be another machine.
    if (classifyHost(target.hostname) === 'loopback') return undefined;
    return await resolveSystemProxy(`${target.protocol}//${target.hostname}:${target.port}/`);
  };
}

/** The proxy, for the settings page. */
async function describeProxies(environment: ProxySettings): Promise<DesktopView['proxy']> {
  if (environment.unusable.length > 0) return { mode: 'notUsed' };
  const server = environment.https ?? environment.http ?? (await resolveSystemProxy('https://example.com/'));
  return server ? { mode: 'inUse', host: displayHost(server.hostname) } : { mode: 'direct' };
}

/**
 * Falls back to a direct connection if the setting is unreadable, as browsers do. Uses a separate session without
 * pages, because the session of our pages has no network.
 */
async function resolveSystemProxy(address: string): Promise<ProxyServer | undefined> {
  const proxySession = session.fromPartition('system-proxy', { cache: false });
  return parsePacResult(await proxySession.resolveProxy(address).catch(() => 'DIRECT'));
}
