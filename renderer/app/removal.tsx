import { useEffect } from 'react';
import { postern } from '../postern.ts';
import { useBeforeLeaving } from '../programs/leaving-dialog.tsx';
import { isCollection, type Used, useUsed } from '../used-servers.ts';
import { goneServers } from '../store.ts';
import { endRemoval, flashError, show, useView } from '../view.ts';
import { words } from '../words.ts';

/** A removal that was asked for somewhere: the entries that would lead nowhere are shown before main asks. */
export function Removal() {
  const removing = useView((state) => state.removing);
  const servers = useUsed(removing);
  return servers.length > 0 && <Removing key={removing?.join(' ')} servers={servers} />;
}

function Removing({ servers }: { readonly servers: readonly Used[] }) {
  const ids = servers.map(({ id }) => id);
  const name = servers.length === 1 ? servers[0]?.name : words.arrange.chosen(servers.length);
  const remove = async (entries: string[]): Promise<void> => {
    const [id = ''] = ids;
    if (isCollection(id)) {
      const removed = await postern.collection.remove({ id, entries });
      endRemoval();
      return removed.ok ? undefined : flashError(removed.error);
    }
    // What was typed for them stays until that cannot be undone any more.
    goneServers.ask(ids);
    const result = await postern.integration.remove({ ids, entries });
    goneServers.answer(ids, result.ok && result.value !== null);
    endRemoval();
    if (!result.ok) return flashError(result.error);
    const { view } = useView.getState();
    if (result.value && view.name === 'integration' && ids.includes(view.id)) show({ name: 'home' });
  };
  const { begin, dialog, error } = useBeforeLeaving({ integrations: ids }, name, remove, endRemoval);
  useEffect(() => void begin(), []);
  useEffect(() => {
    if (!error) return;
    flashError(error);
    endRemoval();
  }, [error]);
  return dialog;
}
