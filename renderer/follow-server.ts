import type { IpcInput } from '../shared/ipc-contract.ts';
import type { Occasion } from '../shared/ipc-event.ts';
import { postern } from './postern.ts';

/**
 * Follows what a server says has changed, for as long as the window can be seen. `read` is called once it is followed,
 * and whenever it is, or may be, another one. Answers how to end it.
 */
export function followServer(
  id: string,
  of: IpcInput<'integration:follow'>['of'],
  read: (occasion: Occasion) => void,
): () => void {
  let call: string | undefined;
  let hasFollowed = false;
  const stop = (): void => {
    if (call !== undefined) void postern.integration.stopCall({ call });
    call = undefined;
  };
  const review = (): void => {
    if (document.visibilityState === 'hidden') return stop();
    if (call !== undefined) return;
    call = crypto.randomUUID();
    void postern.integration.follow({ id, call, of });
  };
  const unlisten = postern.onEvent((event) => {
    if (event.event !== 'changed' || event.call !== call) return;
    read(hasFollowed && event.occasion === 'first' ? 'again' : event.occasion);
    hasFollowed = true;
  });
  document.addEventListener('visibilitychange', review);
  review();
  return () => {
    document.removeEventListener('visibilitychange', review);
    unlisten();
    stop();
  };
}
