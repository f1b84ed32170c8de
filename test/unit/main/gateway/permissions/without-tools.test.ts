import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { isAmbiguous } from '../../../../../main/gateway/permissions/is-ambiguous.ts';
import { withoutTools } from '../../../../../main/gateway/permissions/without-tools.ts';

const hide = (text: string, ...names: unknown[]): string =>
  withoutTools(Buffer.from(text), ({ name }) => names.includes(name)).toString('utf8');

it('cuts out what is hidden, and leaves every other byte', () => {
  const [a, b, c] = ['{ "name" : "a", "x": 1.50 }', '{"name":"b","n":{"tools":[{"name":"a"}]}}', '{"name":"c"}'];
  const list = (...tools: string[]): string => `{"result": {"tools": [ ${tools.join(' ,\n ')} ], "x": 9e99},"id":1}`;
  expect(hide(list(a, b, c), 'a')).toBe(list(b, c));
  expect(hide(list(a, b, c), 'b')).toBe(list(a, c));
  expect(hide(list(a, b, c), 'c')).toBe(list(a, b));
  expect(hide(list(a, b, c), 'b', 'c')).toBe(list(a));
  expect(JSON.parse(hide(list(a, b, c), 'a', 'b', 'c'))).toMatchObject({ result: { tools: [] } });
  expect(hide(list(a, b, c), 'd')).toBe(list(a, b, c));
});

it.each([
  '{"result":{"tools":[{"name":"b"}],"tools":[{"name":"a"},{"name":"b"}]}}',
  '{"result":{"tools":[]},"result":{"tools":[{"name":"b"},{"name":"a"}]}}',
  '{"result":{"tools":[1,{"name":"b"},"b",[{"name":"b"}]]}}',
  String.raw`{"result":{"\u0074ools":[{"n\u0061me":"b"},{"name":"a"}]}}`,
  '{"result":{"tools":[{"name":"a","name":"b"}]}}',
])('leaves nothing of it in %s, whichever member counts', (text) => {
  const left = hide(text, 'b');
  expect(left).not.toMatch(/\{"n(?:a|\\u0061)me":"b"\}(?!\])/u);
  expect(JSON.parse(left)).toBeDefined();
  const { result } = JSON.parse(left) as { result: { tools: unknown[] } };
  expect(result.tools).not.toContainEqual({ name: 'b' });
});

test.prop([
  fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'c'), more: fc.jsonValue() }), { maxLength: 8 }),
  fc.subarray(['a', 'b', 'c']),
])('shows what a filter of the parsed list would', (tools, hidden) => {
  const text = JSON.stringify({ id: 1, result: { tools, nextCursor: 'x' } }, undefined, 1);
  const left = JSON.parse(hide(text, ...hidden)) as { result: { tools: unknown } };
  expect(left).toEqual(
    JSON.parse(
      JSON.stringify({
        id: 1,
        result: { tools: tools.filter(({ name }) => !hidden.includes(name)), nextCursor: 'x' },
      }),
    ),
  );
});

test.prop([fc.json()])('takes no message that is written once for an ambiguous one, but for capitals', (text) => {
  const plain = JSON.stringify(JSON.parse(text));
  fc.pre(!/"[^"]*[A-Z][^"]*":/u.test(plain));
  expect(isAmbiguous(Buffer.from(plain))).toBe(false);
});
