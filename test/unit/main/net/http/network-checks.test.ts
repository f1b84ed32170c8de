import { describe, expect, it } from 'vitest';
import { checkConnectivity, checkNetwork } from '../../../../../main/net/http/network-checks.ts';
import type { NetworkFacts } from '../../../../../main/net/http/network-checks.ts';
import { readProxySettings } from '../../../../../main/net/http/proxy-settings.ts';
import { removeIgnoredVariables } from '../../../../../main/start-switches.ts';

const facts = (changes: Partial<NetworkFacts> = {}): NetworkFacts => ({
  proxies: readProxySettings({}),
  trusted: { certificates: [], sources: [{ name: 'built-in', count: 121 }] },
  ignored: [],
  ...changes,
});

describe('checkNetwork', () => {
  it('reports that no proxy is in use, and how many certificates are trusted', () => {
    expect(checkNetwork(facts())).toEqual([
      { name: 'proxy', ok: true, message: expect.stringMatching(/\bno proxy\b/iu) },
      { name: 'certificates', ok: true, message: expect.stringContaining(' 121 ') },
    ]);
  });

  it('names a proxy by host and port, without its password, and the checks it prevents (NW-13)', () => {
    const proxies = readProxySettings({ ALL_PROXY: 'http://user:hunter2@proxy.test:8080' });
    const [proxy] = checkNetwork(facts({ proxies }));
    expect(proxy).toMatchObject({ ok: true, message: expect.stringMatching(/ proxy\.test:8080\..*\bchecks?\b/u) });
    expect(JSON.stringify(proxy)).not.toMatch(/user|hunter2/u);
  });

  it('suggests a fix for an unusable proxy', () => {
    const proxies = readProxySettings({ HTTPS_PROXY: 'socks5://proxy.test' });
    expect(checkNetwork(facts({ proxies }))[0]).toMatchObject({
      ok: false,
      message: expect.stringContaining('HTTPS_PROXY'),
      nextStep: expect.stringContaining('http://'),
    });
  });

  it('names the file without a certificate', () => {
    const trusted = { certificates: [], sources: [{ name: 'file', count: 0, unusable: true }] } as const;
    expect(checkNetwork(facts({ trusted }))[1]).toMatchObject({
      ok: false,
      message: expect.stringMatching(/no certificate.* file in the settings/iu),
      nextStep: expect.stringContaining('PEM'),
    });
  });
});

describe('removeIgnoredVariables', () => {
  it('removes variables that disable checks or log keys, and reports them (NW-16, NW-17)', () => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0', SSLKEYLOGFILE: '/tmp/keys', PATH: '/bin' };
    const ignored = removeIgnoredVariables(env);
    expect(ignored).toEqual(['NODE_TLS_REJECT_UNAUTHORIZED', 'SSLKEYLOGFILE']);
    expect(env).toEqual({ PATH: '/bin' });
    expect(checkNetwork(facts({ ignored })).filter(({ name }) => name === 'environment')).toHaveLength(2);
  });

  it('reports nothing in an ordinary environment', () => {
    expect(removeIgnoredVariables({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).toEqual([]);
  });
});

const at = (address: string, internal = false) => ({
  address,
  internal,
  netmask: '255.255.255.0',
  family: 'IPv4' as const,
  mac: '00:00:00:00:00:00',
  cidr: null,
});

describe('checkConnectivity', () => {
  it.each([
    ['an address of a network', { eth0: [at('192.0.2.7')] }, true],
    ['an IPv6 address of a network', { lo: [at('127.0.0.1', true)], eth0: [at('2001:db8::1')] }, true],
    ['no interface', {}, false],
    ['only loopback', { lo: [at('127.0.0.1', true)], eth0: undefined }, false],
    ['only link-local addresses', { eth0: [at('169.254.10.1'), at('fe80::1')] }, false],
  ])('checks a computer with %s', (_name, interfaces, ok) => {
    const check = checkConnectivity(interfaces);
    expect(check).toMatchObject({ name: 'network', ok });
    expect(check.nextStep === undefined).toBe(ok);
  });
});
