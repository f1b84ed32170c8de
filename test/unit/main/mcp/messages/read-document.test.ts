import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readDocument } from '../../../../../main/mcp/messages/message-body.ts';
import { collectGarbage } from '../../../../support/collect-garbage.ts';

/** A body of these pieces that stays open until `end` is called. */
function bodyOf(pieces: readonly string[]) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = pieces[at];
      at += 1;
      if (piece !== undefined) return controller.enqueue(Buffer.from(piece));
      await promise;
      controller.close();
    },
  });
  return { body, end: resolve };
}

it('stops at the Content-Length if the reader asks for it', async () => {
  const { body } = bodyOf(['{"a":', '1}']);
  const read = await readDocument(new Response(body, { headers: { 'content-length': '7' } }), { endsAtLength: true });
  expect(read.toString()).toBe('{"a":1}');
});

it.for([undefined, '0', '7', 'seven'])(
  'waits for the end of the body otherwise, with a Content-Length of %s',
  async (length) => {
    const { body, end } = bodyOf(['{"a":', '1}']);
    const headers: Record<string, string> = length === undefined ? {} : { 'content-length': length };
    let isOver = false;
    const reading = readDocument(new Response(body, { headers }), { endsAtLength: length !== '7' });
    void reading.then(() => (isOver = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(false);
    end();
    expect((await reading).toString()).toBe('{"a":1}');
  },
);

it('collects a long body in one buffer, without copying it once more when it is complete', async () => {
  const [size, count] = [65_536, 260];
  let at = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at % 16 === 0) collectGarbage();
        at += 1;
        if (at <= count) controller.enqueue(Buffer.alloc(size, 'x'));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const read = await readDocument(new Response(body));
  const held = process.memoryUsage().arrayBuffers - before;
  expect(read.byteLength).toBe(count * size);
  expect(held).toBeLessThan(1.3 * read.byteLength);
});

it.each([
  [[1_048_577], 1],
  [[3, 1_048_574, 1, 5_000_000, 2_000, 7], 3],
  [[2_047, 2_048, 524_288, 524_288, 1, 1_048_576], 2],
  [Array.from({ length: 700 }, (_, at) => 1 + ((at * 7_919) % 9_001)), 4],
])('keeps pieces of any size in order: %#', async (sizes, first) => {
  const all = Buffer.from(Array.from({ length: sizes.reduce((sum, size) => sum + size, 0) }, (_, at) => at * first));
  let at = 0;
  const pieces = sizes.map((size) => all.subarray(at, (at += size)));
  const read = await readDocument(new Response(Readable.toWeb(Readable.from(pieces)) as BodyInit));
  expect(read.equals(all)).toBe(true);
});
