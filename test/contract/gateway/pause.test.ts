import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { startResource } from '../../support/demo-pair.ts';
import { openHttpDoor, someSecret } from '../../support/http-door.ts';
import { openProgram, shakeHands } from '../../support/line-program.ts';
import { serveGateway } from '../../support/served-gateway.ts';
import { createTestEngine } from '../../support/test-engine.ts';

/** Programs that the person has paused. */

const { secretHash, authorization } = someSecret();
const whoami = { name: 'whoami', arguments: {} };

async function start() {
  const mcp = await startResource(undefined);
  const engine = createTestEngine();
  const { integration } = await engine.connect(mcp.url, { local: true });
  const [{ alias = '' } = {}] = await engine.ports.store.list();
  const served = await serveGateway(engine);
  const program = await served.allow(integration, { secretHash });
  return {
    mcp,
    served,
    alias,
    open: () => openProgram(served.socket, { server: integration.id, program }),
    async pause(programsPaused: boolean) {
      await engine.ports.store.updateSettings((settings) => ({ ...settings, programsPaused }));
      await served.gateway.changed();
    },
  };
}

it('refuses every call with what helps, asks the server nothing, and goes on after it in the same session', async () => {
  const { mcp, open, pause } = await start();
  const program = open();
  await shakeHands(program);
  await program.ask(1, 'tools/list');
  await pause(true);
  const before = mcp.requests.length;
  const refused = JSON.stringify(await program.ask(2, 'tools/call', whoami));
  expect(refused).toContain('"code":"GATEWAY_PAUSED"');
  // A service has no window to do it in.
  expect(refused).toContain('postern settings programsPaused false');
  expect(await program.ask(3, 'resources/read', { uri: 'x:y' })).toHaveProperty('error.data.code', 'GATEWAY_PAUSED');
  expect(await program.ask(4, 'tools/list')).toHaveProperty('result.tools');
  expect(mcp.requests).toHaveLength(before);
  await pause(false);
  // It was told what the server did not say.
  await program.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(JSON.stringify(await program.ask(5, 'tools/call', whoami))).toContain('You are ');
});

it('answers a program that starts meanwhile with what is known of the server', async () => {
  const { open, pause } = await start();
  const first = open();
  await shakeHands(first);
  await first.ask(1, 'tools/list');
  await pause(true);
  const second = open();
  expect(await shakeHands(second)).toHaveProperty('result.serverInfo');
  expect(await second.ask(1, 'tools/list')).toHaveProperty('result.tools');
  expect(JSON.stringify(await second.ask(2, 'tools/call', whoami))).toContain('GATEWAY_PAUSED');
  await pause(false);
  expect(JSON.stringify(await second.ask(3, 'tools/call', whoami))).toContain('You are ');
});

it('refuses programs that come by HTTP too', async () => {
  const { mcp, served, alias, pause } = await start();
  const { port } = await openHttpDoor(served);
  const client = new Client({ name: 'a program', version: '1' });
  const requestInit = { headers: { authorization } };
  const url = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  await client.listTools();
  await pause(true);
  const calls = (): number => mcp.requests.filter(({ body }) => JSON.stringify(body)?.includes('tools/call')).length;
  const before = calls();
  expect(JSON.stringify(await client.callTool(whoami))).toContain('GATEWAY_PAUSED');
  expect(calls()).toBe(before);
  await pause(false);
  expect(JSON.stringify(await client.callTool(whoami))).toContain('You are ');
});
