import { describe, expect, it } from 'vitest';
import { authorityOf, isLoopbackHost, readRegistryAddress, readWebOrigin } from '../../../shared/web-address.ts';

it.each([
  ['https://registry.example.com', 'https://registry.example.com'],
  [' HTTPS://Registry.Example.com:443/ ', 'https://registry.example.com'],
  ['registry.example.com', 'https://registry.example.com'],
  ['https://hub.example.com/Org/registry/v0.1', 'https://hub.example.com/Org/registry'],
  ['https://registry.example.com:8443/v0.1/servers/', 'https://registry.example.com:8443'],
  ['http://127.0.0.1:8080/v0', 'http://127.0.0.1:8080'],
  ['http://localhost', 'http://localhost'],
  ['http://[::1]:80', 'http://[::1]'],
])('normalizes %s without the API suffix, stable when read again', (text, address) => {
  expect(readRegistryAddress(text)).toEqual({ address });
  expect(readRegistryAddress(address)).toEqual({ address });
});

it.each([
  ['', 'no-address'],
  ['ftp://registry.example.com', 'no-address'],
  ['javascript:alert(1)', 'no-address'],
  ['https://registry.example.com\\@evil.example', 'no-address'],
  ['https://registry.example.com/a b', 'no-address'],
  ['https://registry.exаmple.com', 'no-address'],
  [`https://registry.example.com/${'x'.repeat(5_000)}`, 'no-address'],
  ['http://registry.example.com', 'not-encrypted'],
  ['http://192.168.1.2', 'not-encrypted'],
  ['http://localhost.example.com', 'not-encrypted'],
  ['https://me:secret@registry.example.com', 'with-password'],
  ['https://registry.example.com?key=1', 'with-query'],
  ['https://registry.example.com/#x', 'with-query'],
])('rejects %s with a reason (MR-03)', (text, refused) => {
  expect(readRegistryAddress(text)).toEqual({ refused });
});

it.each([
  ['https://{x}.linear.app/mcp', '{x}.linear.app'],
  ['HTTPS://{x}.linear.app:8443', '{x}.linear.app:8443'],
  ['https://evil.example?{x}.linear.app', 'evil.example'],
  ['https://evil.example#{x}.linear.app', 'evil.example'],
  ['https://evil.example\\{x}.linear.app', 'evil.example'],
  ['https:/evil.example', ''],
  ['{scheme}://evil.example', ''],
])('reads the authority of %s as every parser does', (address, authority) => {
  expect(authorityOf(address)).toBe(authority);
});

describe('isLoopbackHost', () => {
  it.each(['127.0.0.1', '127.0.0.1:8931', 'localhost:80', 'a.localhost', '[::1]', '[::1]:8080'])(
    'recognizes %s',
    (host) => {
      expect(isLoopbackHost(host)).toBe(true);
    },
  );

  it.each(['127.0.0.1.example', 'localhost.example', '10.0.0.1', '[::2]', 'mcp.example:443'])('rejects %s', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});

it.each([
  ['http://localhost:6274', 'http://localhost:6274'],
  ['http://localhost:6274/tools?x=1#y', 'http://localhost:6274'],
  ['HTTP://LocalHost:6274/Tools', 'http://localhost:6274'],
  ['http://127.0.0.1', 'http://127.0.0.1'],
  ['http://[::1]:80/', 'http://[::1]'],
  ['https://tools.example.com:443', 'https://tools.example.com'],
  ['https://tools.example.com:08443', 'https://tools.example.com:8443'],
  ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
])('reads the origin of %s as a browser sends it (RFC 6454 section 6.2)', (text, origin) => {
  expect(readWebOrigin(text)).toBe(origin);
  expect(URL.parse(text)?.origin).toBe(origin);
});

it.each([
  '*',
  'null',
  '',
  'localhost:6274',
  'https://*.example.com',
  'https://*',
  'http://tools.example.com',
  'http://192.168.1.2:6274',
  'http://localhost.example.com',
  'http://localhost:6274@evil.example',
  'https://me:secret@tools.example.com',
  'https://tools.example.com https://evil.example',
  'file:///home/me/page.html',
  'chrome-extension://abcdef',
])('rejects what names another page, or more than one: %s', (text) => {
  expect(readWebOrigin(text)).toBeUndefined();
});
