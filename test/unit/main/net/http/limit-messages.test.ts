import { describe, expect, it } from 'vitest';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { bodyLimit } from '../../../../../main/limits.ts';
import { limitMessages } from '../../../../../main/net/http/http.ts';

const encoder = new TextEncoder();

/** How many bytes pass, and the error code. */
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
/** Long but finite, so that a missing limit fails the test and does not exhaust memory. */
function* endless(text: string): Generator<string> {
  for (let count = 0; count < 48; count += 1) yield text;
}

describe('limitMessages', () => {
  it.each([-1, 0, 1])('accepts a document up to the limit (%i bytes more)', (more) => {
    const text = 'a'.repeat(bodyLimit.mcpMessage + more);
    expect(take([text], false)).toMatchObject({ code: more > 0 ? 'RESULT_TOO_LARGE' : 'none' });
  });

  it('lets no more through than the limit (MD-01)', () => {
    const { length, code } = take(endless(mebibyte), false);
    expect(code).toBe('RESULT_TOO_LARGE');
    expect(length).toBeLessThanOrEqual(bodyLimit.mcpMessage);
  });

  it.each(['\n\n', '\r\n\r\n', '\r\r', '\n\r\n'])(
    'limits each event of a stream separately, with events ended by %j',
    (end) => {
      expect(take(repeated(`data: ${mebibyte}${end}`, 20), true)).toMatchObject({ code: 'none' });
    },
  );

  it('limits the whole stream as well', () => {
    const events = repeated(`data: ${mebibyte}\n\n`, bodyLimit.mcpStream / mebibyte.length);
    expect(take(events, true)).toMatchObject({ code: 'RESULT_TOO_LARGE' });
  });

  it('detects the end of an event that is split across chunks', () => {
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
    ['of many CRLF lines', '\r\n'],
  ])('rejects an endless event %s', (_what, end) => {
    expect(take(endless(`data: ${mebibyte}${end}`), true)).toMatchObject({
      code: 'RESULT_TOO_LARGE',
    });
  });
});
