import type { PendingRequest } from './pending-request.ts';
import type { SessionPorts } from './session-ports.ts';

type ForwardPorts = Pick<SessionPorts, 'parameterHeaders' | 'permits' | 'send' | 'upstream'>;

/** What may be called has changed between the yes and the moment of leaving. */
class ChangedMeanwhile extends Error {}

/** Sends a request to the server; once more where that missed header fields. Errors: PosternError. */
export async function forwardRequest(pending: PendingRequest, ports: ForwardPorts): Promise<void> {
  while (!(await hasLeft(pending, ports, false)));
  if (pending.wantsHeaders && pending.isOpen) while (!(await hasLeft(pending, ports, true)));
}

/** False: it is to be judged again. Errors: PosternError. */
async function hasLeft(
  pending: PendingRequest,
  { parameterHeaders, permits, send, upstream }: ForwardPorts,
  isAgain: boolean,
): Promise<boolean> {
  const { request, signal, isGoingOn } = pending;
  const isChanged = permits.sinceNow();
  // The same call has been let through once.
  if (!isAgain) await permits.admit(request, { signal, isGoingOn, tell: (notification) => void send(notification) });
  if (signal.aborted) return true;
  const headers = await parameterHeaders(request, isAgain);
  const onLeaving = (): void => {
    if (isChanged()) throw new ChangedMeanwhile();
    pending.hasLeft = true;
  };
  try {
    await upstream.request(request, { signal, headers, onLeaving });
    return true;
  } catch (error) {
    if (!(error instanceof ChangedMeanwhile)) throw error;
    return false;
  }
}
