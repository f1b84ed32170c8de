import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { surveyJson } from '../../../../main/mcp/survey-json.ts';

const survey = (text: string) => surveyJson(Buffer.from(text));

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}

describe('surveyJson', () => {
  test.prop([fc.jsonValue(), fc.oneof(fc.integer(), fc.string()), fc.boolean()])(
    'counts no fewer values than there are, and finds the id wherever it stands',
    (value, id, isFirst) => {
      const result = { result: value, 'i"d': 1, nested: { id: 'other', method: 'x' } };
      const message = isFirst ? { id, ...result } : { ...result, id };
      const { nodes, id: found, hasMethod } = survey(JSON.stringify(message, undefined, isFirst ? 2 : 0));
      expect(nodes).toBeGreaterThanOrEqual(countValues(message));
      expect(nodes).toBeLessThanOrEqual(countValues(message) * 2);
      expect({ found: JSON.parse(found ?? 'null'), hasMethod }).toEqual({ found: id, hasMethod: false });
    },
  );

  it.each([
    ['{"method":"x"}', true],
    ['{"a":"method","b":"\\"method\\":"}', false],
    ['[{"method":"x"}]', false],
  ])('tells of %s whether it is a request', (text, hasMethod) => {
    expect(survey(text).hasMethod).toBe(hasMethod);
  });

  it('makes nothing of a long id', () => {
    expect(survey(`{"id":"${'x'.repeat(1_000)}"}`).id).toBeUndefined();
  });
});
