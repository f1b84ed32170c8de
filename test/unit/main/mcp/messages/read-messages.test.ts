import { describe, expect, it } from 'vitest';
import { mcpMessage } from '../../../../../main/limits.ts';
import { readMessages } from '../../../../../main/mcp/messages/read-messages.ts';

const pending = new Map([['7', { followsProgress: false }]]);
const followed = new Map([['7', { followsProgress: true }]]);
const read = (text: string, whole?: number) => readMessages(Buffer.from(text), pending, whole);
const values = `[${'0,'.repeat(mcpMessage.nodes)}0]`;

describe('readMessages', () => {
  it('reads responses to pending requests', () => {
    expect(read('{"jsonrpc":"2.0","id":7,"result":{}}')).toHaveLength(1);
    expect(read('{"jsonrpc":"2.0","id":"7","result":{}}')).toHaveLength(1);
    expect(read('[{"jsonrpc":"2.0","id":7,"result":{}},{"jsonrpc":"2.0","id":8,"result":{}}]')).toHaveLength(1);
  });

  it('parses nothing that no request waits for', () => {
    expect(read('{"jsonrpc":"2.0","id":8,"result":{"a":no JSON}}')).toEqual([]);
    expect(read('{"jsonrpc":"2.0","method":"notifications/message","params":{"a":no JSON}}')).toEqual([]);
    const question = 'x'.repeat(mcpMessage.requestBytes);
    expect(read(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":no JSON ${question}}}`)).toEqual([
      { kind: 'beyond-bounds', id: 1 },
    ]);
  });

  it('rejects the pending request if its response has too many values, without parsing it', () => {
    const refused = [{ kind: 'refused', id: 7, code: 'RESULT_TOO_LARGE' }];
    expect(read(`{"jsonrpc":"2.0","id":7,"result":{"a":${values}}}`)).toMatchObject(refused);
    expect(read(`{"jsonrpc":"2.0","result":{"a":${values}},"id":7}`)).toMatchObject(refused);
    expect(read(values, 7)).toMatchObject(refused);
    expect(read(`{"jsonrpc":"2.0","id":8,"result":{"a":${values}}}`, 7)).toEqual([]);
  });

  it.each(['"error":{"code":-32600,"message":"x"}', '"result":{}'])(
    'accepts %s without an ID if it is the whole response (JSON-RPC 2.0, section 5)',
    (members) => {
      for (const id of ['"id":null,', '']) {
        expect(read(`{"jsonrpc":"2.0",${id}${members}}`, 7)).toMatchObject([{ message: { id: 7 } }]);
      }
    },
  );

  it.each([
    ['null data', '"error":{"code":-32050,"message":"Plan limit","data":null}'],
    ['null message', '"error":{"code":-32050,"message":null}'],
    ['a result next to it', '"error":{"code":-32050,"message":"Plan limit"},"result":null'],
    ['its code as a string', '"error":{"code":"-32050","message":"Plan limit"}'],
    ['a proprietary member', '"error":{"code":-32050,"message":"Plan limit"},"took":5'],
  ])('reads an error with %s', (_what, members) => {
    expect(read(`{"jsonrpc":"2.0","id":7,${members}}`)).toMatchObject([
      { message: { id: 7, error: { code: -32_050 } } },
    ]);
  });

  it.each([
    ['a null error', '{"jsonrpc":"2.0","id":7,"result":{"a":1},"error":null}'],
    ['null parameters and method', '{"jsonrpc":"2.0","id":7,"result":{"a":1},"method": null,"params":null}'],
    ['no version', '{"id":7,"result":{"a":1}}'],
    ['null next to it in a batch', '[null,{"jsonrpc":"2.0","id":7,"result":{"a":1,"_meta":null}},{"id":{}}]'],
  ])('reads a result with %s', (_what, text) => {
    expect(read(text)).toMatchObject([{ message: { id: 7, result: { a: 1 } } }]);
  });

  it('reads progress whose optional members are null', () => {
    const params = '{"progressToken":7,"progress":1,"total":null,"message":null,"_meta":null}';
    const progress = Buffer.from(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`);
    expect(readMessages(progress, followed)).toMatchObject([
      { message: { params: { progressToken: 7, progress: 1 } } },
    ]);
  });

  it('reads short progress notifications of a followed call', () => {
    const progress = (message: string): Buffer =>
      Buffer.from(
        `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7,"progress":1,"message":"${message}"}}`,
      );
    expect(readMessages(progress('x'), followed)).toHaveLength(1);
    expect(readMessages(progress('x'), pending)).toEqual([]);
    expect(readMessages(progress('x'.repeat(mcpMessage.progressBytes)), followed)).toEqual([]);
    const other = Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{}}');
    expect(readMessages(other, followed)).toEqual([]);
  });

  it('reads short change notifications if requested', () => {
    const changed = (text: string): Buffer =>
      Buffer.from(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:${text}"}}`);
    expect(readMessages(changed('b'), pending, undefined, { wantsChanges: true })).toHaveLength(1);
    expect(readMessages(changed('b'), pending)).toEqual([]);
    expect(
      readMessages(changed('b'.repeat(mcpMessage.progressBytes)), pending, undefined, { wantsChanges: true }),
    ).toEqual([]);
  });
});
