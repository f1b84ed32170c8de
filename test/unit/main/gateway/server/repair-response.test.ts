import { expect, it } from 'vitest';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import type { ResponseEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { repairResponse } from '../../../../../main/gateway/server/repair-response.ts';

function responseTo(result: string): ResponseEnvelope {
  const envelope = readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`));
  if (envelope.kind !== 'response') throw new Error(envelope.kind);
  return envelope;
}

async function repaired(result: string, method = 'tools/call') {
  const response = responseTo(result);
  const unusable: unknown[] = [];
  const given = await repairResponse({ method, params: {} }, response, (part) => unusable.push(part));
  return { given, isUnchanged: given === response, unusable };
}

const letters = 'x'.repeat(200_000);
const image = Buffer.alloc(150_000, 7).toString('base64');

it('validates a long text without parsing it', async () => {
  const text = 'y'.repeat(15_000_000);
  const response = responseTo(`{"content":[{"type":"text","text":"${text}"}],"structuredContent":{"text":"${text}"}}`);
  const before = process.memoryUsage();
  const given = await repairResponse({ method: 'tools/call', params: {} }, response, () => {});
  const after = process.memoryUsage();
  expect(given).toBe(response);
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(8_000_000);
});

it.each([
  ['a text', `{"content":[{"type":"text","text":"${letters}"}]}`],
  ['a text with escapes', `{"content":[{"type":"text","text":"${'\\u00e9\\n\\"'.repeat(20_000)}"}]}`],
  ['an image', `{"content":[{"type":"image","data":"${image}","mimeType":"image/png"}]}`],
  [
    'an image with escaped slashes',
    `{"content":[{"type":"image","data":"${'\\/9j'.repeat(40_000)}/9==","mimeType":"x"}]}`,
  ],
  ['a structure', `{"content":[],"structuredContent":{"all":"${letters}"}}`],
  ['a structure of very many values', `{"content":[],"structuredContent":{"all":[${'{},'.repeat(200_000)}{}]}}`],
])('forwards a long result with %s unchanged', async (_, result) => {
  expect(await repaired(result)).toMatchObject({ isUnchanged: true, unusable: [] });
});

it.each([
  ['an invalid image', `{"type":"image","data":"${letters}!","mimeType":"image/png"}`],
  ['an image with half a byte too many', `{"type":"image","data":"${image}A","mimeType":"image/png"}`],
  ['an unknown type', `{"type":"json","json":{"all":"${letters}"}}`],
  ['an equally long type', `{"type":"${letters}","text":"a"}`],
])('shows a long block with %s whole, as JSON', async (_, block) => {
  const { given, unusable } = await repaired(`{"content":[${block}]}`);
  expect(given.message['result']).toMatchObject({ content: [{ type: 'text', text: block }] });
  expect(unusable).toHaveLength(1);
});

it('repairs a short element among long ones, and preserves those byte for byte', async () => {
  const long = `{"type":"text","text":"${letters}","n":1.0}`;
  const { given } = await repaired(
    `{"content":[${long},null],"_meta":{"a":"${letters}"},"description":null,"structuredContent":{"s":"${letters}","n":1.0}}`,
  );
  expect(given.bytes.toString()).toBe(
    `{"jsonrpc":"2.0","id":1,"result":{"content":[${long}],"_meta":{"a":"${letters}"},"structuredContent":{"s":"${letters}","n":1.0}}}`,
  );
});

it('accepts a long text wherever the protocol has a string', async () => {
  const wrong = `{"contents":[{"uri":"a:b","text":"a"}],"nextCursor":["${letters}"]}`;
  const { given } = await repaired(wrong, 'resources/read');
  expect(given.message['result']).toEqual({ contents: [{ uri: 'a:b', text: 'a' }] });
});
