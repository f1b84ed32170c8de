import { expect, it } from 'vitest';
import { readDocument } from '../../../../../main/mcp/messages/message-body.ts';

/** A body of these pieces, whose end comes when it is told. */
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

it('waits for no end of an answer that has said how long it is, where its reader wants that', async () => {
  const { body } = bodyOf(['{"a":', '1}']);
  const read = await readDocument(new Response(body, { headers: { 'content-length': '7' } }), { endsAtLength: true });
  expect(read.toString()).toBe('{"a":1}');
});

it.for([undefined, '0', '7', 'seven'])('waits for the end otherwise, with a length of %s', async (length) => {
  const { body, end } = bodyOf(['{"a":', '1}']);
  const headers: Record<string, string> = length === undefined ? {} : { 'content-length': length };
  let isOver = false;
  const reading = readDocument(new Response(body, { headers }), { endsAtLength: length !== '7' });
  void reading.then(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  end();
  expect((await reading).toString()).toBe('{"a":1}');
});
