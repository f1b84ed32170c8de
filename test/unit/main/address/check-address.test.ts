import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  atSameOrigin,
  checkAddress,
  checkDowngrade,
  checkResolvedAddress,
  checkTarget,
  checkTypedAddress,
  createAddressPolicy,
} from '../../../../main/address/check-address.ts';
import type { AddressPolicy } from '../../../../main/address/check-address.ts';
import { classifyHost } from '../../../../main/address/host.ts';
import { parseAddress, parseInput } from '../../../../main/address/parse-address.ts';
import { PosternError } from '../../../../main/errors/postern-error.ts';
import type { HttpRequest } from '../../../../main/ports.ts';

const policyFor = (url: string, options: Partial<AddressPolicy> = {}): AddressPolicy =>
  createAddressPolicy({ url, local: false, allowedHosts: [], allowHttp: false, ...options });

/** `ok`, or the code and the kind of the remedy that would allow the address. */
function outcome(check: () => void): string {
  try {
    check();
    return 'ok';
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    return `${error.code} ${error.remedy?.kind ?? 'none'}`;
  }
}

const check = (url: string, policy: AddressPolicy): string =>
  outcome(() => checkAddress(new URL(url), policy, 'discovery'));
const checkIp = (url: string, ip: string, policy: AddressPolicy): string =>
  outcome(() => checkResolvedAddress(new URL(url), ip, policy, 'discovery'));

const downgrade = (from: string, to: string): string =>
  outcome(() => checkDowngrade(new URL(from), new URL(to), 'discovery'));

describe('checkAddress', () => {
  it('limits a public integration to public hosts over https (RFC 9728 section 7.7, MD-24)', () => {
    const policy = policyFor('https://mcp.example.com/mcp');
    expect(check('https://mcp.example.com/mcp', policy)).toBe('ok');
    expect(check('https://other.example.org/', policy)).toBe('ok');
    expect(check('https://8.8.8.8/', policy)).toBe('ok');
    expect(check('http://mcp.example.com/', policy)).toBe('URL_SCHEME none');
    expect(check('http://8.8.8.8/', policy)).toBe('URL_SCHEME none');
    expect(check('https://127.0.0.1/', policy)).toBe('HOST_BLOCKED allow-host');
    expect(check('https://192.168.1.1/', policy)).toBe('HOST_BLOCKED allow-host');
    expect(check('https://169.254.169.254/', policy)).toBe('HOST_BLOCKED none');
    expect(check('https://metadata.google.internal/', policy)).toBe('HOST_BLOCKED none');
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '017700000001',
    '１２７.0.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'app.localhost',
    '[::1]',
  ])('blocks the loopback form %s until the user checks local (NW-02)', (host) => {
    for (const scheme of ['http', 'https']) {
      const url = `${scheme}://${host}:8443/mcp`;
      expect(check(url, policyFor(url))).toBe('HOST_BLOCKED allow-local');
      expect(check(url, policyFor(url, { local: true }))).toBe('ok');
    }
  });

  it.each(['10.0.0.1', '172.16.0.1', '192.168.1.5', '100.64.0.1', '198.18.0.1', '[fc00::1]'])(
    'allows the private host %s over https with local, over http with a second consent (NW-18)',
    (host) => {
      const url = `https://${host}/mcp`;
      const plain = `http://${host}/mcp`;
      expect(check(url, policyFor(url))).toBe('HOST_BLOCKED allow-local');
      expect(check(url, policyFor(url, { local: true }))).toBe('ok');
      expect(check(plain, policyFor(plain))).toBe('HOST_BLOCKED allow-local');
      expect(check(plain, policyFor(plain, { local: true }))).toBe('URL_SCHEME allow-http');
      expect(check(plain, policyFor(plain, { local: true, allowHttp: true }))).toBe('ok');
      expect(check(plain, policyFor(plain, { allowHttp: true }))).toBe('HOST_BLOCKED allow-local');
    },
  );

  it.each([
    '169.254.169.254',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.169.254.',
    '[fd00:ec2::254]',
    '100.100.100.200',
    'metadata.google.internal',
    '[fe80::1]',
    '0.0.0.0',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[::7f00:1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '224.0.0.1',
  ])('never allows %s, whatever the user allowed', (host) => {
    const url = `https://${host}/`;
    expect(check(url, policyFor(url, { local: true, allowHttp: true, allowedHosts: [host] }))).toBe(
      'HOST_BLOCKED none',
    );
  });

  it.each([
    'intranet',
    'wiki',
    'intranet.',
    'nas.local',
    'wiki.internal',
    'nas.lan',
    'nas.home',
    'idp.corp',
    'nas.home.arpa',
  ])('treats the internal name %s like a private address, whatever it resolves to', (host) => {
    const url = `https://${host}/mcp`;
    const plain = `http://${host}/mcp`;
    expect(check(url, policyFor(url))).toBe('HOST_BLOCKED allow-local');
    expect(check(url, policyFor(url, { local: true }))).toBe('ok');
    expect(check(plain, policyFor(plain))).toBe('HOST_BLOCKED allow-local');
    expect(check(plain, policyFor(plain, { local: true }))).toBe('URL_SCHEME allow-http');
    expect(check(plain, policyFor(plain, { local: true, allowHttp: true }))).toBe('ok');
    const other = policyFor('https://mcp.example.com/', { local: true });
    expect(check(url, other)).toBe('HOST_BLOCKED allow-host');
    expect(check(url, { ...other, allowedHosts: [host] })).toBe('ok');
  });

  it('allows every port of the typed host, and no other private host', () => {
    const policy = policyFor('https://192.168.1.5:8443/mcp', { local: true });
    expect(check('https://192.168.1.5:9000/token', policy)).toBe('ok');
    expect(check('https://192.168.1.1/token', policy)).toBe('HOST_BLOCKED allow-host');
    expect(check('https://127.0.0.1/token', policy)).toBe('HOST_BLOCKED allow-host');
    expect(check('https://192.168.1.1/token', { ...policy, allowedHosts: ['192.168.1.1'] })).toBe('ok');
  });

  it('allows all of loopback if loopback was typed', () => {
    const policy = policyFor('http://localhost:3000/mcp', { local: true });
    expect(check('http://127.0.0.1:9000/token', policy)).toBe('ok');
    expect(check('http://[::1]:9000/token', policy)).toBe('ok');
    expect(check('https://192.168.1.1/token', policy)).toBe('HOST_BLOCKED allow-host');
  });

  it('requires local first if a private host was allowed by name without it', () => {
    const policy = policyFor('https://mcp.example.com/', { allowedHosts: ['10.0.0.7'] });
    expect(check('https://10.0.0.7/', policy)).toBe('HOST_BLOCKED allow-local');
    expect(check('https://10.0.0.7/', { ...policy, local: true })).toBe('ok');
  });

  it('allows plain http to a name only if the user typed it and allowed http', () => {
    const url = 'http://nas.example.com:8080/mcp';
    expect(check(url, policyFor(url))).toBe('URL_SCHEME none');
    expect(check(url, policyFor(url, { local: true }))).toBe('URL_SCHEME allow-http');
    expect(check(url, policyFor(url, { local: true, allowHttp: true }))).toBe('ok');
    expect(check('http://other.example.com/', policyFor(url, { local: true, allowHttp: true }))).toBe(
      'URL_SCHEME none',
    );
  });

  it('suggests allowing plain http to an internal name only if the user typed it', () => {
    const url = 'http://wiki.corp-internal/mcp';
    expect(check(url, policyFor(url))).toBe('URL_SCHEME allow-local');
    expect(check(url, policyFor('https://mcp.example.com/mcp'))).toBe('URL_SCHEME none');
    expect(check(url, policyFor('https://mcp.example.com/mcp', { local: true }))).toBe('URL_SCHEME none');
    expect(check(url, policyFor('https://mcp.example.com/mcp', { local: true, allowHttp: true }))).toBe(
      'URL_SCHEME none',
    );
  });

  it('names the host in the error, for the message', () => {
    const url = new URL('https://192.168.1.5/mcp');
    expect(() => checkAddress(url, policyFor(url.href), 'probe')).toThrow(
      expect.objectContaining({ stage: 'probe', detail: { host: '192.168.1.5', reason: 'inside' } }),
    );
  });

  const host = fc.oneof(
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.domain(),
  );
  property.prop([host, fc.constantFrom('http', 'https'), fc.nat({ max: 65_535 })])(
    'accepts only https for a public integration (PB-01)',
    (name, scheme, port) => {
      const url = URL.parse(`${scheme}://${name}:${port}/`);
      if (url === null) return;
      const isAccepted = check(url.href, policyFor('https://mcp.example.com/')) === 'ok';
      expect(isAccepted && url.protocol === 'http:').toBe(false);
    },
  );
});

describe('checkResolvedAddress', () => {
  const typed = 'https://intranet.example.com/mcp';

  it('blocks a public name that resolves to a private address (DNS rebinding)', () => {
    expect(checkIp(typed, '10.0.0.1', policyFor(typed))).toBe('HOST_BLOCKED allow-local');
    expect(checkIp(typed, '127.0.0.1', policyFor(typed))).toBe('HOST_BLOCKED allow-local');
    expect(checkIp('https://localtest.me/', '127.0.0.1', policyFor(typed))).toBe('HOST_BLOCKED allow-host');
    expect(checkIp(typed, '169.254.169.254', policyFor(typed, { local: true }))).toBe('HOST_BLOCKED none');
    expect(checkIp(typed, '8.8.8.8', policyFor(typed))).toBe('ok');
  });

  it('allows only the typed name with local', () => {
    const policy = policyFor(typed, { local: true });
    expect(checkIp(typed, '10.0.0.1', policy)).toBe('ok');
    expect(checkIp('https://other.example.com/', '10.0.0.1', policy)).toBe('HOST_BLOCKED allow-host');
    expect(checkIp('https://other.example.com/', '10.0.0.1', { ...policy, allowedHosts: ['Other.example.com.'] })).toBe(
      'ok',
    );
  });

  it('refuses plain http to a name that turns out to be public', () => {
    const url = 'http://nas.lan/mcp';
    expect(checkIp(url, '8.8.8.8', policyFor(url, { local: true, allowHttp: true }))).toBe('URL_SCHEME none');
    expect(checkIp(url, '192.168.1.9', policyFor(url, { local: true, allowHttp: true }))).toBe('ok');
  });
});

describe('checkTypedAddress', () => {
  const policy = policyFor('https://mcp.example/');

  it.each([
    ['no address', 'URL_INVALID'],
    ['http://as.example/token', 'URL_SCHEME'],
    ['https://169.254.169.254/token', 'HOST_BLOCKED'],
    ['https://10.0.0.1/token', 'HOST_BLOCKED'],
  ])('blames the user’s input for %s, not a document', (text, code) => {
    expect(() => checkTypedAddress(text, policy)).toThrow(expect.objectContaining({ code, blame: 'input' }));
  });

  it('accepts any other', () => {
    expect(checkTypedAddress(' https://as.example/token ', policy)).toBe('https://as.example/token');
  });
});

describe('a checked address', () => {
  const policy = policyFor('https://mcp.example/');
  const address = checkAddress(parseInput('HTTPS://MCP.example:443/a?b'), policy, 'address');

  it('is the only string that a request accepts', () => {
    expectTypeOf(address).toExtend<HttpRequest['url']>();
    expectTypeOf<string>().not.toExtend<HttpRequest['url']>();
  });

  it('is in canonical form', () => {
    expect(address).toBe('https://mcp.example/a?b');
  });

  property.prop([fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })])(
    'leads only to its own origin, whatever the path',
    (pathname, search) => {
      const place = atSameOrigin(address, pathname, search);
      expect(new URL(place).origin).toBe('https://mcp.example');
      expect(parseAddress(place, 'discovery').href).toBe(place);
    },
  );
});

describe('a host with an empty label', () => {
  const hosts = ['foo.local..', 'a..b', 'localhost..', '.example.com', 'intranet..', 'example.com..'];
  it.each(hosts)('is never allowed: %s', (hostname) => {
    expect(classifyHost(hostname)).toBe('forbidden');
    const policy = { local: true, allowHttp: true, typedHost: hostname, allowedHosts: [hostname] };
    for (const protocol of ['https:', 'http:'])
      expect(outcome(() => checkTarget({ protocol, hostname }, policy, 'discovery'))).toBe('HOST_BLOCKED none');
  });
});

describe('checkDowngrade', () => {
  it('refuses https to http (OAuth 2.1 section 1.5)', () => {
    expect(downgrade('https://a.example/', 'http://a.example/')).toBe('URL_DOWNGRADE none');
    expect(downgrade('https://a.example/', 'http://10.0.0.1/')).toBe('URL_DOWNGRADE none');
    expect(downgrade('https://a.example/', 'https://b.example/')).toBe('ok');
    expect(downgrade('http://localhost/', 'http://localhost:1/')).toBe('ok');
    expect(downgrade('http://localhost/', 'https://a.example/')).toBe('ok');
  });

  it('leaves http on loopback to the address policy', () => {
    expect(downgrade('https://localhost:8443/', 'http://127.0.0.1:9000/')).toBe('ok');
    expect(check('http://127.0.0.1:9000/', policyFor('https://mcp.example.com/', { local: true }))).toBe(
      'HOST_BLOCKED allow-host',
    );
  });
});

describe('createAddressPolicy', () => {
  it('accepts hosts as users write them', () => {
    const allowedHosts = [
      'Idp.Corp',
      'idp.corp:8443',
      'https://idp.corp/',
      '10.0.0.1',
      '::1',
      'fd00::1',
      '[fd00::2]:443',
    ];
    expect(policyFor('https://MCP.example.com:443/mcp', { allowedHosts })).toEqual({
      local: false,
      typedHost: 'mcp.example.com',
      allowedHosts: ['idp.corp', 'idp.corp', 'idp.corp', '10.0.0.1', '[::1]', '[fd00::1]', '[fd00::2]'],
      allowHttp: false,
    });
  });

  it.each(['', 'a b', 'idp.corp/path', 'user@idp.corp', '*'])('refuses %j as a host', (host) => {
    expect(() => policyFor('https://mcp.example.com/', { allowedHosts: [host] })).toThrow(PosternError);
  });
});
