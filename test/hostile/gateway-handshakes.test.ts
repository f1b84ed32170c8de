import { expect, it } from 'vitest';
import { openHttpEndpoint, someSecret } from '../support/http-endpoint.ts';
import { openApp, shakeHands } from '../support/line-app.ts';
import { serveGateway } from '../support/served-gateway.ts';
import { createTestEngine } from '../support/test-engine.ts';
import { inputSchema, sendJson, startRawServer, textResult } from '../support/raw-mcp-server.ts';
import type { RawRequest } from '../support/raw-mcp-server.ts';

/** A server that an app has used, whose handshakes the test now writes; its clock runs fast. */
async function start(shakeHandsAs: (request: RawRequest) => void) {
  let isHostile = false;
  const server = await startRawServer('session', [{ name: 'look', inputSchema }], (request) => {
    const { method } = request.message;
    if (method === 'tools/call') sendJson(request, textResult('honest'));
    else if (method === 'initialize' && isHostile) shakeHandsAs(request);
    else return false;
    return true;
  });
  const engine = createTestEngine();
  const connected = await engine.connect(server.url, { local: true });
  const integration = await engine.read(connected.integration);
  const { http } = engine.ports;
  const quick = { ...http, stream: (request: Parameters<typeof http.stream>[0]) => http.stream(soon(request)) };
  const served = await serveGateway({ ...engine, ports: { ...engine.ports, http: quick } });
  const { secretHash, authorization } = someSecret();
  const app = await served.allow(integration, { secretHash });
  const door = await openHttpEndpoint(served);
  const open = () => openApp(served.socket, { server: integration.id, app });
  const first = open();
  await shakeHands(first);
  await first.request(1, 'tools/list');
  first.end();
  isHostile = true;
  return {
    server,
    open,
    ask: (message: object, session?: unknown) =>
      door.send(
        { authorization, ...(typeof session === 'string' && { 'mcp-session-id': session }) },
        { path: `/mcp/${integration.alias}`, body: JSON.stringify({ jsonrpc: '2.0', ...message }) },
      ),
  };
}

/** A second for each minute of its limit. */
const soon = <Request extends { readonly deadline: number }>(request: Request): Request => ({
  ...request,
  deadline: request.deadline / 60,
});

const initialize = { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } };
const call = { id: 2, method: 'tools/call', params: { name: 'look' } };
const refused = (code: string) => ({ result: { isError: true, _meta: { 'dev.postern/error': { code } } } });

it('a server that never answers a handshake keeps no call waiting forever (GW-25)', async () => {
  const { open, ask } = await start(() => {});
  const app = open();
  await shakeHands(app);
  // The call was not sent: it can be repeated.
  expect(await app.request(2, 'tools/call', call.params)).toMatchObject(refused('SERVER_OFFLINE'));
  const handshake = await ask(initialize);
  const { text } = await ask(call, handshake.headers['mcp-session-id']);
  expect(JSON.parse(text)).toMatchObject(refused('SERVER_OFFLINE'));
});

it.for([
  ['breaks the line', 'x\r\nEvil: 1'],
  ['is no text', 5],
  ['is 1 MB', '9'.repeat(2 ** 20)],
])(
  'a server whose revision %s is used anyway, and never gets it in a header field (GW-25)',
  async ([, protocolVersion]) => {
    const { open, ask, server } = await start((request) => {
      request.response.setHeader('mcp-session-id', 'session');
      sendJson(request, { result: { protocolVersion, capabilities: { tools: {} } } });
    });
    const before = server.received.length;
    const app = open();
    await shakeHands(app);
    expect(JSON.stringify(await app.request(2, 'tools/call', call.params))).toContain('honest');
    const handshake = await ask(initialize);
    expect((await ask(call, handshake.headers['mcp-session-id'])).text).toContain('honest');
    const fields = server.received.slice(before).map(({ headers }) => headers['mcp-protocol-version']);
    expect(new Set(fields)).toEqual(new Set([undefined]));
  },
);

it.for([
  ['breaks the line', 'x\r\nEvil: 1'],
  ['is longer than a revision', '9'.repeat(65)],
])(
  'a revision that %s, requested by an app and accepted, is never in a header field (GW-25)',
  async ([, protocolVersion = '']) => {
    const { open, server } = await start((request) => {
      sendJson(request, { result: { protocolVersion, capabilities: { tools: {} } } });
    });
    const before = server.received.length;
    const app = open();
    await app.request(0, 'initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    expect(JSON.stringify(await app.request(2, 'tools/call', call.params))).toContain('honest');
    const fields = server.received.slice(before).map(({ headers }) => headers['mcp-protocol-version']);
    expect(fields.length).toBeGreaterThan(1);
    expect(new Set(fields)).toEqual(new Set([undefined]));
  },
);
