import { expect, it } from 'vitest';
import { handshakeResult, startHttpWire } from '../../support/http-wire.ts';
import { sendJson } from '../../support/wire-server.ts';
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
  const session = server.came.findLast(({ method }) => method === 'POST')?.headers['mcp-session-id'];
  await served.close();
  expect(
    server.came.filter(({ method, headers }) => method === 'DELETE' && headers['mcp-session-id'] === session),
  ).toHaveLength(1);
});

it('does not begin again what a program has ended while the handshake was slow', async () => {
  const { wire, begin } = await startHttpWire();
  const held: WireRequest[] = [];
  wire.before = (request) => {
    if (request.message.method === 'initialize') held.push(request);
    return request.message.method === 'initialize';
  };
  const { end } = await begin();
  expect((await end()).status).toBe(200);
  const deleted = Promise.withResolvers<unknown>();
  wire.before = ({ method, headers }) => {
    if (method === 'DELETE') deleted.resolve(headers['mcp-session-id']);
    return false;
  };
  held[0]?.response.setHeader('mcp-session-id', 'late');
  if (held[0]) sendJson(held[0], { result: handshakeResult });
  expect(await deleted.promise).toBe('late');
  expect((await end()).status).toBe(404);
});
