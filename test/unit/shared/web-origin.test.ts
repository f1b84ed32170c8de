import { expect, it } from 'vitest';
import { readWebOrigin } from '../../../shared/web-address.ts';

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
])('takes nothing that names another page, or more than one: %s', (text) => {
  expect(readWebOrigin(text)).toBeUndefined();
});
