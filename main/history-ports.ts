import type { Integration } from '../shared/integration.ts';
import type { KeptSignIn, ServerEvent, ServerHistory } from '../shared/server-history.ts';

/** What brought a change of a server's entry about, where the entry itself does not tell: its history does. */
export type ChangeCause = Pick<ServerEvent, 'kind' | 'code'>;
export type EntryChange = readonly [change: (integration: Integration) => Integration, because?: ChangeCause];

/** What happened to each server. It can be lost at any time, and is kept only of those in the list. None rejects. */
export interface HistoryStore {
  read(id: string): Promise<ServerHistory>;
  /** In the order in which they happened. */
  note(id: string, events: readonly ServerEvent[]): Promise<void>;
  keepSignIn(id: string, signIn: KeptSignIn): Promise<void>;
  forget(id: string): Promise<void>;
  /** Forgets all that are not in the list, and cannot come back. */
  sweep(): Promise<void>;
}
