import { describe, expect, it } from 'vitest';
import { bodyLimit } from '../../../../../main/limits.ts';
import { PosternError } from '../../../../../main/postern-error.ts';
import { limitMessages } from '../../../../../main/user-agent/http/limit-messages.ts';

const encoder = new TextEncoder();

/** A source that says whether it was closed early. */
function sourceOf(chunks: Iterable<string>) {
  const iterator = chunks[Symbol.iterator]();
  const seen = { cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    cancel() {
      seen.cancelled = true;
    },
  });
  return { body, seen };
}

async function read(chunks: Iterable<string>, isEventStream: boolean) {
  const { body, seen } = sourceOf(chunks);
  let length = 0;
  try {
    for await (const chunk of limitMessages(body, isEventStream, { stage: 'connection', host: 'mcp.example' }))
      length += chunk.byteLength;
    return { length, code: 'none', ...seen };
  } catch (error) {
    // The source hears of it in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    return { length, code: error instanceof PosternError ? error.code : String(error), ...seen };
  }
}

const mebibyte = 'a'.repeat(1_024 * 1_024);
const repeated = (text: string, times: number): string[] => Array.from({ length: times }, () => text);
/** As good as endless, so that a limit that is missing ends in a failure and not in a machine without memory. */
function* endless(text: string): Generator<string> {
  for (let count = 0; count < 48; count += 1) yield text;
}

describe('limitMessages', () => {
  it.each([-1, 0, 1])('takes a document of the limit and %i bytes, or cuts it', async (more) => {
    const text = 'a'.repeat(bodyLimit.mcpMessage + more);
    expect(await read([text], false)).toMatchObject({ code: more > 0 ? 'RESULT_TOO_LARGE' : 'none' });
  });

  it('reads no further than the limit and a chunk, and closes the connection (MD-01)', async () => {
    const { length, code, cancelled } = await read(endless(mebibyte), false);
    expect({ code, cancelled }).toEqual({ code: 'RESULT_TOO_LARGE', cancelled: true });
    expect(length).toBeLessThanOrEqual(bodyLimit.mcpMessage);
  });

  it.each(['\n\n', '\r\n\r\n', '\r\r', '\n\r\n'])(
    'bounds each event of a stream by itself, events ended by %j',
    async (end) => {
      expect(await read(repeated(`data: ${mebibyte}${end}`, 20), true)).toMatchObject({ code: 'none' });
    },
  );

  it('bounds all of a stream as well', async () => {
    const events = repeated(`data: ${mebibyte}\n\n`, bodyLimit.mcpStream / mebibyte.length);
    expect(await read(events, true)).toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });

  it('knows the end of an event whose line ends come in two chunks', async () => {
    expect(
      await read(
        repeated(`data: ${mebibyte}\r\n|\r\n`, 20).flatMap((text) => text.split('|')),
        true,
      ),
    ).toMatchObject({
      code: 'none',
    });
  });

  it.each([
    ['of one line', ''],
    ['of many lines', '\n'],
    ['of many lines ended in the other way', '\r\n'],
  ])('cuts an event without an end, %s', async (_what, end) => {
    expect(await read(endless(`data: ${mebibyte}${end}`), true)).toMatchObject({
      code: 'RESULT_TOO_LARGE',
      cancelled: true,
    });
  });
});
