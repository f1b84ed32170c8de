import type { ProgramEngine } from '../../apps/program-engine.ts';
import { createForgetfulCollections } from '../../apps/records/program-secret.ts';
import type { Collections } from '../../gateway-ports.ts';
import type { Profile } from '../../host/open-profile.ts';
import { openPrograms } from '../../host/programs/open-programs.ts';
import { systemRandom } from '../../host/system-ports.ts';
import type { IntegrationStore, Vault } from '../../ports.ts';
import { openVault } from '../../storage/vault/vault.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import { openCommandProfile } from '../opening/open-command-profile.ts';

export interface CommandPrograms {
  readonly engine: ProgramEngine;
  readonly store: Pick<Profile['store'], keyof IntegrationStore>;
  readonly collections: Collections;
  /** Opened where the secret of a program goes or comes: most commands about programs need no keychain. */
  readonly vault: () => Promise<Vault>;
}

/** What the commands about other programs work with. Errors: CFG_*. */
export async function openCommandPrograms(context: CommandContext): Promise<CommandPrograms> {
  const { folder, locks, store } = await openCommandProfile(context);
  const vault = async (): Promise<Vault> => {
    const { own: keychain, backend } = await context.keychains();
    return await openVault({ folder, keychain, backend, locks, random: systemRandom });
  };
  const engine = await openPrograms(context.installation, { folder, locks, records: store.programs, store, vault });
  const collections = createForgetfulCollections(store.collections, store.programs, vault);
  if ((await collections.removed()).length > 0) {
    const { finishCollectionRemovals } = await import('../../operations/undo.ts');
    // Settings that cannot be written can still be read; the next command tries again.
    await finishCollectionRemovals({ ports: engine, collections, programs: engine }).catch(() => {});
  }
  return { engine, store, collections, vault };
}

/** The same for a command that has the engine open. Errors: CFG_*. */
export async function openEnginePrograms(
  { installation }: CommandContext,
  { ports: { locks, store, vault }, folder, programs: records }: Pick<CommandEngine, 'ports' | 'folder' | 'programs'>,
): Promise<ProgramEngine> {
  return await openPrograms(installation, { folder, locks, records, store, vault });
}
