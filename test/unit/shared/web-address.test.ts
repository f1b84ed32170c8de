import { expect, it } from 'vitest';
import { readRegistryAddress } from '../../../shared/web-address.ts';

it.each([
  ['https://registry.example.com', 'https://registry.example.com'],
  [' HTTPS://Registry.Example.com:443/ ', 'https://registry.example.com'],
  ['registry.example.com', 'https://registry.example.com'],
  ['https://hub.example.com/Org/registry/v0.1', 'https://hub.example.com/Org/registry'],
  ['https://registry.example.com:8443/v0.1/servers/', 'https://registry.example.com:8443'],
  ['http://127.0.0.1:8080/v0', 'http://127.0.0.1:8080'],
  ['http://localhost', 'http://localhost'],
  ['http://[::1]:80', 'http://[::1]'],
])('keeps %s without what the API puts behind it, and as it would be read again', (text, address) => {
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
])('refuses %s, and says why (MR-03)', (text, refused) => {
  expect(readRegistryAddress(text)).toEqual({ refused });
});
