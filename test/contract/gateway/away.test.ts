import { expect, it } from 'vitest';
import { beginDeletions, undoDeletions } from '../../../main/engine/leave/pending-deletions.ts';
import { systemClock } from '../../../main/host/system-ports.ts';
import { gatewaySession } from '../../../main/limits.ts';
import type { Integration } from '../../../shared/integration.ts';
import { startPair } from '../../support/demo-pair.ts';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import { refreshIntegration } from '../../support/refresh-integration.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';
import { inputSchema, sendJson, startWireServer, textResult } from '../../support/wire-server.ts';

const tools = [{ name: 'add', inputSchema }];

/** A server that was used by a program once, and can be put away. */
async function startUsedServer() {
  let away: boolean | number = false;
  let isSlow = false;
  const held: (() => void)[] = [];
  const server = await startWireServer('legacy', tools, (request) => {
    if (away === true) {
      request.response.destroy();
      return true;
    }
    if (away !== false) {
      // The page of what stands in front of it.
      request.response.writeHead(away, { 'content-type': 'text/html' }).end('<html></html>');
      return true;
    }
    if (isSlow && request.message.method === 'initialize') {
      held.push(() =>
        sendJson(request, {
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { tools: {} },
            serverInfo: { name: 'wire', version: '1' },
          },
        }),
      );
      return true;
    }
    if (request.message.method !== 'tools/call') return false;
    sendJson(request, textResult('5'));
    return true;
  });
  const engine = createTestEngine();
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine);
  const program = await served.allow(integration);
  const open = () => openProgram(served.socket, { server: integration.id, program });
  const first = open();
  await shakeHands(first);
  await first.ask(1, 'tools/list');
  first.end();
  await first.closed;
  return {
    engine,
    integration,
    open,
    served,
    /** A number: the status of a proxy that answers for it. */
    putAway: (how: boolean | number) => (away = how),
    slowDown: () => (isSlow = true),
    release: () => held.splice(0).forEach((answer) => answer()),
  };
}

it('still knows a server whose removal was undone', async () => {
  const { engine, integration, served, putAway } = await startUsedServer();
  const [deletion] = await beginDeletions(engine.ports, [integration.id], 'remove');
  await served.gateway.changed();
  expect(deletion && (await undoDeletions(engine.ports, deletion.batch)).servers).toHaveLength(1);
  await served.close();
  putAway(true);
  const again = await serveGateway(engine);
  const program = await again.allow(integration);
  const handshake = await shakeHands(openProgram(again.socket, { server: integration.id, program }));
  expect(handshake).toMatchObject({ result: { serverInfo: { name: 'wire' } } });
});

it('answers handshake and list from before while the server cannot be reached, and calls with what helps', async () => {
  const { open, putAway } = await startUsedServer();
  putAway(true);
  const program = open();
  expect(await shakeHands(program)).toMatchObject({ result: { serverInfo: { name: 'wire' } } });
  expect(await program.ask(1, 'tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  const called = await program.ask(2, 'tools/call', { name: 'add', arguments: {} });
  // Members that 2026-07-28 demands of a result.
  expect(called).toMatchObject({ result: { resultType: 'complete', isError: true } });
  expect(called).toMatchObject({ result: { isError: true, _meta: { 'dev.postern/error': { stage: 'gateway' } } } });
  putAway(false);
  expect(await program.ask(3, 'tools/call', { name: 'add', arguments: {} })).toMatchObject({
    result: { content: [{ text: '5' }] },
  });
  await program.line(({ method }) => method === 'notifications/tools/list_changed');
});

it.each([502, 503, 504])(
  'answers handshake and list from before where a proxy says %i for the server',
  async (status) => {
    const { open, putAway } = await startUsedServer();
    putAway(status);
    const program = open();
    expect(await shakeHands(program)).toMatchObject({ result: { serverInfo: { name: 'wire' } } });
    expect(await program.ask(1, 'tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
    putAway(false);
    expect(await program.ask(2, 'tools/call', { name: 'add', arguments: {} })).toMatchObject({
      result: { content: [{ text: '5' }] },
    });
    await program.line(({ method }) => method === 'notifications/tools/list_changed');
  },
);

it('tells a program of the newer wire once its server is there again, after a question of its own', async () => {
  let isAway = false;
  let isWaiting = () => {};
  const seen: unknown[] = [];
  const server = await startWireServer('modern', tools, ({ message, response }) => {
    seen.push(message);
    if (!isAway) return false;
    isWaiting();
    response.destroy();
    return true;
  });
  // It looks again sooner than it would.
  const after = (wait: number, run: () => void): (() => void) =>
    systemClock.after(wait === gatewaySession.lookAgain ? 50 : wait, run);
  const engine = createTestEngine({ clock: { ...systemClock, after } });
  const { integration } = await engine.connect(server.url, { local: true });
  const served = await serveGateway(engine);
  const program = openProgram(served.socket, { server: integration.id, program: await served.allow(integration) });
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  expect(await program.ask(1, 'tools/list', { _meta })).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  isAway = true;
  expect(await program.ask(2, 'tools/list', { _meta })).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  seen.length = 0;
  // It is looked for again by itself, and is not there yet.
  await new Promise<void>((resolve) => (isWaiting = resolve));
  expect(program.lines).toHaveLength(2);
  isAway = false;
  await program.line(({ method }) => method === 'notifications/tools/list_changed');
  for (const message of seen)
    expect(message).toMatchObject({ id: expect.stringMatching(/^postern:/), method: 'tools/list', params: { _meta } });
});

it('passes on that a server has a fault of its own', async () => {
  const { open, putAway } = await startUsedServer();
  putAway(500);
  expect(await open().ask(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} })).toMatchObject({
    error: { data: { code: 'MCP_FAILED' } },
  });
});

it('does not wait for a slow server, and answers each request once', async () => {
  const { open, slowDown, release } = await startUsedServer();
  slowDown();
  const program = open();
  expect(await shakeHands(program)).toMatchObject({ id: 0, result: { serverInfo: { name: 'wire' } } });
  expect(await program.ask(1, 'tools/list')).toMatchObject({ result: { tools: [{ name: 'add' }] } });
  const call = program.ask(2, 'tools/call', { name: 'add', arguments: {} });
  release();
  expect(await call).toMatchObject({ result: { content: [{ text: '5' }] } });
  expect(program.lines.filter((line) => (JSON.parse(line) as { id?: unknown }).id === 0)).toHaveLength(1);
});

it('says at once that a sign-in is needed, and tells open sessions when it is there', async () => {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  const served = await serveGateway(engine);
  const program = openProgram(served.socket, { server: integration.id, program: await served.allow(integration) });
  await shakeHands(program);
  await program.ask(1, 'tools/list');
  await engine.ports.store.update(integration.id, (kept) => ({ ...kept, state: 'signedOut' }));
  await served.gateway.changed();
  const refused = await program.ask(2, 'tools/call', { name: 'whoami', arguments: {} });
  expect(refused).toMatchObject({
    result: { isError: true, _meta: { 'dev.postern/error': { code: 'SIGN_IN_REQUIRED' } } },
  });
  expect(JSON.stringify(refused)).toContain(integration.name);
  await engine.ports.store.update(integration.id, (kept) => ({ ...kept, state: 'integrated', signedInAt: 5 }));
  await served.gateway.changed();
  await program.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(JSON.stringify(await program.ask(3, 'tools/call', { name: 'whoami', arguments: {} }))).toContain('You are ');
});

it('says that a sign-in is needed, and not to wait, where a renewal is refused as it was not before', async () => {
  const dead = new Set<string>();
  let refuses = false;
  const { mcp } = await startPair(
    {
      intercept: ({ url }, response) => {
        if (!refuses || url !== '/token') return false;
        response.writeHead(400, { 'content-type': 'application/json' });
        response.end('{"error":"invalid_request","error_description":"refresh token is invalid"}');
        return true;
      },
    },
    { reject: (token) => dead.has(token) },
  );
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url);
  const { signal } = new AbortController();
  await refreshIntegration(engine.ports, integration, { signal });
  const served = await serveGateway(engine);
  const program = openProgram(served.socket, { server: integration.id, program: await served.allow(integration) });
  await shakeHands(program);
  await program.ask(1, 'tools/list');
  for (const { token } of mcp.requests) if (token !== undefined) dead.add(token);
  refuses = true;
  const refused = await program.ask(2, 'tools/call', { name: 'whoami', arguments: {} });
  expect(refused).toMatchObject({
    result: { isError: true, _meta: { 'dev.postern/error': { code: 'REFRESH_REFUSED' } } },
  });
  const { alias = '' } = await engine.read(integration);
  expect(JSON.stringify(refused)).toContain(`postern refresh ${alias} --sign-in browser`);
  expect(JSON.stringify(refused)).not.toMatch(/wait|later/iu);
});

it('tells nothing new as long as nobody has signed in, whatever else of the list changes', async () => {
  const { mcp } = await startPair();
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  const served = await serveGateway(engine);
  const program = openProgram(served.socket, { server: integration.id, program: await served.allow(integration) });
  await shakeHands(program);
  await program.ask(1, 'tools/list');
  const change = async (changed: Partial<Integration>) => {
    await engine.ports.store.update(integration.id, (kept) => ({ ...kept, ...changed }));
    await served.gateway.changed();
  };
  const keys = await engine.vault.keysOf(integration.id);
  const records = await Promise.all(keys.map((key) => engine.vault.read(key)));
  await engine.vault.delete(...keys);
  await change({ state: 'signedOut' });
  await program.ask(2, 'tools/call', { name: 'whoami', arguments: {} });
  await change({ state: 'reauthenticationRequired' });
  await program.ask(3, 'tools/call', { name: 'whoami', arguments: {} });
  expect(program.lines.join('\n')).not.toContain('list_changed');
  for (const [index, key] of keys.entries()) await engine.vault.write(key, records[index]);
  await change({ state: 'integrated', signedInAt: 5 });
  await program.line(({ method }) => method === 'notifications/tools/list_changed');
});
