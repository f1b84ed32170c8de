import type { KeptSignIn, ServerEvent, ServerHistory } from '../shared/server-history.ts';

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
