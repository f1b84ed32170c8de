import type { EnginePorts } from '../engine-ports.ts';

/** Makes sure that secrets can be kept. Errors: KC_*, CFG_*. */
export async function readyVault(ports: Pick<EnginePorts, 'vault'>): Promise<void> {
  const vault = await ports.vault();
  await vault.ready();
}
