import { fc, test } from '@fast-check/vitest';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { surveyInSlices, surveyJson } from '../../../../../main/mcp/messages/survey-json.ts';

/** Longer than one slice. */
const long = 70_000;

const survey = (text: string) => surveyJson(Buffer.from(text));

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countValues(member), 1);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('surveyJson', () => {
  test.prop([fc.jsonValue(), fc.oneof(fc.integer(), fc.string()), fc.boolean()])(
    'counts at least all values, and finds the ID anywhere',
    (value, id, isFirst) => {
      const result = { result: value, 'i"d': 1, nested: { id: 'other', method: 'x' } };
      const message = isFirst ? { id, ...result } : { ...result, id };
      const { nodes, id: found, hasMethod } = survey(JSON.stringify(message, undefined, isFirst ? 2 : 0));
      expect(nodes).toBeGreaterThanOrEqual(countValues(message));
      expect(nodes).toBeLessThanOrEqual(countValues(message) * 2);
      expect({ found: JSON.parse(found ?? 'null'), hasMethod }).toEqual({ found: id, hasMethod: false });
    },
  );

  test.prop([fc.jsonValue(), fc.string(), fc.nat(200)])('finds the same in slices', async (value, id, cut) => {
    const text = JSON.stringify({
      params: { long: 'x'.repeat(long), all: Array(long).fill(7), value },
      id,
      method: 'm',
    });
    for (const each of [text, text.slice(0, -cut), `${text}${text}`]) {
      const bytes = Buffer.from(each);
      await surveyInSlices(bytes);
      expect(surveyJson(bytes)).toEqual(survey(each));
    }
  });

  it('yields to the event loop', async () => {
    let turns = 0;
    const over = new AbortController();
    const counting = (async () => {
      for (; !over.signal.aborted; turns += 1) await setImmediate();
    })();
    await surveyInSlices(Buffer.from('['.repeat(4_000_000)));
    over.abort();
    await counting;
    expect(turns).toBeGreaterThan(2);
  });

  it.each([
    ['{"method":"x"}', true],
    ['{"a":"method","b":"\\"method\\":"}', false],
    ['[{"method":"x"}]', false],
  ])('detects whether %s is a request', (text, hasMethod) => {
    expect(survey(text).hasMethod).toBe(hasMethod);
  });

  it('treats a null error or method as absent', () => {
    expect(survey('{"id":1,"result":{},"error" : null,"method":null}')).toMatchObject({
      hasResult: true,
      hasError: false,
      hasMethod: false,
    });
    // Whichever of the two a server reads, a forwarded response must never look like a request.
    expect(survey('{"id":1,"method":"tools/call","method":null,"result":{}}').hasMethod).toBe(true);
  });

  const jsonText = fc.oneof(
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify(value, undefined, 2)),
  );
  const pieces = [
    ...'{}[],:"\\ \n\t\r\u0000\u00e90123456789.eE+-',
    'true',
    'nul',
    '\\u00',
    '\\n',
    '\ufeff',
    '"a"',
    '[]',
  ];

  test.prop([jsonText, fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom(...pieces)), { maxLength: 3 })], {
    numRuns: 2_000,
  })('accepts as JSON what JSON.parse accepts', (text, edits) => {
    const edited = edits.reduce((before, [at, removed, added]) => {
      const place = at % (before.length + 1);
      return before.slice(0, place) + added + before.slice(place + removed);
    }, text);
    expect(survey(edited).isJson, edited).toBe(parses(edited));
  });

  it.each([
    ...['', ' ', 'true', 'nul', 'nulll', '-', '-0', '01', '1.', '.5', '1e', '1E+5', '-1.50e-07', '1 2', '\ufeff1'],
    ...['"', '"\\"', '"\\u12g4"', '"\\u1234"', '"\\x"', '"\t"', '"\u007f\u2028"', '"abcd\\"', '"abcdefgh\n"', "'a'"],
    ...[
      '[',
      ']',
      '[]]',
      '[,]',
      '[1,]',
      '[1 2]',
      '[1,2]',
      '{"a"}',
      '{"a":}',
      '{"a":1,}',
      '{,}',
      '{1:1}',
      '{"a":1 "b":2}',
    ],
    ...['{"a":1,"b":[{}]}', '[}', '{]', '{"a":[1}]', '"a":1', '1:1', '1,1', '[]{}', 'true false', '[truefalse]'],
    '[1\u00a0]',
  ])('detects whether %j is JSON', (text) => {
    expect(survey(text).isJson).toBe(parses(text));
  });

  it('judges every byte at every position in a string like JSON.parse', () => {
    const wrong: unknown[] = [];
    for (let byte = 0; byte < 256; byte += 1) {
      for (let before = 0; before < 9; before += 1) {
        for (let after = 0; after < 9; after += 1) {
          const text = `"${'\u00ff'.repeat(before)}${String.fromCharCode(byte)}${'n'.repeat(after)}"`;
          if (surveyJson(Buffer.from(text, 'latin1')).isJson !== parses(text)) wrong.push([byte, before, after]);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    ['{"result":{"isError":true}}', true],
    ['{"result":{"is\\u0045rror" : true}}', true],
    ['{"result":{"isError":true,"isError":false}}', false],
    ['{"result":{"isError":true},"result":{}}', false],
    ['{"result":{"isError":"true","a":true}}', false],
    ['{"result":{"isError":{"a":true},"b":[true]}}', false],
    ['{"result":{"a":{"isError":true}}}', false],
    ['{"error":{"isError":true}}', false],
  ])('detects whether a tool failed in %s', (text, isToolError) => {
    expect(survey(text)).toMatchObject({ isJson: true, isToolError });
  });

  it('ignores an overlong ID', () => {
    expect(survey(`{"id":"${'x'.repeat(1_000)}"}`).id).toBeUndefined();
  });
});
