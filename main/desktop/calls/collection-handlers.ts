import { collectionNamed, titleOf } from '../../../shared/collection-name.ts';
import type { IpcHandlers } from '../../../shared/ipc-handlers.ts';
import { addCollection, findCollection, putCollection, renameCollection } from '../../integration/kept/collections.ts';
import { asUsedServer } from '../../programs/used-server.ts';
import type { DesktopContext } from '../desktop-context.ts';
import type { ShownChanges } from '../programs/shown-changes.ts';
import { takeBackChanges } from '../programs/take-back-changes.ts';

/** Servers that programs use by one entry. */
export function collectionHandlers(
  context: DesktopContext,
  shown: ShownChanges,
): Pick<IpcHandlers, 'collection:save' | 'collection:remove'> {
  const { collections, collectionRemovals, changed } = context;
  return {
    'collection:save': async ({ id, name: title, members }) => {
      if (id === undefined) await addCollection(collections, title, members);
      else {
        const name = collectionNamed(id) ?? id;
        if (titleOf(await findCollection(collections, name)) !== title)
          await renameCollection(collections, name, title);
        await putCollection(collections, name, members);
      }
      changed('collections');
      return null;
    },
    'collection:remove': async ({ id, entries = [] }) => {
      const removed = asUsedServer(await findCollection(collections, collectionNamed(id) ?? id));
      // First, since what fails here leaves all as it is.
      const made = await shown.makeBefore(entries).finally(() => changed('programs'));
      collectionRemovals.begin(removed, () => takeBackChanges(context, made, [id]));
      return null;
    },
  };
}
