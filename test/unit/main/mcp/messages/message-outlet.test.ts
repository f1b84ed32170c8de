import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../../../../main/mcp/messages/message-body.ts';
import { AskedRequests, MessageOutlet } from '../../../../../main/mcp/messages/message-outlet.ts';

async function readAll(outlet: MessageOutlet): Promise<string[]> {
  const read: string[] = [];
  for await (const data of readEvents(outlet.body.getReader(), {})) read.push(data.toString('utf8'));
  return read;
}

test.prop([fc.array(fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => text.replaceAll('\r', '')))])(
  'gives back each message as it was put in, lines and all',
  async (texts) => {
    const messages = texts.filter((text) => text !== '');
    const outlet = new MessageOutlet(undefined, () => {});
    const reading = readAll(outlet);
    for (const text of messages) await outlet.put(Buffer.from(text));
    outlet.end();
    expect(await reading).toEqual(messages);
  },
);

it('takes the next message when the one before has been read, and not before', async () => {
  const outlet = new MessageOutlet(undefined, () => {});
  const reader = outlet.body.getReader();
  const first = outlet.put(Buffer.from('1'));
  await reader.read();
  await first;
  let isTaken = false;
  const second = outlet.put(Buffer.from('2')).then(() => (isTaken = true));
  // What is left of the first.
  for (let part = 0; part < 2; part += 1) await reader.read();
  expect(isTaken).toBe(false);
  await Promise.all([reader.read(), second]);
});

it.each<[string, (outlet: MessageOutlet, abort: AbortController) => unknown]>([
  ['its reader goes', (outlet) => outlet.body.cancel()],
  ['its request is given up', (_, abort) => abort.abort()],
  ['it ends', (outlet) => outlet.end()],
  ['it ends with an error', (outlet) => outlet.end(new Error('broken'))],
])('lets whoever puts something in go on once %s, and says so once', async (_, leave) => {
  const abort = new AbortController();
  let told = 0;
  const outlet = new MessageOutlet(abort.signal, () => (told += 1));
  const waiting = outlet.put(Buffer.from('never read'));
  await leave(outlet, abort);
  await waiting;
  await outlet.put(Buffer.from('later'));
  outlet.end();
  expect(told).toBe(1);
});

describe('a message that answers no request', () => {
  const outlet = (): MessageOutlet => new MessageOutlet(undefined, () => {});
  const message = (body: object): Buffer => Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...body }));
  const progress = (progressToken: unknown): Buffer =>
    message({ method: 'notifications/progress', params: { progressToken, progress: 1 } });

  it('goes with its request where it is progress, and else to whoever listens or asked last', () => {
    const asked = new AskedRequests();
    const outlets = ['"a"', '2', '3'].map((id) => {
      const own = outlet();
      const params = id === '3' ? {} : { _meta: { progressToken: id === '2' ? 7 : 'seven' } };
      asked.add({ id, outlet: own, isHandshake: false }, message({ id: 1, method: 'tools/call', params }));
      return own;
    });
    const listener = outlet();
    for (const listening of [undefined, listener]) {
      expect(asked.outletOf(progress('seven'), listening)).toBe(outlets[0]);
      expect(asked.outletOf(progress(7), listening)).toBe(outlets[1]);
      const others = [progress('7'), message({ method: 'notifications/message', params: { data: 'x' } })];
      for (const other of others) expect(asked.outletOf(other, listening)).toBe(listening ?? outlets[2]);
    }
    asked.take('2');
    expect(asked.outletOf(progress(7), listener)).toBe(listener);
  });
});
