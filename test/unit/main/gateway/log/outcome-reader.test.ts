import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../../../main/gateway/log/call-log.ts';
import { OutcomeReader } from '../../../../../main/gateway/log/note-answer.ts';
import { readEnvelope } from '../../../../../main/gateway/messages/envelope.ts';

/** How an answer is read that comes in pieces of `size` bytes. */
function read(text: string, { method = 'tools/call', isStream = false, size = Infinity } = {}) {
  const reader = new OutcomeReader(method, { isStream });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.byteLength; at += size) reader.add(bytes.subarray(at, at + size));
  return { outcome: reader.end(), bytes: reader.bytes };
}

const answer = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
const long = 'x'.repeat(100_000);
const content = [{ type: 'text', text: `${long} "isError":true \\` }];

describe('how a call over HTTP went', () => {
  it.each([
    ['ok', answer({ content })],
    ['ok', answer({ content, isError: false })],
    ['ok', answer({ content, structuredContent: { isError: true, error: { code: 1 } } })],
    ['ok', `{"isError":true,"error_":{},"result":{"a":[{"isError":true}],"text":${JSON.stringify(long)}}}`],
    ['ok', '{"result":{"isError":true,"isError":false}}'],
    ['toolError', answer({ isError: true, content })],
    ['toolError', answer({ content, isError: true })],
    ['toolError', ` { "result" : { "content":${JSON.stringify(content)},\n "\\u0069sError" : true } } `],
    ['-32602', JSON.stringify({ id: 1, error: { code: -32_602, message: 'no', data: long } })],
    ['-32602', JSON.stringify({ id: 1, error: { data: { code: 7, long }, message: 'no', code: -32_602 } })],
    ['MCP_FAILED', JSON.stringify({ id: 1, error: { code: 'x', message: long } })],
    ['MCP_FAILED', JSON.stringify({ id: 1, error: long })],
    ['ok', JSON.stringify({ error: null, id: 1, result: { content } })],
    ['ok', JSON.stringify({ id: 1, result: { content }, error: null })],
    [undefined, answer({ content }).slice(0, -1)],
    [undefined, `<html>${long}</html>`],
    [undefined, JSON.stringify([{ result: {} }])],
    [undefined, JSON.stringify({ method: 'notifications/progress', params: { result: {}, error: {} } })],
  ])('is %s, wherever that stands and however it comes: %#', (outcome, text) => {
    for (const size of [Infinity, 1, 7, 16_384]) expect(read(text, { size }).outcome).toBe(outcome);
    for (const end of ['\n\n', '\r\n\r\n', '\r\r']) {
      const progress = 'event: message\ndata: {"method":"notifications/progress","params":{}}\n\n: data\n\n';
      const line = text.replaceAll('\n', end === '\n\n' ? '\ndata: ' : ' ');
      const stream = `${progress.replaceAll('\n', end.slice(0, end.length / 2))}id: 1\ndata:${line}`;
      for (const size of [Infinity, 1, 7, 16_384])
        expect(read(stream + end, { isStream: true, size }).outcome).toBe(outcome);
    }
  });

  it('says the same of any other request, but never that a tool failed', () => {
    expect(read(answer({ isError: true }), { method: 'prompts/get' }).outcome).toBe('ok');
    expect(read(answer({ content }))).toMatchObject({ bytes: Buffer.byteLength(answer({ content })) });
  });

  it('is not told by an event that breaks off', () => {
    expect(read(`data: ${answer({})}\n`, { isStream: true }).outcome).toBeUndefined();
  });

  it('is what the whole of the answer says', () => {
    const name = fc.constantFrom('isError', 'code', 'result', 'error', 'a"b\\', 'é');
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(true, -32_602, 1.5));
    const inner = fc.oneof(fc.dictionary(name, value), value);
    const message = fc.record({ jsonrpc: fc.constant('2.0'), id: fc.constant(1), result: inner }).chain((plain) =>
      fc.oneof(
        fc.constant(plain),
        inner.map((error) => ({ jsonrpc: '2.0', id: 1, error })),
      ),
    );
    const space = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(message, space, fc.integer({ min: 1, max: 40 }), (each, indent, size) => {
        const text = JSON.stringify(each, undefined, indent);
        const envelope = readEnvelope(Buffer.from(text));
        const expected = envelope.kind === 'answer' ? outcomeOf('tools/call', envelope) : undefined;
        expect(read(text, { size }).outcome).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});
