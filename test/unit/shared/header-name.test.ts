import { describe, expect, it } from 'vitest';
import { isKeyHeaderName, isKeyHeaderValue, keyHeaderValue } from '../../../shared/header-name.ts';
import { integrationOptionsSchema } from '../../../shared/integration.ts';

describe('isKeyHeaderName', () => {
  it.each(['X-API-Key', 'Authorization', 'x-goog-api-key', 'DD-API-KEY', 'apikey', 'PRIVATE-TOKEN'])(
    'accepts %s',
    (name) => {
      expect(isKeyHeaderName(name)).toBe(true);
    },
  );

  it.each(['Host', 'cookie', 'Content-Length', 'content-type', 'Transfer-Encoding', 'Connection', 'Mcp-Session-Id'])(
    'rejects the reserved name %s (RFC 9110 7)',
    (name) => {
      expect(isKeyHeaderName(name)).toBe(false);
      expect(isKeyHeaderName(name.toUpperCase())).toBe(false);
    },
  );

  it.each(['', 'X Key', 'X-Key:', 'X-Key\r\nHost', 'schlüssel', 'x'.repeat(65)])(
    'rejects %j, which is not a field name (RFC 9110 5.6.2)',
    (name) => {
      expect(isKeyHeaderName(name)).toBe(false);
    },
  );
});

describe('isKeyHeaderValue', () => {
  it.each(['abc', 'Token token="abc"', '~!'])('accepts %s', (value) => {
    expect(isKeyHeaderValue(value)).toBe(true);
  });

  it.each(['', ' abc', 'abc ', 'a\r\nb', 'a\tb', 'schlüssel', 'x'.repeat(8_193)])(
    'rejects %j (RFC 9110 5.5)',
    (value) => {
      expect(isKeyHeaderValue(value)).toBe(false);
    },
  );
});

describe('keyHeaderValue', () => {
  it.each([
    [' abc\r\n', 'abc'],
    ['a  b', undefined],
    [' ', undefined],
  ])('turns %j into a valid header value, if possible', (typed, value) => {
    expect(keyHeaderValue(typed)).toBe(value);
  });
});

describe('integrationOptionsSchema', () => {
  it.each(['X\u001b]0;t\u0007', 'X\r\nY', 'X Y', '', 'Cookie'])('rejects %j as a header name', (headerName) => {
    expect(integrationOptionsSchema.shape.headerName.safeParse(headerName).success).toBe(false);
  });
});
