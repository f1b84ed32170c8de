import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { isAmbiguous } from '../../../../../main/gateway/capabilities/ambiguous-message.ts';
import {
  truncateResponse,
  resultWithoutTools,
  withoutTools,
} from '../../../../../main/gateway/capabilities/filter-tools.ts';
import { mcpListing } from '../../../../../main/limits.ts';

const hide = async (text: string, ...names: unknown[]): Promise<string> =>
  (await withoutTools(Buffer.from(text), ({ name }) => names.includes(name))).toString('utf8');

it('removes hidden tools and keeps every other byte', async () => {
  const [a, b, c] = ['{ "name" : "a", "x": 1.50 }', '{"name":"b","n":{"tools":[{"name":"a"}]}}', '{"name":"c"}'];
  const list = (...tools: string[]): string => `{"result": {"tools": [ ${tools.join(' ,\n ')} ], "x": 9e99},"id":1}`;
  expect(await hide(list(a, b, c), 'a')).toBe(list(b, c));
  expect(await hide(list(a, b, c), 'b')).toBe(list(a, c));
  expect(await hide(list(a, b, c), 'c')).toBe(list(a, b));
  expect(await hide(list(a, b, c), 'b', 'c')).toBe(list(a));
  expect(JSON.parse(await hide(list(a, b, c), 'a', 'b', 'c'))).toMatchObject({ result: { tools: [] } });
  expect(await hide(list(a, b, c), 'd')).toBe(list(a, b, c));
});

it.each([
  '{"result":{"tools":[{"name":"b"}],"tools":[{"name":"a"},{"name":"b"}]}}',
  '{"result":{"tools":[]},"result":{"tools":[{"name":"b"},{"name":"a"}]}}',
  '{"result":{"tools":[1,{"name":"b"},"b",[{"name":"b"}]]}}',
  String.raw`{"result":{"\u0074ools":[{"n\u0061me":"b"},{"name":"a"}]}}`,
  '{"result":{"tools":[{"name":"a","name":"b"}]}}',
])('leaves no hidden tool in %s, whichever duplicate member counts', async (text) => {
  const left = await hide(text, 'b');
  expect(left).not.toMatch(/\{"n(?:a|\\u0061)me":"b"\}(?!\])/u);
  expect(JSON.parse(left)).toBeDefined();
  const { result } = JSON.parse(left) as { result: { tools: unknown[] } };
  expect(result.tools).not.toContainEqual({ name: 'b' });
});

test.prop([
  fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), more: fc.jsonValue() }), { maxLength: 8 }),
  fc.subarray(['a', 'b', 'c']),
])('agrees with filtering the parsed list', async (tools, hidden) => {
  const text = JSON.stringify({ id: 1, result: { tools, nextCursor: 'x' } }, undefined, 1);
  const left = JSON.parse(await hide(text, ...hidden)) as { result: { tools: unknown } };
  expect(left).toEqual(
    JSON.parse(
      JSON.stringify({
        id: 1,
        result: { tools: tools.filter(({ name }) => !hidden.includes(name)), nextCursor: 'x' },
      }),
    ),
  );
});

test.prop([fc.json()])('does not call a message without duplicates ambiguous, except for capital letters', (text) => {
  const plain = JSON.stringify(JSON.parse(text));
  fc.pre(!/"[^"]*[A-Z][^"]*":/u.test(plain));
  expect(isAmbiguous(Buffer.from(plain))).toBe(false);
});

const responseTo = (result: string) => {
  const message = readEnvelope(Buffer.from(`{"jsonrpc":"2.0","result":${result},"id":"é"}`));
  if (message.kind !== 'response') throw new Error('no response');
  return message;
};
const tiny = (count: number) => Array.from({ length: count }, (_, at) => `{"name":"t${at}"}`).join(',');
const large = (count: number) =>
  Array.from({ length: count }, () => `{"name":"t","x":"${'x'.repeat(100_000)}"}`).join(',');

it.each([
  ['entries', 'tools/list', `{"tools":[${tiny(mcpListing.entries + 1)}]}`, mcpListing.entries],
  [
    'entries of a prompt list',
    'prompts/list',
    `{"nextCursor":"x","prompts":[${tiny(mcpListing.entries + 7)}]}`,
    mcpListing.entries,
  ],
  ['bytes', 'tools/list', `{"tools":[${large(80)}]}`, 62],
  [
    'entries in the second of two lists',
    'tools/list',
    `{"tools":[{"name":"a"}],"tools":[1,${tiny(9_000)}]}`,
    mcpListing.entries,
  ],
  ['bytes of one entry', 'tools/list', `{"tools":[{"name":"${'x'.repeat(7_000_000)}"}]}`, 0],
])(
  'GW-78 cuts a list of too many %s where the command line does, and reports it',
  async (_what, method, result, count) => {
    const bounded = await truncateResponse(method, responseTo(result));
    const { result: cut } = bounded.message as { result: Record<string, unknown[]> };
    const entries = cut[method === 'tools/list' ? 'tools' : 'prompts'] ?? [];
    expect(entries).toHaveLength(count);
    expect(bounded.id).toBe('"é"');
    expect(cut).toHaveProperty('_meta', {
      'dev.postern/left-out': expect.objectContaining({ entriesPassedOn: count }),
    });
  },
);

it('leaves a list within its bounds unchanged', async () => {
  const response = responseTo(`{"tools":[${tiny(mcpListing.entries)}],"nextCursor":"x"}`);
  expect(await truncateResponse('tools/list', response)).toBe(response);
  const call = await truncateResponse('tools/call', responseTo(`{"tools":[${tiny(9_000)}]}`));
  expect(call.bytes.byteLength).toBeGreaterThan(90_000);
  expect(await resultWithoutTools(response.bytes)).toEqual({ tools: [], nextCursor: 'x' });
  expect(await resultWithoutTools(responseTo('{"tools":[1,{"name":"a"},2],"nextCursor":"x"}').bytes)).toMatchObject({
    nextCursor: 'x',
  });
});

it('GW-78 yields to other work while it filters a long list', async () => {
  let turns = 0;
  const over = new AbortController();
  const others = (async () => {
    while (!over.signal.aborted) {
      await new Promise((resolve) => void setImmediate(resolve));
      turns += 1;
    }
  })();
  const tools = Array.from({ length: 5_000 }, (_, at) => ({
    name: `t${at}`,
    more: Array.from({ length: 100 }, () => ({})),
  }));
  await hide(JSON.stringify({ id: 1, result: { tools } }), 't1');
  over.abort();
  await others;
  expect(turns).toBeGreaterThan(1);
});
