import { openGatewayWhenFree } from '../../main/host/gateway/open-gateway.ts';
import { openKeychains } from '../../main/host/keychains.ts';
import { openEngine } from '../../main/host/open-engine.ts';
import { openProfile } from '../../main/host/open-profile.ts';
import { systemClock, systemRandom } from '../../main/host/system-ports.ts';
import type { Vault } from '../../main/ports.ts';
import { openVault } from '../../main/storage/vault/vault.ts';
import { HeldCalls } from '../../main/window/consent/held-calls.ts';

/**
 * Serves the apps of a profile like a window whose user is away. Resolves when it ends. Errors: CFG_*, GATEWAY_HELD.
 */
export async function serveUnanswered(folder: string): Promise<() => Promise<void>> {
  const installation = { isPackaged: false, channel: 'dev' } as const;
  const profile = openProfile(folder);
  const { locks, store } = profile;
  const keychains = openKeychains(installation);
  const { own: keychain, backend } = keychains;
  let vault: Promise<Vault> | undefined;
  const { ports, close } = openEngine({
    profile,
    installation,
    keychains,
    store,
    vault: () => (vault ??= openVault({ folder, keychain, backend, locks, random: systemRandom })),
  });
  const heldCalls = new HeldCalls({ clock: systemClock, notify: () => {}, onChange: () => {} });
  const { apps, collections } = store;
  const observer = { user: { allowCall: heldCalls.ask } };
  const serving = await openGatewayWhenFree(
    { ports, apps, collections, folder, kind: 'serve', command: undefined, observer },
    new AbortController().signal,
  );
  return async () => {
    heldCalls.close();
    await serving.close(0);
    await close();
  };
}
