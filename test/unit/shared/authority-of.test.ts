import { expect, it } from 'vitest';
import { authorityOf } from '../../../shared/web-address.ts';

it.each([
  ['https://{x}.linear.app/mcp', '{x}.linear.app'],
  ['HTTPS://{x}.linear.app:8443', '{x}.linear.app:8443'],
  ['https://evil.example?{x}.linear.app', 'evil.example'],
  ['https://evil.example#{x}.linear.app', 'evil.example'],
  ['https://evil.example\\{x}.linear.app', 'evil.example'],
  ['https:/evil.example', ''],
  ['{scheme}://evil.example', ''],
])('takes from %s what every parser takes', (address, authority) => {
  expect(authorityOf(address)).toBe(authority);
});
