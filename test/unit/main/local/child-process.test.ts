import { fc, test } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { MultilineObject } from '../../../../main/local/child-process.ts';

const linesOf = (value: object): readonly string[] => JSON.stringify(value, undefined, 1).split('\n');
const whole = (lines: readonly string[], limit = 10_000_000) => {
  const spread = new MultilineObject(limit);
  const taken = lines.map((line) => spread.feed(Buffer.from(line)));
  return {
    objects: taken.flatMap(({ object: each }) => (each ? [JSON.parse(each.toString()) as unknown] : [])),
    noise: [...taken.flatMap(({ noise }) => noise), ...spread.drop()].map(String),
  };
};
const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });

test.prop([fc.array(object), fc.constantFrom([], ['{'], ['{', '"a":'], ['{ "a": [', '1,'])])(
  'joins the lines of every object, whatever incomplete object precedes it',
  (objects, before) => {
    const written = objects.map((each) => JSON.parse(JSON.stringify(each)) as object);
    const taken = whole([...written.flatMap((each) => linesOf(each)), 'no JSON', ...before, 'no JSON']);
    expect(taken.objects).toEqual(written);
    expect(taken.noise).toEqual(['no JSON', ...before, 'no JSON']);
  },
);

it('buffers no more than its limit', () => {
  const lines = linesOf({ one: 1, end: 'x'.repeat(100) });
  expect(whole(lines, 100)).toEqual({ objects: [], noise: lines });
});
