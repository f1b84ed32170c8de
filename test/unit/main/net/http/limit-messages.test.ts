import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { bodyLimit } from '../../../../../main/limits.ts';
import { limitMessages } from '../../../../../main/net/http/http.ts';

const encoder = new TextEncoder();

/** How much of it goes through. */
function take(chunks: Iterable<string>, isEventStream: boolean) {
  const count = limitMessages(isEventStream, { stage: 'connection', host: 'mcp.example', limits: undefined });
  let length = 0;
  try {
    for (const chunk of chunks) {
      const bytes = encoder.encode(chunk);
      count(bytes);
      length += bytes.byteLength;
    }
    return { length, code: 'none' };
  } catch (error) {
    return { length, code: error instanceof PosternError ? error.code : String(error) };
  }
}

const mebibyte = 'a'.repeat(1_024 * 1_024);
const repeated = (text: string, times: number): string[] => Array.from({ length: times }, () => text);
/** As good as endless, so that a limit that is missing ends in a failure and not in a machine without memory. */
function* endless(text: string): Generator<string> {
  for (let count = 0; count < 48; count += 1) yield text;
}

describe('limitMessages', () => {
  it.each([-1, 0, 1])('takes a document of the limit and %i bytes, or cuts it', (more) => {
    const text = 'a'.repeat(bodyLimit.mcpMessage + more);
    expect(take([text], false)).toMatchObject({ code: more > 0 ? 'RESULT_TOO_LARGE' : 'none' });
  });

  it('lets no more through than the limit (MD-01)', () => {
    const { length, code } = take(endless(mebibyte), false);
    expect(code).toBe('RESULT_TOO_LARGE');
    expect(length).toBeLessThanOrEqual(bodyLimit.mcpMessage);
  });

  it.each(['\n\n', '\r\n\r\n', '\r\r', '\n\r\n'])(
    'bounds each event of a stream by itself, events ended by %j',
    (end) => {
      expect(take(repeated(`data: ${mebibyte}${end}`, 20), true)).toMatchObject({ code: 'none' });
    },
  );

  it('bounds all of a stream as well', () => {
    const events = repeated(`data: ${mebibyte}\n\n`, bodyLimit.mcpStream / mebibyte.length);
    expect(take(events, true)).toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });

  it('knows the end of an event whose line ends come in two chunks', () => {
    expect(
      take(
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
  ])('cuts an event without an end, %s', (_what, end) => {
    expect(take(endless(`data: ${mebibyte}${end}`), true)).toMatchObject({
      code: 'RESULT_TOO_LARGE',
    });
  });
});
