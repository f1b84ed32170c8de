import { describe, expect, it } from 'vitest';
import { findPosternLink, isBackgroundLink, readPosternLink } from '../../../../main/address/parse-address.ts';

const connectTo = (address: string): string => `postern://connect?url=${encodeURIComponent(address)}`;

describe('a link to Postern', () => {
  it.each([
    [connectTo('https://mcp.example.com/mcp'), 'https://mcp.example.com/mcp'],
    ['postern://connect?url=https://mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    // Some systems write it like this.
    ['POSTERN://Connect/?url=https%3A%2F%2Fmcp.example.com', 'https://mcp.example.com/'],
    // The address check decides whether it is allowed, as for a typed address.
    [connectTo('http://127.0.0.1:8931/mcp'), 'http://127.0.0.1:8931/mcp'],
    [connectTo('https://169.254.169.254/latest'), 'https://169.254.169.254/latest'],
  ])('opens the check of one address: %s', (link, url) => {
    expect(readPosternLink(link)).toEqual({ kind: 'connect', url });
  });

  it('reads only the address (IP-13)', () => {
    const more = '&name=Bank&local=1&auto=1&header=Authorization%3A+x&command=npx&options={"local":true}';
    expect(readPosternLink(`${connectTo('https://mcp.example.com/mcp')}${more}#start`)).toEqual({
      kind: 'connect',
      url: 'https://mcp.example.com/mcp',
    });
  });

  it('opens a server by its ID', () => {
    const id = '0b0ff9d1-8d4c-4a5e-9a54-3f8d7a6f2b11';
    expect(readPosternLink(`postern://open/${id}`)).toEqual({ kind: 'open', id });
  });

  it.each([
    ['another scheme', 'app://connect?url=https://mcp.example.com'],
    ['an address of another scheme', connectTo('file:///etc/passwd')],
    ['a script', connectTo('javascript:alert(1)')],
    ['a link in a link', connectTo(connectTo('https://mcp.example.com'))],
    ['a command', connectTo('npx -y mcp-remote https://mcp.example.com')],
    ['a configuration', connectTo('{"mcpServers":{}}')],
    ['no scheme', connectTo('mcp.example.com/mcp')],
    ['credentials', connectTo('https://user:secret@mcp.example.com/mcp')],
    ['a host that looks like credentials', connectTo('https://bank.example@mcp.example.com/mcp')],
    ['a NUL', connectTo('https://mcp.example.com/\0')],
    ['a line break', connectTo('https://mcp.example.com/\r\nHost: other')],
    ['a line break in the link', `${connectTo('https://mcp.example.com')}\n--inspect`],
    ['a space in the link', `${connectTo('https://mcp.example.com')} --inspect`],
    ['a backslash', connectTo('https://mcp.example.com\\@other.example')],
    ['a fragment', connectTo('https://mcp.example.com/#x')],
    ['two addresses', `${connectTo('https://a.example')}&url=https%3A%2F%2Fb.example`],
    ['no address', 'postern://connect'],
    ['an address in the path', 'postern://connect/https://evil.example/mcp'],
    ['an overlong address', connectTo(`https://mcp.example.com/${'x'.repeat(3_000)}`)],
    ['an overlong link', connectTo(`https://mcp.example.com/${'x'.repeat(1_048_576)}`)],
    ['a user in the link', 'postern://me:pw@connect?url=https://mcp.example.com'],
    ['a port in the link', 'postern://connect:1?url=https://mcp.example.com'],
    ['a path as an ID', 'postern://open/../settings'],
    ['an encoded ID', 'postern://open/%2e%2e%2fsettings'],
    ['more than an ID', 'postern://open/abc?tab=remove'],
    ['no ID', 'postern://open/'],
    ['something else', 'postern://remove/abc'],
    ['nothing', 'postern:'],
  ])('is unusable with %s (IP-13)', (_what, link) => {
    expect(readPosternLink(link)).toEqual({ kind: 'unusable' });
  });

  it('is found among the command line arguments, wherever the system puts it', () => {
    expect(findPosternLink(['/opt/Postern/postern', '--', 'postern://open/a'])).toBe('postern://open/a');
    expect(findPosternLink(['C:\\Postern.exe', 'postern://open/a', '--allow-file-access'])).toBe('postern://open/a');
    expect(findPosternLink(['/opt/Postern/postern', '--url=postern://open/a', 'https://postern'])).toBeUndefined();
  });

  it('starts Postern without a window only in its exact form', () => {
    expect(isBackgroundLink('postern:background')).toBe(true);
    expect(isBackgroundLink('postern://background/')).toBe(true);
    expect(isBackgroundLink('postern:background?url=https://mcp.example.com')).toBe(false);
    expect(isBackgroundLink('postern://connect?background')).toBe(false);
  });
});
