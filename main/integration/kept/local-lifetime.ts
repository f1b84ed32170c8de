import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';

/**
 * Whether the sessions of a server on this computer share one process, from the next one on that starts. What runs stays
 * what a person has allowed. Errors: NOT_FOUND, CFG_*.
 */
export async function setLifetime({ store }: Pick<EnginePorts, 'store'>, id: string, isShared: boolean): Promise<void> {
  const updated = await store.update(id, (kept) => {
    if (!kept.command) return kept;
    const { lifetime: _before, ...command } = kept.command;
    return { ...kept, command: { ...command, ...(isShared && { lifetime: 'shared' as const }) } };
  });
  if (!updated) throw new PosternError('NOT_FOUND', { stage: 'settings', detail: { count: 0 } });
}
