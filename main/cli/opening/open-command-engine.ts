import { undoSeconds } from '../../../shared/bounds.ts';
import {
  createForgetfulCollections,
  createForgetfulRecords,
  createForgetfulStore,
} from '../../apps/records/program-secret.ts';
import { allSent } from '../../engine/engine-ports.ts';
import type { DeletionPorts } from '../../engine/leave/finish-deletions.ts';
import type { Collections, ProgramRecords } from '../../gateway-ports.ts';
import { openEngine } from '../../host/open-engine.ts';
import { systemRandom } from '../../host/system-ports.ts';
import type { Vault } from '../../ports.ts';
import { removeIgnoredVariables } from '../../start-switches.ts';
import { createTrialStore } from '../../storage/settings/store-layers.ts';
import { createMemoryVault, openVault } from '../../storage/vault/vault.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import { openCommandProfile } from './open-command-profile.ts';

/** The engine for the commands that talk to servers. `memory` keeps nothing. Errors: CFG_*. */
export async function openCommandEngine(context: CommandContext, { memory = false } = {}): Promise<CommandEngine> {
  if (context.lent) return context.lent;
  const { installation } = context;
  const profile = await openCommandProfile(context);
  const { folder, log, locks, store } = profile;
  const ignored = removeIgnoredVariables(process.env);
  for (const kind of ignored) log.write('variable-ignored', { kind });
  const keychains = await context.keychains();
  const keychain = keychains.own;
  let opened: Promise<Vault> | undefined;
  const vault = (): Promise<Vault> => {
    opened ??= memory
      ? Promise.resolve(createMemoryVault())
      : openVault({ folder, keychain, backend: keychains.backend, locks, random: systemRandom });
    return opened;
  };
  const engine = openEngine({
    profile,
    installation,
    keychains,
    vault,
    store: memory ? createTrialStore(store) : createForgetfulStore(store, store.programs, vault),
  });
  context.finishBeforeEnd(() => allSent(engine.ports.renewals));
  let left: { readonly telling: Promise<unknown> } | undefined;
  // The services are told while the command works.
  context.onEnd(async () => {
    await left?.telling;
    await engine.close();
  });
  if (!memory) {
    const programs = createForgetfulRecords(store.programs, engine.ports.vault);
    left = await finishLeft({ ...engine.ports, programs }, context);
    await finishRemovedCollections({ ports: engine.ports, collections: store.collections, programs }, context);
  }
  const { history } = profile;
  return {
    ...engine,
    history,
    folder,
    keychain,
    programs: store.programs,
    collections: createForgetfulCollections(store.collections, store.programs, engine.ports.vault),
    notices: () => store.notices(),
    ignored,
  };
}

/** Collections whose hour is over, now and while this command runs. Never rejects: the next one tries again. */
async function finishRemovedCollections(
  scope: {
    readonly ports: Pick<DeletionPorts, 'clock'>;
    readonly collections: Collections;
    readonly programs: ProgramRecords;
  },
  { onEnd }: Pick<CommandContext, 'onEnd'>,
): Promise<void> {
  if ((await scope.collections.removed().catch(() => [])).length === 0) return;
  const { keepFinishingRemovals } = await import('../../operations/undo.ts');
  const { stop } = await keepFinishingRemovals({ ...scope, programs: { records: scope.programs } });
  onEnd(async () => stop());
}

/** What a window that was killed had begun to delete. A window that runs does that itself. */
async function finishLeft(
  ports: DeletionPorts,
  { onEnd, signal }: Pick<CommandContext, 'onEnd' | 'signal'>,
): Promise<{ readonly telling: Promise<unknown> } | undefined> {
  const pending = await ports.store.pendingDeletions().catch(() => []);
  if (pending.length === 0) return undefined;
  const { isOverdue } = await import('../../engine/leave/pending-deletions.ts');
  const { finishLeftDeletions } = await import('../../engine/leave/finish-left-deletions.ts');
  const finish = () => finishLeftDeletions(ports, (deletion) => isOverdue(deletion, ports.clock), signal);
  // For a command that keeps running: by then each is due, unless it was undone.
  const stopWaiting = ports.clock.after(undoSeconds * 1_000, () => void finish());
  onEnd(async () => stopWaiting());
  return finish();
}
