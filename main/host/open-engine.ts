import type { Language } from '../../shared/choices.ts';
import { waitForRefreshes } from '../engine/engine-ports.ts';
import type { EnginePorts } from '../engine/engine-ports.ts';
import { sealPlainSecrets } from '../engine/records/seal-plain-secrets.ts';
import { createLocalServers } from '../local/local-servers.ts';
import { socketPath } from '../net/endpoint/socket-path.ts';
import { openHttp } from '../net/http/open-http.ts';
import type { OpenHttp } from '../net/http/open-http.ts';
import type { ChooseProxy } from '../net/http/pinned-connector.ts';
import type { CallbackReceiver, StoredData, Vault } from '../ports.ts';
import { assertionFiles } from '../storage/files/assertion-file.ts';
import { openCatalogStore, openPinStore } from '../storage/profile/server-files.ts';
import { createSignInLeases } from '../storage/profile/sign-in-leases.ts';
import type { Installation } from './installation.ts';
import type { Keychains } from './keychains.ts';
import type { Profile } from './open-profile.ts';
import { systemClock, systemRandom } from './system-ports.ts';

export interface EngineOptions extends Pick<EnginePorts, 'vault' | 'store'> {
  readonly profile: Profile;
  readonly installation: Installation;
  readonly keychains: Keychains;
  /** Asks the system for its proxy, where it can be asked. */
  readonly systemProxy?: ChooseProxy;
  /** Language of the pages that the browser shows at the end of a sign-in. */
  readonly language?: () => Language;
}

export interface Engine {
  readonly ports: EnginePorts;
  readonly network: OpenHttp;
  /** Loaded only to delete everything. */
  readonly storedData: () => Promise<StoredData>;
  close(): Promise<void>;
}

/** Everything the engine needs of the real world, for the command line and the window. Opens nothing yet. */
export function openEngine(options: EngineOptions): Engine {
  const { profile, installation, keychains, systemProxy, language, vault, store } = options;
  const { folder, log, locks } = profile;
  const network = openHttp({
    env: process.env,
    clock: systemClock,
    packaged: installation.isPackaged,
    certificateFile: async () => (await profile.store.settings()).certificateFile,
    ...(systemProxy && { systemProxy }),
  });
  const local = createLocalServers(folder);
  const refreshesInFlight: EnginePorts['refreshesInFlight'] = new Map();
  let sealing: Promise<void> | undefined;
  const sealedVault = async (): Promise<Vault> => {
    const opened = await vault();
    await (sealing ??= sealPlainSecrets(store, opened));
    return opened;
  };
  return {
    ports: {
      http: network.http,
      clock: systemClock,
      random: systemRandom,
      callbacks: callbackReceiver(language),
      vault: sealedVault,
      store,
      locks,
      leases: createSignInLeases({ folder, locks }),
      log,
      assertions: assertionFiles,
      catalog: openCatalogStore(folder),
      pins: openPinStore({ profileFolder: folder, locks, list: profile.store }),
      local,
      refreshesInFlight,
    },
    network,
    async storedData() {
      const { createStoredData } = await import('../storage/profile/stored-data.ts');
      const { stopGateway } = await import('./gateway/gateway-holder.ts');
      return createStoredData({
        folder,
        keychain: keychains.own,
        otherKeychains: keychains.others,
        backend: keychains.backend,
        locks,
        stopGateway: () => stopGateway(folder),
        socket: () => (process.platform === 'win32' ? undefined : socketPath(folder, process.env)),
      });
    },
    async close() {
      const stopped = local.close();
      await waitForRefreshes(refreshesInFlight);
      await Promise.allSettled([network.close(), keychains.close(), stopped]);
    },
  };
}

/** Loaded at the first sign-in. */
function callbackReceiver(language?: () => Language): CallbackReceiver {
  let loaded: Promise<CallbackReceiver> | undefined;
  const receiver = () =>
    (loaded ??= import('../net/callback-listener.ts').then((module) => module.createCallbackReceiver(language)));
  return {
    listen: async (...args) => await (await receiver()).listen(...args),
    freePort: async () => await (await receiver()).freePort(),
  };
}
