import { useEffect } from 'react';
import { postern } from '../postern.ts';
import { useSnapshots } from '../store.ts';
import { showConnected, useView } from '../view.ts';

/** Tickets that were handed in: each may be spent once (spec 2.10), and effects may run twice. */
const spent = new Set<string>();

/** Finishes every sign-in whose ticket main has handed out, whatever is being looked at. */
export function useFinishInstalls(): void {
  const connections = useSnapshots((state) => state.connections);
  useEffect(() => {
    for (const { id, ticketId, state } of connections ?? []) {
      if (state.name !== 'ticketIssued' || ticketId === undefined || spent.has(ticketId)) continue;
      spent.add(ticketId);
      void finish(id, ticketId);
    }
  }, [connections]);
  useShowIntegrated();
}

async function finish(connectionId: string, ticketId: string): Promise<void> {
  const result = await postern.connection.install({ ticketId });
  const { view } = useView.getState();
  if (result.ok && view.name === 'connect' && view.connectionId === connectionId) {
    showConnected(result.value.integrationId);
  }
}

/** A connection that has become an integration gives way to its page. */
function useShowIntegrated(): void {
  const connections = useSnapshots((state) => state.connections);
  const view = useView((state) => state.view);
  useEffect(() => {
    for (const { id, state, error } of connections ?? []) {
      if (state.name !== 'integrated') continue;
      if (view.name === 'connect' && view.connectionId === id) showConnected(state.integrationId);
      if (error === undefined) void postern.connection.cancel({ id });
    }
  }, [connections, view]);
}
