import { describe, expect, it } from 'vitest';
import { chooseProxy, parsePacResult, readProxySettings } from '../../../../../main/net/http/proxy-settings.ts';

const proxyOf = (env: Record<string, string>, url: string): string | undefined => {
  const { protocol, hostname, port } = new URL(url);
  const target = { protocol, hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  const server = chooseProxy(readProxySettings(env), target);
  return server && `${server.protocol}//${server.hostname}:${server.port}`;
};

describe('readProxySettings', () => {
  it.each([
    [{ HTTPS_PROXY: 'http://proxy.test:8080' }, 'https://mcp.example/', 'http://proxy.test:8080'],
    [{ https_proxy: 'proxy.test:8080' }, 'https://mcp.example/', 'http://proxy.test:8080'],
    [{ https_proxy: 'a.test:1', HTTPS_PROXY: 'b.test:1' }, 'https://mcp.example/', 'http://a.test:1'],
    [{ ALL_PROXY: 'https://proxy.test' }, 'https://mcp.example/', 'https://proxy.test:443'],
    [{ HTTPS_PROXY: 'http://[fd00::1]:3128' }, 'https://mcp.example/', 'http://fd00::1:3128'],
    [{ HTTP_PROXY: 'http://proxy.test:8080' }, 'https://mcp.example/', undefined],
    [{ HTTP_PROXY: 'http://proxy.test:8080' }, 'http://intranet.example/', 'http://proxy.test:8080'],
    [{ HTTPS_PROXY: '', ALL_PROXY: 'http://proxy.test' }, 'https://mcp.example/', undefined],
    [{}, 'https://mcp.example/', undefined],
  ] as [Record<string, string>, string, string | undefined][])(
    'chooses, with %j, for %s: %s (NW-13)',
    (env, url, expected) => {
      expect(proxyOf(env, url)).toBe(expected);
    },
  );

  it.each([
    ['*', 'https://mcp.example/', true],
    ['example', 'https://mcp.example/', true],
    ['.example', 'https://mcp.example/', true],
    ['*.example', 'https://mcp.example/', true],
    ['MCP.Example.', 'https://mcp.example/', true],
    ['ample', 'https://mcp.example/', false],
    ['mcp.example.evil', 'https://mcp.example/', false],
    ['mcp.example:443', 'https://mcp.example/', true],
    ['mcp.example:8443', 'https://mcp.example/', false],
    ['other.test, 10.0.0.0/8', 'https://10.1.2.3/', true],
    ['10.0.0.0/8', 'https://11.1.2.3/', false],
    ['10.0.0.0/99', 'https://10.1.2.3/', false],
    ['fd00::/8', 'https://[fd00::5]/', true],
    ['[fd00::5]:443', 'https://[fd00::5]/', true],
    ['10.1.2.3', 'https://10.1.2.3/', true],
    ['3', 'https://10.1.2.3/', false],
    ['', 'https://mcp.example/', false],
    [',, ,.', 'https://mcp.example/', false],
  ])('NO_PROXY=%j exempts %s: %s (NW-13)', (bypass, url, isDirect) => {
    const server = proxyOf({ HTTPS_PROXY: 'http://proxy.test:8080', NO_PROXY: bypass }, url);
    expect(server).toBe(isDirect ? undefined : 'http://proxy.test:8080');
  });

  it.each(['https://127.0.0.1/', 'https://localhost/', 'https://a.localhost./', 'https://[::1]/'])(
    'never sends %s through a proxy, whose loopback is another machine (NW-13)',
    (url) => {
      expect(proxyOf({ ALL_PROXY: 'http://proxy.test:8080' }, url)).toBeUndefined();
    },
  );

  it.each([
    'socks5://proxy.test:1080',
    'ftp://proxy.test',
    'http://',
    'http://%%@proxy.test',
    'http://proxy.test:0',
    '&:8080',
  ])('reports the variable with %s, which is not an HTTP proxy', (value) => {
    const settings = readProxySettings({ HTTPS_PROXY: value, http_proxy: 'http://proxy.test' });
    expect(settings).toMatchObject({ https: undefined, unusable: ['HTTPS_PROXY'] });
    expect(settings.http).toBeDefined();
  });

  it('hides the userinfo of a proxy, and sends it as Basic (RFC 7617 section 2)', () => {
    const { https } = readProxySettings({ HTTPS_PROXY: 'http://user:p%40ss@proxy.test' });
    expect(https?.authorization?.reveal()).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
    expect(JSON.stringify(https)).not.toMatch(/p@ss|p%40ss|dXNlcjp/);
  });
});

describe('parsePacResult', () => {
  it.each([
    ['DIRECT', undefined],
    ['PROXY proxy.test:8080; DIRECT', 'http://proxy.test:8080'],
    ['HTTPS proxy.test:8443', 'https://proxy.test:8443'],
    ['SOCKS5 proxy.test:1080; PROXY b.test:3128', 'http://b.test:3128'],
    ['SOCKS proxy.test:1080', undefined],
    ['', undefined],
    ['DIRECT; PROXY proxy.test:8080', undefined],
  ])('reads %j as %s (NW-13)', (response, expected) => {
    const server = parsePacResult(response);
    expect(server && `${server.protocol}//${server.hostname}:${server.port}`).toBe(expected);
  });
});
