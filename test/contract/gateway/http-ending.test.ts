import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { messagesOf, openHttpEndpoint, someSecret } from '../../support/http-endpoint.ts';
import { handshakeResult, startHttpSession } from '../../support/http-session.ts';
import { startSubscribedSession } from '../../support/subscribed-session.ts';
import { sendJson } from '../../support/raw-mcp-server.ts';
import type { RawRequest } from '../../support/raw-mcp-server.ts';

it('ends an app’s requests when it loses access, even if the server ends no session', async () => {
  const { fixture, served, startSession } = await startHttpSession();
  const held: RawRequest[] = [];
  const hungUp = Promise.withResolvers<void>();
  fixture.before = (request) => {
    const isHeld = request.message.method === 'tools/call' || request.method === 'DELETE';
    if (request.message.method === 'tools/call') request.response.once('close', hungUp.resolve);
    if (isHeld) held.push(request);
    return isHeld;
  };
  const { request } = await startSession();
  const call = request('tools/call', { name: 'add' }).catch(() => {});
  await expect.poll(() => held).toHaveLength(1);
  await served.changeRecords((records) => records.map((record) => ({ ...record, revokedAt: 1 })));
  await hungUp.promise;
  await call;
  // Both sessions are ended at the server, which does not respond.
  await expect.poll(() => held.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
  await served.close();
});

it('quits although the server does not respond to DELETE', async () => {
  const { fixture, server, served } = await startHttpSession();
  fixture.before = ({ method }) => method === 'DELETE';
  const session = server.received.findLast(({ method }) => method === 'POST')?.headers['mcp-session-id'];
  await served.close();
  expect(
    server.received.filter(({ method, headers }) => method === 'DELETE' && headers['mcp-session-id'] === session),
  ).toHaveLength(1);
});

it('does not restart what an app ended during a slow handshake', async () => {
  const { fixture, startSession } = await startHttpSession();
  const held: RawRequest[] = [];
  fixture.before = (request) => {
    if (request.message.method === 'initialize') held.push(request);
    return request.message.method === 'initialize';
  };
  const { end } = await startSession();
  expect((await end()).status).toBe(200);
  const deleted = Promise.withResolvers<unknown>();
  fixture.before = ({ method, headers }) => {
    if (method === 'DELETE') deleted.resolve(headers['mcp-session-id']);
    return false;
  };
  held[0]?.response.setHeader('mcp-session-id', 'late');
  if (held[0]) sendJson(held[0], { result: handshakeResult });
  expect(await deleted.promise).toBe('late');
  expect((await end()).status).toBe(404);
});

describe('an HTTP call of an app that begins with `initialize`, at a stateless server', () => {
  async function startCall() {
    const { fixture, engine, integration, served } = await startSubscribedSession();
    const hungUp = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    fixture.before = ({ message, response }) => {
      if (message.method !== 'tools/call') return false;
      response.once('close', hungUp.resolve);
      came.resolve();
      return true;
    };
    const { secretHash, authorization } = someSecret();
    await served.allow(integration, { secretHash });
    const { send, port } = await openHttpEndpoint(served);
    const path = `/mcp/${(await engine.ports.store.read(integration.id))?.alias}`;
    const fields = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const text = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const { headers } = await send(fields, { path, body: text({ id: 0, method: 'initialize', params }) });
    const session = { ...fields, 'mcp-session-id': String(headers['mcp-session-id']) };
    const call = text({ id: 5, method: 'tools/call', params: { name: 'add' } });
    const notify = (method: string, more?: object) => send(session, { path, body: text({ method, params: more }) });
    await notify('notifications/initialized');
    return {
      repeatCall: () => send(session, { path, body: call }),
      notify,
      came,
      hungUp,
      fixture,
      port,
      path,
      session,
      call,
    };
  }

  it('ends at the server when the app disconnects, which may reuse its ID', async () => {
    const { repeatCall, came, hungUp, fixture, port, path, session, call } = await startCall();
    const request = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers: session });
    request.on('error', () => {}).end(call);
    await came.promise;
    request.destroy();
    await hungUp.promise;
    fixture.before = () => false;
    expect(messagesOf((await repeatCall()).text).at(-1)).toMatchObject({ id: 5, result: { content: [{ text: '5' }] } });
  });

  it('ends without a response when the app cancels it (MCP 2025-11-25, cancellation)', async () => {
    const { repeatCall, notify, came, hungUp } = await startCall();
    const response = repeatCall();
    await came.promise;
    await notify('notifications/cancelled', { requestId: 5 });
    await hungUp.promise;
    expect(await response).toMatchObject({ status: 202, text: '' });
  });
});
