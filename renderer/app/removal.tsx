import { useEffect } from 'react';
import type { IntegrationView } from '../../shared/integration-view.ts';
import { postern } from '../postern.ts';
import { useBeforeLeaving } from '../programs/leaving-dialog.tsx';
import { useIntegration } from '../store.ts';
import { endRemoval, flash, show, useView } from '../view.ts';

/** A removal that was asked for somewhere: the entries that would lead nowhere are shown before main asks. */
export function Removal() {
  const server = useIntegration(useView((state) => state.removing));
  return server && <Removing key={server.id} server={server} />;
}

function Removing({ server: { id, name } }: { readonly server: IntegrationView }) {
  const remove = async (entries: string[]): Promise<void> => {
    const result = await postern.integration.remove({ ids: [id], entries });
    endRemoval();
    if (!result.ok) return flash(result.error.message);
    const { view } = useView.getState();
    if (result.value && view.name === 'integration' && view.id === id) show({ name: 'home' });
  };
  const { begin, dialog, error } = useBeforeLeaving({ integrations: [id] }, name, remove, endRemoval);
  useEffect(() => void begin(), [id]);
  useEffect(() => {
    if (!error) return;
    flash(error.message);
    endRemoval();
  }, [error]);
  return dialog;
}
