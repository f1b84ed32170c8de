import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../../../../main/mcp/messages/message-body.ts';
import { PendingRequests, MessageOutlet } from '../../../../../main/mcp/messages/message-outlet.ts';

async function readAll(outlet: MessageOutlet): Promise<string[]> {
  const read: string[] = [];
  for await (const data of readEvents(outlet.body.getReader(), {})) read.push(data.toString('utf8'));
  return read;
}

test.prop([fc.array(fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => text.replaceAll('\r', '')))])(
  'delivers each message unchanged, including line breaks',
  async (texts) => {
    const messages = texts.filter((text) => text !== '');
    const outlet = new MessageOutlet(undefined, () => {});
    const reading = readAll(outlet);
    for (const text of messages) await outlet.put(Buffer.from(text));
    outlet.end();
    expect(await reading).toEqual(messages);
  },
);

it('accepts the next message only after the previous one was read', async () => {
  const outlet = new MessageOutlet(undefined, () => {});
  const reader = outlet.body.getReader();
  const first = outlet.put(Buffer.from('1'));
  await reader.read();
  await first;
  let isTaken = false;
  const second = outlet.put(Buffer.from('2')).then(() => (isTaken = true));
  // The rest of the first message.
  for (let part = 0; part < 2; part += 1) await reader.read();
  expect(isTaken).toBe(false);
  await Promise.all([reader.read(), second]);
});

it.each<[string, (outlet: MessageOutlet, abort: AbortController) => unknown]>([
  ['its reader cancels', (outlet) => outlet.body.cancel()],
  ['its request is aborted', (_, abort) => abort.abort()],
  ['it ends', (outlet) => outlet.end()],
  ['it ends with an error', (outlet) => outlet.end(new Error('broken'))],
])('releases waiting writers once %s, and reports it once', async (_, leave) => {
  const abort = new AbortController();
  let ends = 0;
  const outlet = new MessageOutlet(abort.signal, () => (ends += 1));
  const waiting = outlet.put(Buffer.from('never read'));
  await leave(outlet, abort);
  await waiting;
  await outlet.put(Buffer.from('later'));
  outlet.end();
  expect(ends).toBe(1);
});

describe('a message that is not a response', () => {
  const outlet = (): MessageOutlet => new MessageOutlet(undefined, () => {});
  const message = (body: object): Buffer => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...body }));
  const progress = (progressToken: unknown): Buffer =>
    message({ method: 'notifications/progress', params: { progressToken, progress: 1 } });

  it('goes to its request if it is progress, otherwise to the listener or the latest request', () => {
    const pending = new PendingRequests();
    const outlets = ['"a"', '2', '3'].map((id) => {
      const own = outlet();
      const params = id === '3' ? {} : { _meta: { progressToken: id === '2' ? 7 : 'seven' } };
      pending.add({ id, outlet: own, isHandshake: false }, message({ id: 1, method: 'tools/call', params }));
      return own;
    });
    const listener = outlet();
    for (const listening of [undefined, listener]) {
      expect(pending.outletOf(progress('seven'), listening)).toBe(outlets[0]);
      expect(pending.outletOf(progress(7), listening)).toBe(outlets[1]);
      const others = [progress('7'), message({ method: 'notifications/message', params: { data: 'x' } })];
      for (const other of others) expect(pending.outletOf(other, listening)).toBe(listening ?? outlets[2]);
    }
    pending.take('2');
    expect(pending.outletOf(progress(7), listener)).toBe(listener);
  });
});
