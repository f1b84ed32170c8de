import type { AppDependencies } from '../../apps/app-dependencies.ts';
import { collectionsWithSecretCleanup } from '../../apps/records/app-secret.ts';
import type { Collections } from '../../gateway-ports.ts';
import type { Profile } from '../../host/open-profile.ts';
import { openApps } from '../../host/apps/open-apps.ts';
import { systemRandom } from '../../host/system-ports.ts';
import type { IntegrationStore, Vault } from '../../ports.ts';
import { openVault } from '../../storage/vault/vault.ts';
import type { CommandContext } from '../command-context.ts';

export interface CommandApps {
  readonly engine: AppDependencies;
  readonly store: Pick<Profile['store'], keyof IntegrationStore>;
  readonly collections: Collections;
  /** Opened only for app secrets: most commands about apps need no keychain. */
  readonly vault: () => Promise<Vault>;
}

/** Opens what commands about AI apps need. Errors: CFG_*. */
export async function openCommandApps(context: CommandContext): Promise<CommandApps> {
  const { folder, locks, store } = await context.openProfile();
  const vault = async (): Promise<Vault> => {
    const { own: keychain, backend } = await context.keychains();
    return await openVault({ folder, keychain, backend, locks, random: systemRandom });
  };
  const engine = await openApps(context.installation, { folder, locks, records: store.apps, store, vault });
  const collections = collectionsWithSecretCleanup(store.collections, store.apps, vault);
  if ((await collections.removed()).length > 0) {
    const { finishCollectionRemovals } = await import('../../operations/undo.ts');
    // Best effort: the settings may be readable but not writable. The next command tries again.
    await finishCollectionRemovals({ ports: engine, collections, apps: engine }).catch(() => {});
  }
  return { engine, store, collections, vault };
}
