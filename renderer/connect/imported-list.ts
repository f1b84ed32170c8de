import { create } from 'zustand';
import type { ConnectionView } from '../../shared/connection-view.ts';
import type { IntegrationView } from '../../shared/integration-view.ts';
import type { IpcOutput } from '../../shared/ipc-contract.ts';
import { postern } from '../postern.ts';
import { isCheck, useSnapshots } from '../store.ts';

export type ImportedList = IpcOutput<'import:read'>;
export type ImportEntry = ImportedList['entries'][number];

/** The list that was pasted or dropped last, until it is dismissed: what is opened from it leads back to it. */
export const useImported = create<ImportedList>()(() => ({ entries: [] }));

/** Takes the place of the list before. Its checks that found nothing go with it, since only their rows led to them. */
export function keepImported(list: ImportedList): void {
  const before = useImported.getState().entries;
  for (const connection of useSnapshots.getState().connections ?? []) {
    const isOfBefore = before.some(({ id }) => id === connection.importEntry);
    if (isOfBefore && isCheck(connection)) void postern.connection.cancel({ id: connection.id });
  }
  useImported.setState(list, true);
}

/** The command of an entry was connected. */
export function noteConnected(entry: string, integration: string): void {
  useImported.setState(({ entries }) => ({
    entries: entries.map((each) => (each.id === entry ? { ...each, connectedAs: integration } : each)),
  }));
}

/** What became of an entry: what it is connected as, or else the check or sign-in that was begun with it. */
export function useFate({ id, url, connectedAs }: ImportEntry): IntegrationView | ConnectionView | undefined {
  return useSnapshots(({ integrations, connections }) => {
    const address = URL.parse(url ?? '')?.href;
    const isIt = (integration: IntegrationView): boolean =>
      integration.id === connectedAs || URL.parse(integration.url)?.href === address;
    const known = integrations?.find(isIt);
    return known ?? connections?.findLast(({ importEntry }) => importEntry === id);
  });
}
