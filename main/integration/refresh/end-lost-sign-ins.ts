import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { loadTokens } from '../kept/stored-secrets.ts';
import { endSignIn } from './end-sign-in.ts';

/**
 * Says in the list of all sign-ins that nothing is kept for any more that only a person can help: together, since after
 * the loss of a vault there may be a thousand. One that cannot be read has lost nothing. Never throws for a vault.
 */
export async function endLostSignIns(
  ports: Pick<EnginePorts, 'vault' | 'store'>,
  integrations: readonly Integration[],
): Promise<void> {
  try {
    const vault = await ports.vault();
    const owners = new Set(await vault.owners());
    const lost = integrations.filter(
      ({ id, method, state, issuer }) =>
        method !== 'NoAuth' && state === 'integrated' && issuer !== undefined && !owners.has(id),
    );
    const [first] = lost;
    // A damaged vault names nobody either.
    if (!first || (await loadTokens(vault, first.id, first.issuer ?? ''))) return;
    await Promise.all(lost.map((integration) => endSignIn(ports, integration)));
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}
