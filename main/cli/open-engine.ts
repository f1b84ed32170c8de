import { systemClock } from '../clock.ts';
import type { EnginePorts } from '../integration/engine-ports.ts';
import type { Keychain, KeptData, Vault } from '../ports.ts';
import { systemRandom } from '../random.ts';
import { createKeptData } from '../storage/kept-data.ts';
import { createMemoryVault } from '../storage/memory-vault.ts';
import { openVault } from '../storage/vault.ts';
import { createCallbackReceiver } from '../user-agent/callback/callback-listener.ts';
import { removeIgnoredVariables } from '../user-agent/http/ignored-variables.ts';
import { openHttp } from '../user-agent/http/open-http.ts';
import type { OpenHttp } from '../user-agent/http/open-http.ts';
import type { CommandContext } from './command-context.ts';
import { installation } from './installation.ts';
import { createTrialStore } from '../storage/trial-store.ts';
import { createSignInClaims } from '../storage/sign-in-claims.ts';
import type { SettingsNotice } from '../storage/settings-notice.ts';
import { openProfileStore } from './open-profile-store.ts';
import { keychainsOfOtherChannels, systemKeychain } from './system-keychain.ts';

export interface Engine {
  readonly ports: EnginePorts;
  readonly folder: string;
  readonly keychain: Keychain;
  readonly kept: KeptData;
  readonly network: OpenHttp;
  /** What was found in the settings file. */
  readonly notices: () => readonly SettingsNotice[];
  /** Variables of the environment that have no effect here. */
  readonly ignored: readonly string[];
}

/** Everything that the engine needs, for the commands that talk to servers. `memory` keeps nothing. Errors: CFG_*. */
export async function openEngine(context: CommandContext, { memory = false } = {}): Promise<Engine> {
  const { folder, log, locks, store } = await openProfileStore(context);
  const ignored = removeIgnoredVariables(process.env);
  for (const kind of ignored) log.write('variable-ignored', { kind });
  const network = openHttp({
    env: process.env,
    clock: systemClock,
    packaged: installation().packaged,
    certificateFile: async () => (await store.settings()).certificateFile,
  });
  const keychain = systemKeychain();
  const otherKeychains = keychainsOfOtherChannels();
  let vault: Promise<Vault> | undefined;
  context.onEnd(async () => {
    await Promise.allSettled([network, keychain, ...otherKeychains].map((opened) => opened.close()));
  });
  return {
    ports: {
      http: network.http,
      clock: systemClock,
      random: systemRandom,
      callbacks: createCallbackReceiver(),
      vault() {
        vault ??= memory
          ? Promise.resolve(createMemoryVault())
          : openVault({ folder, keychain, locks, random: systemRandom });
        return vault;
      },
      store: memory ? createTrialStore(store) : store,
      locks,
      claims: createSignInClaims({ folder, locks }),
      log,
    },
    folder,
    keychain,
    kept: createKeptData({ folder, keychain, otherKeychains, locks }),
    network,
    notices: () => store.notices(),
    ignored,
  };
}
