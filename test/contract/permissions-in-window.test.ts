import { expect, it } from 'vitest';
import { createTestDesktop } from '../support/test-desktop.ts';
import { inputSchema, startWireServer } from '../support/wire-server.ts';

const tool = (name: string, more: object = {}) => ({ name, description: `It can ${name}.`, inputSchema, ...more });

async function open() {
  const tools = [tool('look'), tool('write')];
  const server = await startWireServer('legacy', tools, () => false);
  const desktop = await createTestDesktop();
  const { id } = (await desktop.engine.connect(server.url)).integration;
  return { desktop, id, turn: (...now: typeof tools) => void tools.splice(0, tools.length, ...now) };
}

it('refuses a rule for a tool that the server does not list, once all are known, and clears one that is set', async () => {
  const { desktop, id } = await open();
  const { pins } = desktop.engine.ports;
  const set = async (name: string, rule: 'deny' | null, program?: string) =>
    await desktop.call('permission:set', { id, tool: name, rule, ...(program !== undefined && { program }) });
  const [known] = (await pins.read(id))?.tools ?? [];
  await pins.change(id, () => ({ isWhole: false, tools: known ? [known] : [], changed: [] }));
  await set('not_listed_yet', 'deny');
  await desktop.call('integration:tools', { id });
  const refused = await desktop.refuse('permission:set', { id, tool: 'lok', rule: 'deny' });
  expect(refused).toMatchObject({ code: 'TOOL_NOT_FOUND', detail: { name: 'lok' } });
  for (const again of [
    { id, tool: 'lok', rule: 'allow', program: 'cursor' },
    { id, tool: 'lok', rule: null },
    { id, tool: 'not_listed_yet', rule: null, program: 'cursor' },
  ])
    expect(await desktop.refuse('permission:set', again)).toMatchObject({ code: 'TOOL_NOT_FOUND' });
  await set('look', 'deny');
  await set('write', 'deny', 'cursor');
  await set('not_listed_yet', null);
  expect((await desktop.engine.ports.store.read(id))?.permissions).toEqual({
    rules: [{ tool: 'look', rule: 'deny' }],
    programs: [{ program: 'cursor', rules: [{ tool: 'write', rule: 'deny' }] }],
  });
});

it('refuses a rule for an app that nobody knows, and changes one that is there', async () => {
  const { desktop, id } = await open();
  const denied = { id, tool: 'look', rule: 'deny', program: 'no-such-app' } as const;
  expect(await desktop.refuse('permission:set', denied)).toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
  const programs = [{ program: 'no-such-app', rules: [{ tool: 'look', rule: 'allow' as const }] }];
  await desktop.engine.ports.store.update(id, (server) => ({ ...server, permissions: { programs } }));
  await desktop.call('permission:set', denied);
  expect((await desktop.engine.ports.store.read(id))?.permissions).toEqual({
    programs: [{ program: 'no-such-app', rules: [{ tool: 'look', rule: 'deny' }] }],
  });
});

it('shows tools that are gone, and forgets those that the user has looked at', async () => {
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
