import { describe, expect, it } from 'vitest';
import { readEvents } from '../../../../../main/mcp/messages/message-body.ts';
import type { StreamPosition } from '../../../../../main/mcp/messages/message-body.ts';

async function read(text: string, chunkLength: number) {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkLength) }, (_, index) =>
    bytes.subarray(index * chunkLength, (index + 1) * chunkLength),
  );
  const position: StreamPosition = {};
  const events: string[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  for await (const data of readEvents(body.getReader(), position)) events.push(data.toString('utf8'));
  return { events, position };
}

describe('readEvents', () => {
  it.each<[string, string, string[]]>([
    ['each line end (WHATWG HTML 9.2.6)', 'data: a\n\ndata: b\r\n\r\ndata: c\r\rdata: d\n\r\n', ['a', 'b', 'c', 'd']],
    ['several lines as one text', 'data: a\ndata:b\ndata\ndata:  c\n\n', ['a\nb\n\n c']],
    ['comments and unknown fields as nothing', ': x\n\nnothing: y\ndata: a\n: z\n\n', ['a']],
    ['a byte order mark in front', '\ufeffdata: a\n\ndata: \ufeffb\n\n', ['a', '\ufeffb']],
    ['events that are messages alone', 'event: other\ndata: a\n\nevent: message\ndata: b\n\ndata: c\n\n', ['b', 'c']],
    ['no event that has not ended', 'data: a\n\ndata: b\n', ['a']],
    [
      'a whole answer that the stream ends after',
      'data: a\n\ndata: {"id":1,"result":{}}',
      ['a', '{"id":1,"result":{}}'],
    ],
    ['a whole answer whose line alone has ended', 'data: {"id":1,\ndata: "error":{}}\n', ['{"id":1,\n"error":{}}']],
    ['no answer that broke off', 'data: {"id":1,"result":{}\n', []],
    ['no question that has not ended', 'data: {"id":1,"method":"ping"}\n', []],
    [
      'messages of an event with another name',
      'event: response\ndata: {"id":1,"result":{}}\n\nevent: answer\ndata: {"id":2,"error":{}}\n',
      ['{"id":1,"result":{}}', '{"id":2,"error":{}}'],
    ],
    ['nothing else of an event with another name', 'event: other\ndata: {"rows":[1]}\n\n', []],
    [
      'each message of an event that has several',
      'data: {"id":1,"result":{}}\ndata: {"id":2,"error":{}}\n\n',
      ['{"id":1,"result":{}}', '{"id":2,"error":{}}'],
    ],
    [
      'a message behind text, and before it',
      'data: x {}\ndata: {"id":1,\ndata: "result":{"a":"}{"}} [DONE]\n\n',
      ['{"id":1,\n"result":{"a":"}{"}}'],
    ],
    [
      'no text that broke off behind a message',
      'data: {"id":1,"result":{}}\ndata: {"id":2,"re\n\n',
      ['{"id":1,"result":{}}'],
    ],
    ['characters of several bytes', 'data: “€”\n\n', ['“€”']],
  ])('takes %s, however it comes in pieces', async (_, text, expected) => {
    for (const length of [1, 2, 3, 7, 1_000]) expect((await read(text, length)).events).toEqual(expected);
  });

  it('keeps the place and the pause, also of an event without data (MCP 2025-11-25, resumability)', async () => {
    const { events, position } = await read('id: 1\nretry: 25\ndata: \n\nid: 2\nretry: soon\n\nid: 3\ndata: x', 4);
    expect({ events, position }).toEqual({ events: [], position: { lastEventId: '2', retry: 25 } });
  });
});
