import { expect, it } from 'vitest';
import { passOn } from '../../../../../main/gateway/http/http-answers.ts';

const answerOf = (body: string, type: string, length = Buffer.byteLength(body)) =>
  new Response(body, { headers: { 'content-type': type, 'content-length': String(length) } });

it('hands a short answer on whole', async () => {
  const { status, headers, body } = await passOn(answerOf('{"é":1}', 'application/json'));
  expect({ status, headers }).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json', 'content-length': '8' },
  });
  expect(Buffer.from(body as Uint8Array).toString()).toBe('{"é":1}');
});

it('hands a long one on as it comes, and says how long it is', async () => {
  const text = `"${'x'.repeat(100_000)}"`;
  const { headers, body } = await passOn(answerOf(text, 'application/json'));
  expect(headers).toMatchObject({ 'content-length': '100002' });
  expect(body).toBeInstanceOf(ReadableStream);
  expect(await new Response(body as ReadableStream).text()).toBe(text);
});

it('hands a stream on as it comes, of whatever length', async () => {
  const { body } = await passOn(answerOf('data: {}\n\n', 'text/event-stream'));
  expect(body).toBeInstanceOf(ReadableStream);
});

it('hands nothing on that is no message', async () => {
  expect(await passOn(answerOf('<html></html>', 'text/html'))).toEqual({ status: 200, headers: {}, body: undefined });
});
