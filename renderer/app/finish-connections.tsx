import { useEffect } from 'react';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { showConnected, useView } from '../view.ts';

/** Brings every sign-in to its end, whatever is being looked at. */
export function FinishConnections() {
  const connections = useSnapshots((state) => state.connections);
  const view = useView((state) => state.view);
  useEffect(() => {
    for (const { id, state } of connections ?? []) {
      if (state.name !== 'integrated') continue;
      if (view.name === 'connect' && view.connectionId === id) showConnected(state.integrationId);
      void postern.connection.cancel({ id });
    }
  }, [connections, view]);
  return connections?.map(
    ({ state }) => state.name === 'ticketIssued' && <HandIn key={state.ticketId} ticketId={state.ticketId} />,
  );
}

/** Shows main the ticket that it has issued to this window, once (spec 2.10); main takes it once in any case. */
function HandIn({ ticketId }: { readonly ticketId: string }) {
  useEffect(() => void postern.connection.install({ ticketId }), [ticketId]);
  return null;
}
