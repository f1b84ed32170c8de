import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import type { Settings } from '../../../shared/settings.ts';
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
  const change = async (chosen: Settings): Promise<void> => {
    await engine.ports.store.updateSettings((settings) => ({ ...settings, ...chosen }));
    await served.gateway.changed();
  };
  return {
    mcp,
    change,
    served,
    alias,
    open: () => openProgram(served.socket, { server: integration.id, program }),
    async openOther() {
      const other = await served.allow(integration, { program: 'zed', name: 'Zed' });
      return openProgram(served.socket, { server: integration.id, program: other });
    },
    pause: async (programsPaused: boolean) => await change({ programsPaused }),
    pauseOnly: async (...pausedPrograms: string[]) => await change({ pausedPrograms }),
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

it('pauses one program alone, names it, and lets it go on in the same session', async () => {
  const { mcp, open, openOther, pauseOnly } = await start();
  const [program, other] = [open(), await openOther()];
  for (const each of [program, other]) {
    await shakeHands(each);
    await each.ask(1, 'tools/list');
  }
  await pauseOnly('cursor', 'windsurf');
  const before = mcp.requests.length;
  const refused = JSON.stringify(await program.ask(2, 'tools/call', whoami));
  expect(refused).toContain('"isError":true');
  expect(refused).toContain('"code":"PROGRAM_PAUSED"');
  expect(refused).toContain('Cursor');
  // Of a service without a window; the other one stays as it is.
  expect(refused).toContain('postern settings pausedPrograms windsurf');
  expect(await program.ask(3, 'resources/read', { uri: 'x:y' })).toHaveProperty('error.data.code', 'PROGRAM_PAUSED');
  expect(await program.ask(4, 'tools/list')).toHaveProperty('result.tools');
  expect(mcp.requests).toHaveLength(before);
  expect(JSON.stringify(await other.ask(2, 'tools/call', whoami))).toContain('You are ');
  await pauseOnly();
  await program.line(({ method }) => method === 'notifications/tools/list_changed');
  expect(JSON.stringify(await program.ask(5, 'tools/call', whoami))).toContain('You are ');
});

it.each([
  ['all programs', 'GATEWAY_PAUSED', (yes: boolean): Settings => ({ programsPaused: yes })],
  ['it alone', 'PROGRAM_PAUSED', (yes: boolean): Settings => ({ pausedPrograms: yes ? ['cursor'] : [] })],
])('refuses a program that comes by HTTP too: %s', async (_who, code, paused) => {
  const { mcp, served, alias, change } = await start();
  const { port } = await openHttpDoor(served);
  const client = new Client({ name: 'a program', version: '1' });
  const requestInit = { headers: { authorization } };
  const url = new URL(`http://127.0.0.1:${port}/mcp/${alias}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  onTestFinished(() => client.close());
  await client.listTools();
  await change(paused(true));
  const calls = (): number => mcp.requests.filter(({ body }) => JSON.stringify(body)?.includes('tools/call')).length;
  const before = calls();
  expect(JSON.stringify(await client.callTool(whoami))).toContain(code);
  expect(calls()).toBe(before);
  await change(paused(false));
  expect(JSON.stringify(await client.callTool(whoami))).toContain('You are ');
});
