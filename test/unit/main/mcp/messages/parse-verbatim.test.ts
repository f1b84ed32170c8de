import { describe, expect, it } from 'vitest';
import { parseVerbatim } from '../../../../../main/mcp/messages/exact-json.ts';

const data = '{"id":12345678901234567890,"list":[1.0,-0,1e400,2],"name":"n"}';
const message = (structure: string) =>
  `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"1.0"}],"_meta":{"score":1.0},"structuredContent":${structure}}}`;

describe('parseVerbatim', () => {
  it("preserves the notation of numbers in a tool's own data, and nowhere else", () => {
    const text = message(data);
    expect(JSON.stringify(parseVerbatim(text))).toBe(text.replace('"score":1.0', '"score":1'));
    expect(parseVerbatim(text)).toMatchObject({
      id: 1,
      result: { _meta: { score: 1 }, structuredContent: { name: 'n' } },
    });
  });

  it('preserves them in each message of a batch (MCP 2025-03-26)', () => {
    expect(JSON.stringify(parseVerbatim(`[${message(data)},{"id":1.0}]`))).toContain(data);
  });

  it.each([message('{"a":[1,-2,0.5,"x"]}'), '{"id":1.0,"result":{}}', '[1.0]', 'null'])(
    'reads %s as JSON.parse does',
    (text) => {
      expect(parseVerbatim(text)).toEqual(JSON.parse(text));
    },
  );

  it('refuses invalid JSON', () => {
    expect(() => parseVerbatim(message('{'))).toThrow(SyntaxError);
  });
});
