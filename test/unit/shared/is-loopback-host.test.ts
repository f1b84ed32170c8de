import { describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../../../shared/web-address.ts';

describe('isLoopbackHost', () => {
  it.each(['127.0.0.1', '127.0.0.1:8931', 'localhost:80', 'a.localhost', '[::1]', '[::1]:8080'])('knows %s', (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  });

  it.each(['127.0.0.1.example', 'localhost.example', '10.0.0.1', '[::2]', 'mcp.example:443'])('refuses %s', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});
