import { setImmediate as turn } from 'node:timers/promises';
import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { isAmbiguous, isAmbiguousInSlices } from '../../../../../main/gateway/capabilities/ambiguous-message.ts';
import { surveyJson } from '../../../../../main/mcp/messages/survey-json.ts';

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reference implementation: parses the whole message, which drops duplicate members. */
function isAmbiguousWhole(text: string): boolean {
  const message: unknown = JSON.parse(text);
  const nodesOf = (one: string): number => surveyJson(Buffer.from(one)).nodes;
  if (nodesOf(JSON.stringify(message)) !== nodesOf(text)) return true;
  const hasLookalike = (object: Json, known: readonly string[]): boolean => {
    const names = Object.keys(object);
    const folded = names.map((name) => name.toUpperCase().toLowerCase());
    return (
      new Set(folded).size < names.length || folded.some((name, index) => name !== names[index] && known.includes(name))
    );
  };
  if (!isObject(message)) return false;
  const { params } = message;
  return (
    hasLookalike(message, ['jsonrpc', 'id', 'method', 'params', 'result', 'error']) ||
    (isObject(params) && hasLookalike(params, ['name', 'arguments', 'task', '_meta']))
  );
}

const names = [
  'params',
  'Params',
  'name',
  'NAME',
  'arguments',
  'argument\u017f',
  'id',
  'a',
  'A',
  'b',
  '__proto__',
  String.raw`\u0061`,
];
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', '"a"', 'null', '{}', '[]'),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => `[${values.join(', ')}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 4 })
      .map((members) => `{ ${members.map(([name, text]) => `"${name}":${text}`).join(',')}}`),
  ),
}));

test.prop([value], { numRuns: 2_000 })('agrees with parsing the whole message', (text) => {
  expect(isAmbiguous(Buffer.from(text))).toBe(isAmbiguousWhole(text));
});

it.each([
  ['', false],
  [',"name":"b"', true],
  [',"NAME":"b"', true],
  [',"x":[{"y":1,"y":2}]', true],
])('checks a long message in slices and yields to other work in between: %s', async (more, expected) => {
  const all = Array.from({ length: 200_000 }, (_, at) => `"n${at}":1`).join(',');
  const bytes = Buffer.from(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"all":{${all}}}${more}}}`,
  );
  let turns = 0;
  const judging = new AbortController();
  const counting = (async () => {
    while (!judging.signal.aborted) {
      await turn();
      turns += 1;
    }
  })();
  const found = await isAmbiguousInSlices(bytes);
  judging.abort();
  await counting;
  expect(found).toBe(expected);
  expect(isAmbiguous(bytes)).toBe(expected);
  expect(turns).toBeGreaterThan(3);
});

it('leaves a short message to the check in the session', async () => {
  expect(await isAmbiguousInSlices(Buffer.from('{"a":1,"a":2}'))).toBeUndefined();
});
