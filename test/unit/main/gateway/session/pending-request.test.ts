import { expect, it } from 'vitest';
import { CallLog } from '../../../../../main/gateway/responses/call-log.ts';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { PendingRequest } from '../../../../../main/gateway/session/pending-requests.ts';

it("waits for the server's response to compare it, even while the cached one is still being sent", async () => {
  const request = readEnvelope(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'));
  if (request.kind !== 'request') throw new Error('no request');
  const log = new CallLog(
    { activity: { add: () => {} }, clock: { now: () => 0, monotonic: () => 0 } },
    { app: 'cursor', server: { integration: { id: 'one', name: 'Notes' } } },
  );
  const sent = Promise.withResolvers<void>();
  const pending = new PendingRequest(
    request,
    {},
    log.begin(request),
    () => sent.promise,
    () => {},
  );
  const answering = pending.respondFromCache(Buffer.from('{}'));
  expect([pending.isOpen, pending.isFromCache]).toEqual([false, true]);
  pending.settle();
  sent.resolve();
  await answering;
  expect(pending.isFromCache).toBe(false);
});
