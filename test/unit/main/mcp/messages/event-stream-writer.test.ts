import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../../../../main/mcp/messages/message-body.ts';
import { SharedStreamRequests, EventStreamWriter } from '../../../../../main/mcp/messages/event-stream-writer.ts';

async function readAll(writer: EventStreamWriter): Promise<string[]> {
  const read: string[] = [];
  for await (const data of readEvents(writer.body.getReader(), {})) read.push(data.toString('utf8'));
  return read;
}

test.prop([fc.array(fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => text.replaceAll('\r', '')))])(
  'delivers each message unchanged, including line breaks',
  async (texts) => {
    const messages = texts.filter((text) => text !== '');
    const writer = new EventStreamWriter(undefined, () => {});
    const reading = readAll(writer);
    for (const text of messages) await writer.put(Buffer.from(text));
    writer.end();
    expect(await reading).toEqual(messages);
  },
);

it('accepts the next message only after the previous one was read', async () => {
  const writer = new EventStreamWriter(undefined, () => {});
  const reader = writer.body.getReader();
  const first = writer.put(Buffer.from('1'));
  await reader.read();
  await first;
  let isTaken = false;
  const second = writer.put(Buffer.from('2')).then(() => (isTaken = true));
  // The rest of the first message.
  for (let part = 0; part < 2; part += 1) await reader.read();
  expect(isTaken).toBe(false);
  await Promise.all([reader.read(), second]);
});

it.each<[string, (writer: EventStreamWriter, abort: AbortController) => unknown]>([
  ['its reader cancels', (writer) => writer.body.cancel()],
  ['its request is aborted', (_, abort) => abort.abort()],
  ['it ends', (writer) => writer.end()],
  ['it ends with an error', (writer) => writer.end(new Error('broken'))],
])('releases waiting writers once %s, and reports it once', async (_, leave) => {
  const abort = new AbortController();
  let ends = 0;
  const writer = new EventStreamWriter(abort.signal, () => (ends += 1));
  const waiting = writer.put(Buffer.from('never read'));
  await leave(writer, abort);
  await waiting;
  await writer.put(Buffer.from('later'));
  writer.end();
  expect(ends).toBe(1);
});

describe('a message that is not a response', () => {
  const writer = (): EventStreamWriter => new EventStreamWriter(undefined, () => {});
  const message = (body: object): Buffer => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...body }));
  const progress = (progressToken: unknown): Buffer =>
    message({ method: 'notifications/progress', params: { progressToken, progress: 1 } });

  it('goes to its request if it is progress, otherwise to the listener or the latest request', () => {
    const pending = new SharedStreamRequests();
    const writers = ['"a"', '2', '3'].map((id) => {
      const own = writer();
      const params = id === '3' ? {} : { _meta: { progressToken: id === '2' ? 7 : 'seven' } };
      pending.add({ id, writer: own, isHandshake: false }, message({ id: 1, method: 'tools/call', params }));
      return own;
    });
    const listener = writer();
    for (const listening of [undefined, listener]) {
      expect(pending.writerFor(progress('seven'), listening)).toBe(writers[0]);
      expect(pending.writerFor(progress(7), listening)).toBe(writers[1]);
      const others = [progress('7'), message({ method: 'notifications/message', params: { data: 'x' } })];
      for (const other of others) expect(pending.writerFor(other, listening)).toBe(listening ?? writers[2]);
    }
    pending.take('2');
    expect(pending.writerFor(progress(7), listener)).toBe(listener);
  });
});
