import { create } from 'zustand';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { postern } from '../postern.ts';
import { isCheck, useSnapshots } from '../store.ts';

export type ImportEntry = IpcOutput<'import:read'>['entries'][number];

/** The list that was pasted or dropped last, until it is dismissed: what is opened from it leads back to it. */
export const useImported = create<{ readonly entries: readonly ImportEntry[] }>()(() => ({ entries: [] }));

/** Takes the place of the list before. Its checks that found nothing go with it, since only their rows led to them. */
export function keepImported(entries: readonly ImportEntry[]): void {
  const before = useImported.getState().entries;
  for (const connection of useSnapshots.getState().connections ?? []) {
    const isOfBefore = before.some(({ id }) => id === connection.importEntry);
    if (isOfBefore && isCheck(connection)) void postern.connection.cancel({ id: connection.id });
  }
  useImported.setState({ entries });
}

/** What became of an entry: what it is connected as, or else the check or sign-in that was begun with it. */
export function useFate({ id, url }: ImportEntry): IntegrationView | ConnectionView | undefined {
  return useSnapshots(({ integrations, connections }) => {
    const address = URL.parse(url ?? '')?.href;
    const known = integrations?.find((integration) => URL.parse(integration.url)?.href === address);
    return known ?? connections?.findLast(({ importEntry }) => importEntry === id);
  });
}
