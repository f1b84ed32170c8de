import type { EndedStatus } from '../../kept-status.ts';

/** Which servers on this computer are not started by themselves; loaded where there is one. Never rejects. */
export async function endedIn(folder: string): Promise<ReadonlyMap<string, EndedStatus>> {
  const { readEnded } = await import('../../engine/gateway/ended-servers.ts');
  return await readEnded(folder);
}
