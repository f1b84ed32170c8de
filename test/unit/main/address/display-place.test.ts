import { describe, expect, it } from 'vitest';
import { displayPlace } from '../../../../main/address/display-text.ts';

describe('displayPlace', () => {
  it.each([
    ['https://as.example/login', 'as.example'],
    ['https://as.example:443/', 'as.example'],
    ['https://as.example:8443/', 'as.example:8443'],
    ['http://127.0.0.1:4711/', '127.0.0.1:4711'],
    ['http://[::1]:4711/', '[::1]:4711'],
    ['https://аpple.com:444/', 'xn--pple-43d.com:444'],
  ])('shows of %s %s: two servers of one computer are told apart by their ports', (address, shown) => {
    expect(displayPlace(new URL(address))).toBe(shown);
  });
});
