import { expect, it } from 'vitest';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import type { AnswerEnvelope } from '../../../../../main/gateway/messages/envelope.ts';
import { repairedAnswer } from '../../../../../main/gateway/server/repaired-answer.ts';

function answerOf(result: string): AnswerEnvelope {
  const envelope = readEnvelope(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`));
  if (envelope.kind !== 'answer') throw new Error(envelope.kind);
  return envelope;
}

async function repaired(result: string, method = 'tools/call') {
  const answer = answerOf(result);
  const unusable: unknown[] = [];
  const given = await repairedAnswer({ method, params: {} }, answer, (part) => unusable.push(part));
  return { given, isAsItCame: given === answer, unusable };
}

const letters = 'x'.repeat(200_000);
const picture = Buffer.alloc(150_000, 7).toString('base64');

it('builds nothing of a long text to see that it is sound', async () => {
  const text = 'y'.repeat(15_000_000);
  const answer = answerOf(`{"content":[{"type":"text","text":"${text}"}],"structuredContent":{"text":"${text}"}}`);
  const before = process.memoryUsage();
  const given = await repairedAnswer({ method: 'tools/call', params: {} }, answer, () => {});
  const after = process.memoryUsage();
  expect(given).toBe(answer);
  expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(8_000_000);
});

it.each([
  ['a text', `{"content":[{"type":"text","text":"${letters}"}]}`],
  ['a text with escapes', `{"content":[{"type":"text","text":"${'\\u00e9\\n\\"'.repeat(20_000)}"}]}`],
  ['a picture', `{"content":[{"type":"image","data":"${picture}","mimeType":"image/png"}]}`],
  [
    'one whose slashes have escapes',
    `{"content":[{"type":"image","data":"${'\\/9j'.repeat(40_000)}/9==","mimeType":"x"}]}`,
  ],
  ['a structure', `{"content":[],"structuredContent":{"all":"${letters}"}}`],
  ['a structure of very many values', `{"content":[],"structuredContent":{"all":[${'{},'.repeat(200_000)}{}]}}`],
])('passes on a long result with %s as it came', async (_, result) => {
  expect(await repaired(result)).toMatchObject({ isAsItCame: true, unusable: [] });
});

it.each([
  ['a picture that is none', `{"type":"image","data":"${letters}!","mimeType":"image/png"}`],
  ['one of half a byte', `{"type":"image","data":"${picture}A","mimeType":"image/png"}`],
  ['a kind that nobody knows', `{"type":"json","json":{"all":"${letters}"}}`],
  ['a type as long', `{"type":"${letters}","text":"a"}`],
])('shows a long block with %s as JSON, whole', async (_, block) => {
  const { given, unusable } = await repaired(`{"content":[${block}]}`);
  expect(given.message['result']).toMatchObject({ content: [{ type: 'text', text: block }] });
  expect(unusable).toHaveLength(1);
});

it('mends a short element beside long ones, and leaves those to the byte', async () => {
  const long = `{"type":"text","text":"${letters}","n":1.0}`;
  const { given } = await repaired(
    `{"content":[${long},null],"_meta":{"a":"${letters}"},"description":null,"structuredContent":{"s":"${letters}","n":1.0}}`,
  );
  expect(given.bytes.toString()).toBe(
    `{"jsonrpc":"2.0","id":1,"result":{"content":[${long}],"_meta":{"a":"${letters}"},"structuredContent":{"s":"${letters}","n":1.0}}}`,
  );
});

it('takes a long text for one wherever the protocol has texts', async () => {
  const wrong = `{"contents":[{"uri":"a:b","text":"a"}],"nextCursor":["${letters}"]}`;
  const { given } = await repaired(wrong, 'resources/read');
  expect(given.message['result']).toEqual({ contents: [{ uri: 'a:b', text: 'a' }] });
});
