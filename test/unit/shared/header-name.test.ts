import { describe, expect, it } from 'vitest';
import { isKeyHeaderName, isKeyHeaderValue, keyHeaderValue } from '../../../shared/header-name.ts';
import { integrationOptionsSchema } from '../../../shared/integration.ts';

describe('isKeyHeaderName', () => {
  it.each(['X-API-Key', 'Authorization', 'x-goog-api-key', 'DD-API-KEY', 'apikey', 'PRIVATE-TOKEN'])(
    'takes %s',
    (name) => {
      expect(isKeyHeaderName(name)).toBe(true);
    },
  );

  it.each(['Host', 'cookie', 'Content-Length', 'content-type', 'Transfer-Encoding', 'Connection', 'Mcp-Session-Id'])(
    'leaves %s to those whose it is (RFC 9110 7)',
    (name) => {
      expect(isKeyHeaderName(name)).toBe(false);
      expect(isKeyHeaderName(name.toUpperCase())).toBe(false);
    },
  );

  it.each(['', 'X Key', 'X-Key:', 'X-Key\r\nHost', 'schlüssel', 'x'.repeat(65)])(
    'refuses %j, which is no field name (RFC 9110 5.6.2)',
    (name) => {
      expect(isKeyHeaderName(name)).toBe(false);
    },
  );
});

describe('isKeyHeaderValue', () => {
  it.each(['abc', 'Token token="abc"', '~!'])('takes %s', (value) => {
    expect(isKeyHeaderValue(value)).toBe(true);
  });

  it.each(['', ' abc', 'abc ', 'a\r\nb', 'a\tb', 'schlüssel', 'x'.repeat(8_193)])(
    'refuses %j (RFC 9110 5.5)',
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
  ])('makes of %j what a header can hold, if anything', (typed, value) => {
    expect(keyHeaderValue(typed)).toBe(value);
  });
});

describe('integrationOptionsSchema', () => {
  it.each(['X\u001b]0;t\u0007', 'X\r\nY', 'X Y', '', 'Cookie'])('refuses %j as the name of a header', (headerName) => {
    expect(integrationOptionsSchema.shape.headerName.safeParse(headerName).success).toBe(false);
  });
});
