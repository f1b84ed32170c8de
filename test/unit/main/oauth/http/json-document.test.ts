import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { PosternError } from '../../../../../main/errors/postern-error.ts';
import { jsonLimit } from '../../../../../main/limits.ts';
import { isJsonType, readJsonDocument, readMessage } from '../../../../../main/oauth/http/json-document.ts';
import type { HttpResponse } from '../../../../../main/ports.ts';

function responseWith(body: string | Uint8Array, contentType: string | null = 'application/json'): HttpResponse {
  return {
    status: 200,
    headers: new Headers(contentType === null ? {} : { 'content-type': contentType }),
    url: 'https://mcp.example/',
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  };
}

const read = (body: string | Uint8Array, contentType?: string | null) =>
  readJsonDocument(responseWith(body, contentType), { stage: 'discovery' });

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof PosternError) return error.code;
    throw error;
  }
  return 'none';
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const object = (keys: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 0])));

describe('readJsonDocument', () => {
  it.each([
    ['application/json', 'none'],
    ['Application/JSON; charset=UTF-8', 'none'],
    ['application/json;charset="utf-8"', 'none'],
    ['application/problem+json', 'none'],
    ['application/json, application/json', 'none'],
    ['application/json; charset=utf-16', 'none'],
    ['text/plain', 'none'],
    ['text/html', 'none'],
    [null, 'none'],
  ])('reads JSON under the content type %s', (contentType, code) => {
    expect(codeOf(() => read('{}', contentType))).toBe(code);
  });

  it.each([
    ['text/html', '<!doctype html>', 'CONTENT_TYPE'],
    ['application/json', '\n <html>', 'CONTENT_TYPE'],
    ['text/plain', '<?xml version="1.0"?>', 'CONTENT_TYPE'],
    ['text/html', 'Please sign in', 'CONTENT_TYPE'],
    ['text/plain', 'Please sign in', 'JSON_INVALID'],
  ])('recognizes a page sent as %s: %j (RFC 8414 section 3.2, MD-11)', (contentType, text, code) => {
    expect(codeOf(() => read(text, contentType))).toBe(code);
  });

  it.each([
    ['an empty body', '', 'JSON_INVALID'],
    ['a truncated document', '{"issuer":"https://as.exa', 'JSON_INVALID'],
    ['two byte-order marks', '\u{feff}\u{feff}{}', 'JSON_INVALID'],
    ['UTF-16', Uint8Array.from([0x7b, 0, 0x7d, 0]), 'JSON_INVALID'],
    ['invalid UTF-8', Uint8Array.from([0x22, 0xc3, 0x28, 0x22]), 'JSON_INVALID'],
    ['a surrogate in UTF-8', Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'JSON_INVALID'],
    ['an escaped lone high surrogate', '{"issuer":"\\ud800"}', 'SCHEMA_INVALID'],
    ['an escaped lone low surrogate', '{"issuer":"\\udc00"}', 'SCHEMA_INVALID'],
    ['a high surrogate followed by something else', '["\\ud83dx"]', 'SCHEMA_INVALID'],
    ['an escaped NUL', '{"issuer":"a\\u0000b"}', 'SCHEMA_INVALID'],
    ['a bad escape', '["\\uzzzz"]', 'JSON_INVALID'],
    ['the name __proto__', '{"__proto__":{"issuer":"x"}}', 'SCHEMA_INVALID'],
    ['the name __proto__ escaped', '{"a":{"__pr\\u006fto__":1}}', 'SCHEMA_INVALID'],
  ])('refuses %s (RFC 8259 section 8, MD-12)', (_, body, code) => {
    expect(codeOf(() => read(body))).toBe(code);
  });

  it.each([
    ['that occurs twice', '{"issuer":"a","issuer":"b"}'],
    ['that occurs twice, once escaped', '{"issuer":"a","\\u0069ssuer":"b"}'],
    ['that occurs again in another case', '{"token_endpoint":"a","Token_Endpoint":"b"}'],
    ['that occurs twice around a nested object', '{"issuer":"a","x":{"y":[{}]},"issuer":"b"}'],
    ['that occurs twice inside', '{"x":{"issuer":"a","issuer":"b"}}'],
  ])('refuses a name %s (MD-08)', (_, body) => {
    expect(codeOf(() => read(body))).toBe('JSON_DUPLICATE_KEY');
  });

  it('accepts equal names in different objects, and values that look like names', () => {
    expect(read('{"a":{"issuer":1},"b":{"issuer":1,"ISSUER":2},"c":["a","a"],"d":"a"}')).toEqual({
      a: { issuer: 1 },
      b: { issuer: 1, ISSUER: 2 },
      c: ['a', 'a'],
      d: 'a',
    });
  });

  it.each([
    [jsonLimit.depth - 1, 'none'],
    [jsonLimit.depth, 'none'],
    [jsonLimit.depth + 1, 'JSON_DEPTH'],
    [5_000, 'JSON_DEPTH'],
  ])('limits the depth: %i levels give %s (MD-07)', (depth, code) => {
    expect(codeOf(() => read(nested(depth)))).toBe(code);
  });

  it('stops at the limit in a text of millions of open brackets (MD-07)', () => {
    expect(codeOf(() => read('['.repeat(5_000_000)))).toBe('JSON_DEPTH');
  });

  it.each([
    [jsonLimit.keys - 1, 'none'],
    [jsonLimit.keys, 'none'],
    [jsonLimit.keys + 1, 'SCHEMA_INVALID'],
  ])('limits the number of names: %i give %s', (keys, code) => {
    expect(codeOf(() => read(object(keys)))).toBe(code);
  });

  it.each([
    [jsonLimit.text - 1, 'none'],
    [jsonLimit.text, 'none'],
    [jsonLimit.text + 1, 'SCHEMA_INVALID'],
  ])('limits a name: %i characters give %s', (length, code) => {
    expect(codeOf(() => read(JSON.stringify({ ['k'.repeat(length)]: 0 })))).toBe(code);
    expect(codeOf(() => read(`{"${'\\u006b'.repeat(length)}":0}`))).toBe(code);
    expect(codeOf(() => read(JSON.stringify(['a'.repeat(length)])))).toBe('none');
  });

  it('keeps server text out of the error', () => {
    const caught = (() => {
      try {
        return read('{"canary-7f3a');
      } catch (error) {
        return error;
      }
    })();
    expect(caught).toMatchObject({ code: 'JSON_INVALID', stage: 'discovery' });
    expect((caught as Error).cause).toBeUndefined();
    expect(String(caught)).not.toContain('canary');
  });

  property.prop([fc.json({ maxDepth: 6 })])('reads what JSON.parse reads', (body) => {
    const expected: unknown = JSON.parse(body);
    let actual: unknown;
    try {
      actual = read(body);
    } catch (error) {
      // Refused on purpose: top-level names that differ only in case, __proto__, NUL and lone surrogates.
      expect(['JSON_DUPLICATE_KEY', 'SCHEMA_INVALID']).toContain((error as PosternError).code);
      return;
    }
    expect(actual).toEqual(expected);
  });

  property.prop([fc.uint8Array({ maxLength: 200 })])('returns a value or a typed error for any bytes', (bytes) => {
    codeOf(() => read(bytes));
  });

  property.prop([fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0d8a1 ') })])(
    'rejects everything that JSON.parse rejects',
    (text) => {
      if (codeOf(() => read(text)) === 'none') expect(() => JSON.parse(text) as unknown).not.toThrow();
    },
  );
});

describe('readMessage', () => {
  it('names the wrong member, never its value', () => {
    const schema = z.object({ issuer: z.string() });
    const error = (() => {
      try {
        return readMessage(schema, { issuer: { canary: 1 } }, 'discovery');
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toMatchObject({ code: 'SCHEMA_INVALID', stage: 'discovery', detail: { field: 'issuer' } });
    expect(codeOf(() => readMessage(schema, [], 'token'))).toBe('SCHEMA_INVALID');
  });
});

describe('isJsonType', () => {
  it.each([
    ['application/json', true],
    ['Application/JSON ; Charset="UTF-8"', true],
    ['application/problem+json', true],
    ['application/json; charset=utf-16', false],
    ['text/json', false],
    ['application/xml', false],
    ['application/+json', false],
    [null, false],
  ])('for %s is %s (RFC 6839 section 3.1)', (contentType, expected) => {
    expect(isJsonType(contentType)).toBe(expected);
  });
});
