import { describe, expect, it } from 'vitest';
import { connectCommand, nodeCommand, scriptWords } from '../support/local-server.ts';
import { createTestEngine } from '../support/test-engine.ts';

/** How servers on this computer write their messages, though each should be one line with its id (MCP 2025-11-25, stdio). */

const writing = (said: string): string =>
  `const write = process.stdout.write.bind(process.stdout);
   process.stdout.write = (line) => { const m = JSON.parse(line); const { id, ...rest } = m; return write(${said} + '\\n'); }`;
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

it('gives an answer without an id to no request where two may be meant', async () => {
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
