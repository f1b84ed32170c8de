import type { Integration } from '../../../shared/integration.ts';
import type { VaultKey } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { hasSignIn } from '../kept/api-key.ts';
import { integrationLock } from '../kept/integration-lock.ts';

/**
 * Deletes what a crash in the middle of an install, a sign-out or a removal has left in the vault: records that belong
 * to no entry of the list, where all of the list could be read. Each is judged under its integration's lock, so that an
 * install under way keeps its own. What may still be taken back is left to whoever finishes it.
 * Never throws: it is tried again at the next occasion.
 */
export async function sweepOrphans(ports: EnginePorts): Promise<void> {
  try {
    if (!(await ports.store.listIsWhole())) return;
    const vault = await ports.vault();
    const known = new Map((await ports.store.list()).map((entry) => [entry.id, entry]));
    const isPending = async (owner: string): Promise<boolean> =>
      (await ports.store.pendingDeletions()).some(({ integration }) => integration.id === owner);
    for (const owner of await vault.owners()) {
      const entry = known.get(owner);
      if (!isIntegrationId(owner) || (entry && entry.state !== 'signedOut' && hasSignIn(entry))) continue;
      if ((await vault.keysOf(owner)).every((key) => belongsTo(entry, key))) continue;
      await ports.locks.hold(integrationLock(owner), async () => {
        // Somebody may have edited it since.
        if (!(await ports.store.listIsWhole()) || (await isPending(owner))) return;
        const current = await ports.store.read(owner);
        await vault.delete(...(await vault.keysOf(owner)).filter((key) => !belongsTo(current, key)));
      });
    }
  } catch (error) {
    ports.log.write('sweep-failed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
  }
}

/** Registrations belong to a redirect URI, and the self-test to nobody. */
function isIntegrationId(owner: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(owner) && !owner.startsWith('self-test-');
}

/** A client stays for the next sign-in, also one at another issuer; tokens are those of the last one, or none. */
function belongsTo(entry: Integration | undefined, key: VaultKey): boolean {
  if (!entry) return false;
  if (key.kind !== 'tokens') return key.kind !== 'header' || entry.state !== 'signedOut';
  return entry.state !== 'signedOut' && entry.issuerKey === key.issuerKey;
}
