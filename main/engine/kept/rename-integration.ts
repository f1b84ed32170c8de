import type { Integration } from '../../../shared/integration.ts';
import { displayPlace, serverName } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';

/**
 * Gives an integration another name; its alias stays, since files of programs hold it. `serverName` leaves something of `name`.
 * Errors: NAME_TAKEN where another one has it in whatever case, also one that may still come back; NOT_FOUND; CFG_*.
 */
export async function renameIntegration(
  { store, locks }: Pick<EnginePorts, 'store' | 'locks'>,
  { id }: Integration,
  name: string,
): Promise<Integration> {
  const shown = serverName(name);
  const plain = shown.toLocaleLowerCase('en');
  return await locks.hold('names', async () => {
    const leaving = (await store.pendingDeletions()).map(({ integration }) => integration);
    const other = [...(await store.list()), ...leaving].find(
      (one) => one.id !== id && one.name.toLocaleLowerCase('en') === plain,
    );
    if (other) {
      const place = displayPlace(new URL(other.url));
      throw new PosternError('NAME_TAKEN', { stage: 'app', detail: { name: other.name, place } });
    }
    const renamed = await store.update(id, (kept) => ({ ...kept, name: shown }));
    if (!renamed) throw new PosternError('NOT_FOUND', { stage: 'app', detail: { count: 0 } });
    return renamed;
  });
}
