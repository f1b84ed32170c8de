import { expect, it } from 'vitest';
import { startHttpWire } from '../../support/http-wire.ts';
import type { WireRequest } from '../../support/wire-server.ts';

it('ends what a program has under way once it may no longer, also where the server ends no session', async () => {
  const { wire, served, begin } = await startHttpWire();
  const held: WireRequest[] = [];
  const hungUp = Promise.withResolvers<void>();
  wire.before = (request) => {
    const isHeld = request.message.method === 'tools/call' || request.method === 'DELETE';
    if (request.message.method === 'tools/call') request.response.once('close', hungUp.resolve);
    if (isHeld) held.push(request);
    return isHeld;
  };
  const { ask } = await begin();
  const call = ask('tools/call', { name: 'add' }).catch(() => {});
  await expect.poll(() => held).toHaveLength(1);
  await served.changeRecords((records) => records.map((record) => ({ ...record, revokedAt: 1 })));
  await hungUp.promise;
  await call;
  // Both sessions are ended at the server, which does not answer.
  await expect.poll(() => held.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
  await served.close();
});

it('quits though the server answers no DELETE', async () => {
  const { wire, server, served } = await startHttpWire();
  wire.before = ({ method }) => method === 'DELETE';
  await served.close();
  expect(server.came.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});
