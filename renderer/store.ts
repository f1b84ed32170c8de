import { create } from 'zustand';
import type { ConnectionView } from '../shared/connection-view.ts';
import type { PosternLink } from '../shared/postern-link.ts';
import type { Snapshots } from '../shared/snapshots.ts';
import { GoneServers } from './gone-servers.ts';
import { postern } from './postern.ts';
import { forgetAllOf } from './use-kept.ts';
import { followCommand, show, useView } from './view.ts';

type Slices = Parameters<GoneServers['next']>[0];

/** What main last said, slice by slice; `undefined` until it first has. Nothing here is ever predicted. */
export const useSnapshots = create<Partial<Snapshots>>()(() => ({}));

/**
 * Listens first, then asks, so that nothing falls between; whole slices arrive in the order in which they were made.
 */
export async function mirrorMain({ onLink }: { readonly onLink: (link: PosternLink) => void }): Promise<void> {
  postern.onEvent((event) => {
    if (event.event === 'command') followCommand(event);
    else if (event.event === 'link') onLink(event.link);
    else if (event.event === 'snapshot') {
      forgetGoneConnections(event.slices);
      useSnapshots.setState(Object.fromEntries(Object.entries(event.slices).filter(([, slice]) => slice)));
      forgetGoneServers(event.slices);
    }
  });
  const answer = await postern.app.snapshots();
  if (!answer.ok) return;
  useSnapshots.setState(answer.value);
  forgetGoneServers(answer.value);
  // A check that is not over has no other place than the connect page.
  if (checkOf(answer.value) && useView.getState().view.name === 'home') show({ name: 'connect' });
}

/** What was typed for a connection goes with it. */
function forgetGoneConnections(next: Slices): void {
  if (!next.connections) return;
  const left = new Set(next.connections.map(({ id }) => id));
  for (const { id } of useSnapshots.getState().connections ?? []) if (!left.has(id)) forgetAllOf(id);
}

export const goneServers = new GoneServers();

/** The same for a server, once it is gone for good: not while the list cannot be read, or a removal can be undone. */
function forgetGoneServers(next: Slices): void {
  for (const id of goneServers.next(next)) forgetAllOf(id);
}

export const useIntegration = (id: string | undefined) =>
  useSnapshots((state) => state.integrations?.find((integration) => integration.id === id));

/** A check of an address that has no verdict so far, or ended without one. It is in no list: the connect page has it. */
export const isCheck = ({ kind, verdict, state }: ConnectionView): boolean =>
  kind === 'connect' && !verdict && state.name !== 'integrated';

/** A check that found nothing, or was stopped. */
export const isFailedCheck = (connection: ConnectionView): boolean => {
  const { state } = connection;
  return isCheck(connection) && (state.name === 'failed' || (state.name === 'urlEntered' && Boolean(state.cancelled)));
};

/** The check that was begun last; those of an imported list are in that list. */
export const checkOf = ({ connections }: Partial<Snapshots>): ConnectionView | undefined =>
  connections?.findLast((connection) => isCheck(connection) && connection.importEntry === undefined);

export const useCheck = () => useSnapshots(checkOf);

export const useConnection = (id: string | undefined) =>
  useSnapshots((state) => state.connections?.find((connection) => connection.id === id));
