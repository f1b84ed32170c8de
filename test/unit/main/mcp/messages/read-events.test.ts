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
    ['several lines as one string', 'data: a\ndata:b\ndata\ndata:  c\n\n', ['a\nb\n\n c']],
    ['comments and unknown fields as nothing', ': x\n\nnothing: y\ndata: a\n: z\n\n', ['a']],
    ['a leading byte-order mark', '\ufeffdata: a\n\ndata: \ufeffb\n\n', ['a', '\ufeffb']],
    ['only message events', 'event: other\ndata: a\n\nevent: message\ndata: b\n\ndata: c\n\n', ['b', 'c']],
    ['no unfinished event', 'data: a\n\ndata: b\n', ['a']],
    [
      'a complete response at the end of the stream',
      'data: a\n\ndata: {"id":1,"result":{}}',
      ['a', '{"id":1,"result":{}}'],
    ],
    ['a complete response after its last line', 'data: {"id":1,\ndata: "error":{}}\n', ['{"id":1,\n"error":{}}']],
    ['no truncated response', 'data: {"id":1,"result":{}\n', []],
    ['no unfinished request', 'data: {"id":1,"method":"ping"}\n', []],
    [
      'messages in an event with another name',
      'event: response\ndata: {"id":1,"result":{}}\n\nevent: answer\ndata: {"id":2,"error":{}}\n',
      ['{"id":1,"result":{}}', '{"id":2,"error":{}}'],
    ],
    ['nothing else in an event with another name', 'event: other\ndata: {"rows":[1]}\n\n', []],
    [
      'each message in an event with several',
      'data: {"id":1,"result":{}}\ndata: {"id":2,"error":{}}\n\n',
      ['{"id":1,"result":{}}', '{"id":2,"error":{}}'],
    ],
    [
      'a message between other text',
      'data: x {}\ndata: {"id":1,\ndata: "result":{"a":"}{"}} [DONE]\n\n',
      ['{"id":1,\n"result":{"a":"}{"}}'],
    ],
    [
      'no truncated text after a message',
      'data: {"id":1,"result":{}}\ndata: {"id":2,"re\n\n',
      ['{"id":1,"result":{}}'],
    ],
    ['multi-byte characters', 'data: “€”\n\n', ['“€”']],
  ])('reads %s, however the stream is split', async (_, text, expected) => {
    for (const length of [1, 2, 3, 7, 1_000]) expect((await read(text, length)).events).toEqual(expected);
  });

  it('remembers event ID and retry delay, even of an event without data (MCP 2025-11-25, resumability)', async () => {
    const { events, position } = await read('id: 1\nretry: 25\ndata: \n\nid: 2\nretry: soon\n\nid: 3\ndata: x', 4);
    expect({ events, position }).toEqual({ events: [], position: { lastEventId: '2', retry: 25 } });
  });
});
