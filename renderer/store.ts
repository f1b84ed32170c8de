import { create } from 'zustand';
import type { Snapshots } from '../shared/snapshots.ts';
import { postern } from './postern.ts';
import { followCommand } from './view.ts';

/** What main last said, slice by slice; `undefined` until it first has. Nothing here is ever predicted. */
export const useSnapshots = create<Partial<Snapshots>>()(() => ({}));

/**
 * Listens first, then asks, so that nothing falls between; whole slices arrive in the order in which they were made.
 */
export async function mirrorMain(): Promise<void> {
  postern.onEvent((event) => {
    if (event.event === 'command') followCommand(event);
    else useSnapshots.setState(Object.fromEntries(Object.entries(event.slices).filter(([, slice]) => slice)));
  });
  const answer = await postern.app.snapshots();
  if (answer.ok) useSnapshots.setState(answer.value);
}

export const useIntegration = (id: string | undefined) =>
  useSnapshots((state) => state.integrations?.find((integration) => integration.id === id));

export const useConnection = (id: string | undefined) =>
  useSnapshots((state) => state.connections?.find((connection) => connection.id === id));
