import type { IpcOutput } from '../shared/ipc-contract.ts';
import { postern } from './postern.ts';
import { goneServers } from './store.ts';

/** Asks main to remove them. What was typed for them stays until that cannot be undone any more. */
export async function removeServers(ids: string[], entries: string[]) {
  goneServers.ask(ids);
  const result = await postern.integration.remove({ ids, entries });
  const answer: IpcOutput<'integration:remove'> = result.ok ? result.value : null;
  goneServers.answer(ids, answer !== null);
  return result;
}
