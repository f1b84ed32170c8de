import type { ProgramRecords } from '../gateway-ports.ts';
import type { IntegrationStore } from '../ports.ts';

/**
 * Whether the way in over HTTP is needed: its port has been chosen, and a program has a secret for it. Never rejects.
 */
export async function needsHttp(
  store: Pick<IntegrationStore, 'settings'>,
  programs: Pick<ProgramRecords, 'list'>,
): Promise<boolean> {
  try {
    const [{ gatewayPort }, records] = await Promise.all([store.settings(), programs.list()]);
    const needs = records.some(({ secretHash, revokedAt }) => secretHash !== undefined && revokedAt === undefined);
    return gatewayPort !== undefined && needs;
  } catch {
    return false;
  }
}
