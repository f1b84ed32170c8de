import { create } from 'zustand';
import type { ConnectionView } from '../shared/connection-view.ts';
import type { IpcEvent } from '../shared/ipc-event.ts';
import type { Snapshots } from '../shared/snapshots.ts';
import { postern } from './postern.ts';
import { forgetAllOf } from './use-kept.ts';
import { followCommand, show, useView } from './view.ts';

/** What main last said, slice by slice; `undefined` until it first has. Nothing here is ever predicted. */
export const useSnapshots = create<Partial<Snapshots>>()(() => ({}));

/**
 * Listens first, then asks, so that nothing falls between; whole slices arrive in the order in which they were made.
 */
export async function mirrorMain(): Promise<void> {
  postern.onEvent((event) => {
    if (event.event === 'command') followCommand(event);
    else if (event.event === 'snapshot') {
      forgetGone(event.slices);
      useSnapshots.setState(Object.fromEntries(Object.entries(event.slices).filter(([, slice]) => slice)));
    }
  });
  const answer = await postern.app.snapshots();
  if (!answer.ok) return;
  useSnapshots.setState(answer.value);
  // A check that is not over has no other place than the connect page.
  if (checkOf(answer.value) && useView.getState().view.name === 'home') show({ name: 'connect' });
}

/** What was typed for a server goes with it. */
function forgetGone(next: Extract<IpcEvent, { event: 'snapshot' }>['slices']): void {
  const before = useSnapshots.getState();
  for (const slice of ['connections', 'integrations'] as const) {
    const left = new Set(next[slice]?.map(({ id }) => id));
    if (next[slice]) for (const { id } of before[slice] ?? []) if (!left.has(id)) forgetAllOf(id);
  }
}

export const useIntegration = (id: string | undefined) =>
  useSnapshots((state) => state.integrations?.find((integration) => integration.id === id));

/** A check of an address that has no verdict so far, or ended without one. It is in no list: the connect page has it. */
export const isCheck = ({ kind, verdict, state }: ConnectionView): boolean =>
  kind === 'connect' && !verdict && state.name !== 'integrated';

/** The check that was begun last; those of an imported list are in that list. */
const checkOf = ({ connections }: Partial<Snapshots>): ConnectionView | undefined =>
  connections?.findLast((connection) => isCheck(connection) && connection.importEntry === undefined);

export const useCheck = () => useSnapshots(checkOf);

export const useConnection = (id: string | undefined) =>
  useSnapshots((state) => state.connections?.find((connection) => connection.id === id));
