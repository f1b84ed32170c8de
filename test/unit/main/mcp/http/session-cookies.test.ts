import { describe, expect, it } from 'vitest';
import { sessionCookies } from '../../../../../main/limits.ts';
import { SessionCookies } from '../../../../../main/mcp/http/session-cookies.ts';

const server = new URL('https://mcp.example.com/v1/mcp');
const { count, size } = sessionCookies;

/** The Cookie header that a server receives `seconds` after it set these cookies. */
function backFrom(texts: readonly string[], { to = server, from = server, seconds = 0 } = {}): string | undefined {
  let now = Date.parse('2026-11-22T12:00:00Z');
  const cookies = new SessionCookies({ now: () => now });
  const headers = new Headers();
  for (const text of texts) headers.append('set-cookie', text);
  cookies.store(from, headers);
  now += seconds * 1_000;
  return cookies.headerFor(to);
}

describe('a session cookie', () => {
  it.each([
    ['AWSALB=a1+/=; Expires=Sun, 29 Nov 2026 12:00:00 GMT; Path=/', 'AWSALB=a1+/='],
    ['route="quoted value"; Path=/; HttpOnly; SameSite=None; Secure', 'route="quoted value"'],
    ['empty=', 'empty='],
    ['a=1; Domain=mcp.example.com', 'a=1'],
    ['a=1; domain=.EXAMPLE.com', 'a=1'],
    ['__Host-a=1; Secure; Path=/', '__Host-a=1'],
    ['__Secure-a=1; Secure; Domain=example.com', '__Secure-a=1'],
    ['a=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT', 'a=1'],
    ['a=1; Max-Age=soon; Expires=never', 'a=1'],
  ])('is sent back: %s', (text, expected) => {
    expect(backFrom([text])).toBe(expected);
  });

  it.each([
    ['names a foreign host', 'a=1; Domain=example.org'],
    ['names a subdomain', 'a=1; Domain=x.mcp.example.com'],
    ['names a host that only looks like this one', 'a=1; Domain=cp.example.com'],
    ['has expired by Max-Age', 'a=1; Max-Age=0'],
    ['has expired by Max-Age, whatever its Expires', 'a=1; Max-Age=-1; Expires=Sun, 29 Nov 2099 12:00:00 GMT'],
    ['has expired by Expires', 'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
    ['is for another path', 'a=1; Path=/v1/mc'],
    ['claims __Secure- without Secure', '__Secure-a=1'],
    ['claims __Host- without Secure', '__Host-a=1; Path=/'],
    ['claims __Host- with a domain', '__Host-a=1; Secure; Path=/; Domain=mcp.example.com'],
    ['claims __Host- for another path', '__Host-a=1; Secure; Path=/v1'],
    ['claims __host- in lower case', '__host-a=1; Path=/'],
    ['is too long', `a=${'x'.repeat(size)}`],
    ['has no name', '=1'],
    ['is not a pair', 'a'],
    ['has an invalid name', 'a b=1'],
    ['has characters that are invalid in a header', 'a=1\u00fc'],
  ])('is not sent back if it %s (GW-22)', (_what, text) => {
    expect(backFrom([text])).toBeUndefined();
  });

  it.each([
    ['http://mcp.example.com/v1/mcp', 'without TLS'],
    ['https://mcp.example.com:8443/v1/mcp', 'at another port'],
    ['https://www.mcp.example.com/v1/mcp', 'on a subdomain'],
    ['https://example.com/v1/mcp', 'on the parent domain'],
  ])('is not sent to %s, %s, whatever domain it names (GW-22)', (address) => {
    expect(backFrom(['a=1; Path=/', 'b=1; Domain=example.com; Path=/'], { to: new URL(address) })).toBeUndefined();
  });

  it('is not stored without TLS if it is Secure (GW-22)', () => {
    const from = new URL('http://mcp.example.com/v1/mcp');
    expect(backFrom(['a=1; Secure', '__Host-b=1; Secure; Path=/', 'c=1'], { from, to: from })).toBe('c=1');
  });

  it('is limited to the exact address if that is an IP address', () => {
    const from = new URL('http://127.0.0.1:5000/mcp');
    expect(backFrom(['a=1; Domain=0.0.1', 'b=1; Domain=127.0.0.1'], { from, to: from })).toBe('b=1');
  });

  it('is sent back until it expires', () => {
    const text = ['a=1; Max-Age=10'];
    expect(backFrom(text, { seconds: 9 })).toBe('a=1');
    expect(backFrom(text, { seconds: 11 })).toBeUndefined();
  });

  it('is replaced by one with the same name and path, and deleted by an expired one', () => {
    expect(backFrom(['a=1', 'b=1', 'a=2'])).toBe('b=1; a=2');
    expect(backFrom(['a=1', 'b=1', 'a=; Max-Age=0'])).toBe('b=1');
    expect(backFrom(['a=1; Path=/', 'a=2; Path=/v1/mcp'])).toBe('a=2; a=1');
  });

  it('is dropped, oldest first, if there are too many (GW-22)', () => {
    const names = Array.from({ length: count + 5 }, (_, index) => `c${index}`);
    const expected = names.slice(5).map((name) => `${name}=1`);
    expect(backFrom(names.map((name) => `${name}=1`))?.split('; ')).toEqual(expected);
  });
});
