import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { onOneLine, readEnvelope, withId } from '../../../../../main/gateway/messages/envelope.ts';
import { idKey } from '../../../../../main/mcp/messages/message-headers.ts';

const read = (text: string) => readEnvelope(Buffer.from(text));

/** JSON text of a value in one of two equivalent spellings. */
const spelled = (value: unknown, spaces: boolean): string =>
  JSON.stringify(value, undefined, spaces ? 2 : undefined).replaceAll('"id":', () =>
    spaces ? String.raw`"\u0069d" :` : '"id":',
  );

const id = fc.oneof(fc.string(), fc.integer(), fc.maxSafeInteger());

describe('readEnvelope', () => {
  test.prop([fc.jsonValue(), id, fc.string(), fc.boolean()])(
    'finds the ID and method that JSON.parse finds',
    (inner, of, method, spaces) => {
      const message = { before: [inner, { id: 5, method: 'x' }], id: of, method, params: { inner, id: 'no' } };
      const envelope = read(spelled(message, spaces));
      expect(envelope).toMatchObject({ kind: 'request', method });
      if (envelope.kind !== 'request') return;
      expect(JSON.parse(envelope.id)).toEqual(of);
      expect(idKey(envelope.id)).toBe(String(of));
      const other = readEnvelope(withId(envelope, '"postern:1"'));
      expect(other.kind === 'request' && { ...JSON.parse(other.bytes.toString()), id: 0 }).toEqual({
        ...JSON.parse(envelope.bytes.toString()),
        id: 0,
      });
    },
  );

  test.prop([fc.uint8Array({ maxLength: 400 })])('classifies any bytes', (bytes) => {
    const envelope = readEnvelope(Buffer.from(bytes));
    let isJson = true;
    try {
      JSON.parse(Buffer.from(bytes).toString());
    } catch {
      isJson = false;
    }
    expect(envelope.kind === 'unusable' && envelope.reason === 'not-json').toBe(!isJson);
  });

  it.for([
    ['{"jsonrpc":"2.0","method":"a"}', 'notification'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 'response'],
    ['{"jsonrpc":"2.0","id":null,"error":{}}', 'response'],
    ['{"jsonrpc":"2.0","id":null,"method":"a"}', 'unusable'],
    ['{"jsonrpc":"2.0","id":{},"method":"a"}', 'unusable'],
    ['{"jsonrpc":"2.0","id":1,"method":5}', 'unusable'],
    ['[]', 'unusable'],
    ['5', 'unusable'],
  ] as const)('classifies %s as %s', ([text, kind]) => {
    expect(read(text).kind).toBe(kind);
  });

  it('preserves IDs with more digits than a number holds', () => {
    expect(read('{"id":98765432109876543210,"method":"a"}')).toMatchObject({ id: '98765432109876543210' });
  });

  it('joins several lines into one and changes nothing else', () => {
    expect(onOneLine(Buffer.from('{\r\n"a":"\\n"}')).toString()).toBe('{  "a":"\\n"}');
  });
});

describe('the params of a long message', () => {
  const many = `[${'{},'.repeat(500)}{}]`;
  it.each([
    ['short members beside a long one', `{"name":"a","arguments":${many},"_meta":{"x":1}}`],
    ['names with escapes', `{"n\\u0061me":"a","a\\"b":${many}}`],
    ['a name twice', `{"name":"a","arguments":${many},"name":"b","arguments":{"c":${many}}}`],
    ['the prototype of objects', `{"__proto__":{"name":"a"},"constructor":${many}}`],
    [
      'more members than are located one by one',
      `{${Array.from({ length: 100 }, (_, at) => `"m${at}":[{}]`).join(',')}}`,
    ],
    ['a list', `[${many}]`],
    ['nothing', 'null'],
    ['a long name', `{"${'n'.repeat(300)}":1,"arguments":${many}}`],
    [
      'short members that are long in total',
      `{${Array.from({ length: 60 }, (_, at) => `"m${at}":"${'x'.repeat(900)}"`).join(',')},"a":${many}}`,
    ],
  ])('are those that JSON.parse finds: %s', (_what, params) => {
    const text = `{"jsonrpc":"2.0","params":${many},"id":1,"method":"tools/c\\u0061ll","params":${params},"more":${many}}`;
    const message = readEnvelope(Buffer.from(text));
    const parsed = (JSON.parse(text) as { params: unknown }).params;
    const found = message.kind === 'request' ? message.params : undefined;
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    expect(JSON.stringify(found)).toBe(JSON.stringify(isObject ? parsed : {}));
    expect(message).toMatchObject({ kind: 'request', method: 'tools/call' });
  });

  it('are not built until they are read', () => {
    const message = readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${many}}}`));
    const params = message.kind === 'request' ? message.params : {};
    expect(params['a']).toEqual(JSON.parse(many));
    expect(params['a']).not.toBe(params['a']);
  });
});
