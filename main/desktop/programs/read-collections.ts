import type { CollectionView } from '../../../shared/collection-view.ts';
import { displayText } from '../../address/display-text.ts';
import { asUsedServer } from '../../programs/used-server.ts';
import type { DesktopContext } from '../desktop-context.ts';

/** Those that are not being removed, with the servers that are there. Errors: CFG_*. */
export async function readCollections({
  ports,
  collections,
  collectionRemovals,
}: Pick<DesktopContext, 'ports' | 'collections' | 'collectionRemovals'>): Promise<CollectionView[]> {
  const there = new Set((await ports.store.list()).map(({ id }) => id));
  return (await collections.list())
    .map((collection) => {
      const { id, name } = asUsedServer(collection);
      return { id, name: displayText(name), members: collection.members.filter((member) => there.has(member)) };
    })
    .filter(({ id }) => !collectionRemovals.isRemoved(id));
}
