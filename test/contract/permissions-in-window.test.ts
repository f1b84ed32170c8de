import { expect, it } from 'vitest';
import { createTestDesktop } from '../support/test-desktop.ts';
import { inputSchema, startRawServer } from '../support/raw-mcp-server.ts';

const tool = (name: string, more: object = {}) => ({ name, description: `It can ${name}.`, inputSchema, ...more });

async function open() {
  const tools = [tool('look'), tool('write')];
  const network = { isDown: false };
  const server = await startRawServer('session', tools, ({ response }) => {
    if (network.isDown) response.destroy();
    return network.isDown;
  });
  const desktop = await createTestDesktop();
  const { id } = (await desktop.engine.connect(server.url)).integration;
  return { desktop, id, network, turn: (...now: typeof tools) => void tools.splice(0, tools.length, ...now) };
}

it('rejects a rule for a tool that the server does not list, once all are known, and clears an existing one', async () => {
  const { desktop, id } = await open();
  const { pins } = desktop.engine.ports;
  const set = async (name: string, rule: 'deny' | null, app?: string) =>
    await desktop.call('permission:set', { id, tool: name, rule, ...(app !== undefined && { app }) });
  const [known] = (await pins.read(id))?.tools ?? [];
  await pins.change(id, () => ({ isWhole: false, tools: known ? [known] : [], changed: [] }));
  await set('not_listed_yet', 'deny');
  await desktop.call('integration:tools', { id });
  const refused = await desktop.callFailing('permission:set', { id, tool: 'lok', rule: 'deny' });
  expect(refused).toMatchObject({ code: 'TOOL_NOT_FOUND', detail: { name: 'lok' } });
  for (const again of [
    { id, tool: 'lok', rule: 'allow', app: 'cursor' },
    { id, tool: 'lok', rule: null },
    { id, tool: 'not_listed_yet', rule: null, app: 'cursor' },
  ])
    expect(await desktop.callFailing('permission:set', again)).toMatchObject({ code: 'TOOL_NOT_FOUND' });
  await set('look', 'deny');
  await set('write', 'deny', 'cursor');
  await set('not_listed_yet', null);
  expect((await desktop.engine.ports.store.read(id))?.permissions).toEqual({
    rules: [{ tool: 'look', rule: 'deny' }],
    apps: [{ app: 'cursor', rules: [{ tool: 'write', rule: 'deny' }] }],
  });
});

it('rejects a rule for an unknown app, and changes one that exists', async () => {
  const { desktop, id } = await open();
  const denied = { id, tool: 'look', rule: 'deny', app: 'no-such-app' } as const;
  expect(await desktop.callFailing('permission:set', denied)).toMatchObject({ code: 'APP_NOT_FOUND' });
  const apps = [{ app: 'no-such-app', rules: [{ tool: 'look', rule: 'allow' as const }] }];
  await desktop.engine.ports.store.update(id, (server) => ({ ...server, permissions: { apps } }));
  await desktop.call('permission:set', denied);
  expect((await desktop.engine.ports.store.read(id))?.permissions).toEqual({
    apps: [{ app: 'no-such-app', rules: [{ tool: 'look', rule: 'deny' }] }],
  });
});

it('shows tools that are gone, and forgets those that the user has reviewed', async () => {
  const { desktop, id, turn } = await open();
  turn(tool('look', { description: 'It can erase.' }));
  expect(await desktop.call('permission:changes', { id })).toMatchObject({ changed: [], gone: [] });
  const seen = await desktop.call('permission:changes', { id, live: true });
  expect(seen).toMatchObject({
    changed: [{ tool: 'look', kind: 'changed' }],
    gone: [{ name: 'write', tool: 'write' }],
  });
  const forms = seen.changed.map(({ form }) => form);
  await desktop.call('permission:accept', { id, forms, gone: seen.gone.map(({ name }) => name) });
  expect(await desktop.call('permission:changes', { id, live: true })).toMatchObject({ changed: [], gone: [] });
});

it('still shows the tools of a server that is gone, and when they were listed', async () => {
  const { desktop, id, network } = await open();
  await desktop.call('integration:tools', { id });
  network.isDown = true;
  expect(await desktop.callFailing('integration:tools', { id })).toMatchObject({ stage: 'connection' });
  const { tools, listedAt } = await desktop.call('integration:knownTools', { id });
  expect(tools).toEqual(['look', 'write'].map((name) => tool(name)));
  expect(listedAt).toBeTypeOf('number');
});
