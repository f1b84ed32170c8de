import { describe, expect, it } from 'vitest';
import { serverAddress } from '../../main/engine/records/integration-policy.ts';
import { localConnection } from '../../main/engine/use/local-connection.ts';
import { toPlainError } from '../../main/errors/postern-error.ts';
import { connectCommand, nodeCommand, scriptWords } from '../support/local-server.ts';
import { failureOf } from '../support/prove-connection.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** Odd ways in which local servers write messages; each should be one line with its id (MCP 2025-11-25, stdio). */

const writing = (response: string): string =>
  `const write = process.stdout.write.bind(process.stdout);
   process.stdout.write = (line) => { const m = JSON.parse(line); const { id, ...rest } = m; return write(${response} + '\\n'); }`;
const pretty = `JSON.stringify(m, undefined, 2)`;
const forms: readonly (readonly [how: string, beginning: string])[] = [
  ['over several lines', writing(pretty)],
  ['over several lines with returns', writing(`${pretty}.replaceAll('\\n', '\\r\\n')`)],
  ['over several lines, after an object that never ends', writing(`'{\\n  "log": {\\n' + ${pretty}`)],
  [
    'over several lines, after one that is no message',
    writing(`JSON.stringify({ log: [1] }, undefined, 2) + '\\n' + ${pretty}`),
  ],
  ['on a line of its own, after an object that never ends', writing(`'{\\n  "log":\\n' + line.trim()`)],
  ['in a list', writing('JSON.stringify([m])')],
  ['in a list with others', writing(`JSON.stringify([null, { jsonrpc: '2.0', method: 'notifications/x' }, m])`)],
  ['without an id', writing('JSON.stringify(rest)')],
  ['with the id null', writing('JSON.stringify({ ...rest, id: null })')],
];

describe.each(forms)('a server that writes its messages %s', (_how, beginning) => {
  it.each([undefined, 'shared'] as const)('is understood (lifetime: %s)', async (lifetime) => {
    const engine = createTestEngine();
    const command = nodeCommand(scriptWords({}, beginning), lifetime && { lifetime });
    const here = await connectCommand(engine, command);
    expect(await engine.tools(here)).toEqual(['act']);
    expect(await engine.call(here, 'act')).toBe('done');
  });
});

it('assigns a response without an id to no request if two are possible', async () => {
  const engine = createTestEngine();
  const act = `(m) => {
    const calls = globalThis.calls ??= [];
    calls.push(m.id);
    if (calls.length === 2) {
      const said = (id, text) => JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }) + '\\n';
      process.stdout.write(said(undefined, 'whose') + said(calls[0], 'first') + said(calls[1], 'second'));
    }
    return null;
  }`;
  const here = await connectCommand(engine, nodeCommand(scriptWords({ 'tools/call': act }), { lifetime: 'shared' }));
  const answers = await Promise.all([engine.call(here, 'act'), engine.call(here, 'act')]);
  expect(answers.toSorted()).toEqual(['first', 'second']);
});

describe('a command that prompts before it speaks MCP', () => {
  const failing = async (script: string) => {
    const engine = createTestEngine();
    return await connectCommand(engine, nodeCommand(['-e', script])).then(
      () => undefined,
      (error: unknown) => toPlainError(error),
    );
  };

  it.each([
    ['on its standard output', `process.stdout.write('Need to install x\\nOk to proceed? (y) ')`, 'Ok to proceed? (y)'],
    ['on its standard error', `process.stderr.write('\\u001b[1mPassword for ada:\\u001b[0m ')`, 'Password for ada:'],
    [
      'in pieces',
      `process.stderr.write('Overwrite it'); setTimeout(() => process.stderr.write('? [y/N] '), 20)`,
      'Overwrite it? [y/N]',
    ],
  ])('is ended, and its prompt shown: %s', async (_where, script, message) => {
    const error = await failing(`${script}; setInterval(() => {}, 1000)`);
    expect(error).toMatchObject({ code: 'LOCAL_ASKS', retryable: false, serverWords: { message } });
    expect(error?.message).toContain('node');
  });

  it('is not assumed if it continues, or prints such a line before its messages', async () => {
    const engine = createTestEngine();
    const beginning = `process.stderr.write('Ready? '); process.stdout.write('Ok to proceed? (y)\\n')`;
    const here = await connectCommand(engine, nodeCommand(scriptWords({}, beginning)));
    expect(await engine.call(here, 'act')).toBe('done');
  });
});

it('reports the progress of a request on its stream, before its response, while another stream is open', async () => {
  const { ports } = createTestEngine();
  const act = `(m) => {
    const params = { progressToken: m.params._meta.progressToken, progress: 1 };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params }) + '\\n');
    return { content: [] };
  }`;
  const command = nodeCommand(scriptWords({ 'tools/call': act }));
  const here = await connectCommand({ ports }, command);
  const { url } = serverAddress(here);
  const { fetch, close } = localConnection(ports, () => ({ id: here.id, command }));
  const post = async (method: string, params: object, headers = {}): Promise<Response> =>
    await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: method, method, params }),
    });
  const greeted = await post('initialize', { protocolVersion: '2025-11-25', capabilities: {} });
  await greeted.text();
  const session = { 'mcp-session-id': greeted.headers.get('mcp-session-id') ?? '' };
  // Nobody reads it, so nothing that is put there is gone.
  await fetch(url, { method: 'GET', headers: session });
  const answered = await post('tools/call', { name: 'act', _meta: { progressToken: 'mine' } }, session);
  const output = await answered.text();
  expect(output.indexOf('"progressToken":"mine"')).toBeGreaterThan(-1);
  expect(output.indexOf('"result"')).toBeGreaterThan(output.indexOf('"progressToken":"mine"'));
  await close();
});

it('names a server on this computer as the user does if a call gets an error', async () => {
  const engine = createTestEngine();
  const refusing = writing(
    `JSON.stringify(m.result?.content ? { id, error: { code: -32000, message: 'no rows' } } : m)`,
  );
  const here = await connectCommand(engine, nodeCommand(scriptWords({}, refusing)), { name: 'My Rows' });
  const error = toPlainError(await failureOf(engine.call(here, 'act')));
  expect(error).toMatchObject({
    code: 'SERVER_ERROR',
    message: expect.stringMatching(/^My Rows /u),
    serverWords: { message: 'no rows' },
  });
});
