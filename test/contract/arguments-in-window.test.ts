import { expect, it } from 'vitest';
import { startCapabilitiesServer } from '../support/capabilities-server.ts';
import { createTestDesktop } from '../support/test-desktop.ts';
import { sendJson, startRawServer } from '../support/raw-mcp-server.ts';

/**
 * Arguments of prompts and templates in the window, on a server of the official library (MCP 2025-11-25, completion).
 */

async function open(url: string) {
  const desktop = await createTestDesktop();
  const { integration } = await desktop.engine.connect(url);
  const { id } = integration;
  const complete = async (of: { prompt: string } | { template: string }, name: string, value: string, given = {}) =>
    (await desktop.call('integration:complete', { id, of, argument: { name, value }, given })).values;
  return { desktop, id, complete };
}

it('lists the placeholders of a template, suggests values from the server, and reads the filled template', async () => {
  const { desktop, id, complete } = await open((await startCapabilitiesServer()).url);
  const { resources } = await desktop.call('integration:resources', { id });
  const { uri = '', gaps } = resources.find(({ template }) => template) ?? {};
  expect(gaps?.map(({ name }) => name)).toEqual(['year', 'day']);
  expect(await complete({ template: uri }, 'day', 'm', { year: '2026' })).toEqual(['monday']);
  expect(await complete({ template: uri }, 'year', '')).toEqual([]);
  const values = { year: '20 26', day: 'monday' };
  expect(await desktop.call('integration:readResource', { id, call: 'a', uri, values })).toMatchObject({
    uri: 'notes://20%2026/monday',
    content: [{ text: 'monday of 20%2026' }],
  });
});

it.each([{ year: '2026' }, { year: '2026', day: 'monday', yaer: '2026' }])(
  'rejects a template with placeholders that are missing or unknown, as on a terminal: %j',
  async (values) => {
    const { desktop, id } = await open((await startCapabilitiesServer()).url);
    const { resources } = await desktop.call('integration:resources', { id });
    const { uri = '' } = resources.find(({ template }) => template) ?? {};
    const refused = await desktop.callFailing('integration:readResource', { id, call: 'a', uri, values });
    expect(refused).toMatchObject({ code: 'IPC_SCHEMA' });
  },
);

it.each([
  ['that the tool has no field for', { text: 'a', cuont: 1 }, 'Did you mean “count”?'],
  ['that are text where it wants a number', { text: 'a', count: '5' }, 'a whole number'],
])('rejects arguments %s, as on a terminal, unless the user insists', async (_, values, said) => {
  const server = await startCapabilitiesServer();
  const { desktop, id } = await open(server.url);
  const input = { id, call: 'a', name: 'echo', arguments: values };
  const refused = await desktop.callFailing('integration:callTool', input);
  expect(refused).toMatchObject({ code: 'ARGUMENTS_UNFIT', blame: 'input', remedy: { kind: 'fit-arguments' } });
  expect(refused.message).toContain(said);
  expect(server.log).not.toContain('POST tools/call');
  await desktop.call('integration:callTool', { ...input, anyField: true });
  expect(server.calls).toEqual([expect.stringContaining(JSON.stringify(values))]);
});

it('suggests values from the server for an argument of a prompt', async () => {
  const { complete } = await open((await startCapabilitiesServer()).url);
  expect(await complete({ prompt: 'plan' }, 'city', 'P')).toEqual(['Paris', 'Porto']);
  expect(await complete({ prompt: 'plan' }, 'days', '')).toEqual([]);
});

it('EL-13 suggests only values that can be shown unchanged, and drops a request when the user keeps typing', async () => {
  const values = [
    'fine',
    'a\u202eb',
    'line\nbreak',
    'x'.repeat(10_000),
    ...Array.from({ length: 96 }, (_, at) => `v${at}`),
  ];
  let isSilent = true;
  const server = await startRawServer('session', [], ({ message, response }) => {
    if (message.method === 'initialize') {
      const capabilities = { completions: {}, prompts: {} };
      const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'x', version: '1' } };
      sendJson({ message, response }, { result });
    } else if (message.method !== 'completion/complete') return false;
    else if (!isSilent) sendJson({ message, response }, { result: { completion: { values } } });
    isSilent = message.method === 'initialize';
    return true;
  });
  const { desktop, id, complete } = await open(server.url);
  const of = { prompt: 'a' };
  const first = desktop.callFailing('integration:complete', { id, of, argument: { name: 'b', value: '' }, given: {} });
  await expect.poll(() => server.methods()).toContain('completion/complete');
  let isOver = false;
  void first.then(() => (isOver = true));
  const suggested = await complete(of, 'b', 'v');
  expect(isOver).toBe(true);
  expect(await first).toMatchObject({ code: 'USER_CANCELLED' });
  expect(suggested).toEqual(['fine', ...values.slice(4)]);
  values.push('one more than MCP allows');
  expect(await complete(of, 'b', 'v')).toEqual(suggested);
});
