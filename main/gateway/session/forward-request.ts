import type { PendingRequest } from './pending-request.ts';
import type { SessionPorts } from './session-ports.ts';

/** Sends a request to the server; once more where that missed header fields. Errors: PosternError. */
export async function forwardRequest(
  pending: PendingRequest,
  {
    parameterHeaders,
    permits,
    send: sendDown,
    upstream,
  }: Pick<SessionPorts, 'parameterHeaders' | 'permits' | 'send' | 'upstream'>,
): Promise<void> {
  const { request, signal } = pending;
  const onLeaving = (): void => {
    pending.hasLeft = true;
  };
  const send = async (isAgain: boolean): Promise<void> => {
    if (signal.aborted) return;
    const headers = await parameterHeaders(request, isAgain);
    await upstream.request(request, { signal, headers, onLeaving });
  };
  await permits.admit(request, { signal, tell: (notification) => void sendDown(notification) });
  await send(false);
  if (pending.wantsHeaders && pending.isOpen) await send(true);
}
