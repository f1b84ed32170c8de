import { expect, it } from 'vitest';
import { PosternError, toPlainError } from '../../../../../main/errors/postern-error.ts';
import { HostUnreachable, LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import {
  asOffline,
  describeRequestFailure,
  hasNetworkInterface,
} from '../../../../../main/net/http/request-failure.ts';
import type { ConnectionNotes } from '../../../../../main/net/http/request-failure.ts';

const place = 'mcp.example:443';

function describeFailure(error: unknown, sent: 'no' | 'maybe' = 'no', notes: Partial<ConnectionNotes> = {}) {
  return describeRequestFailure(error, {
    purpose: 'mcp',
    stage: 'connection',
    url: new URL('https://mcp.example/mcp'),
    sent,
    hasResponse: false,
    notes: { askedForCertificate: new Set(), refusedCertificate: new Map(), openingTunnel: new Map(), ...notes },
  });
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });

const certificate = (validFrom: string, validUntil: string) => ({
  subject: 'CN=mcp.example',
  issuer: 'CN=authority',
  validFrom,
  validUntil,
  names: 'DNS:mcp.example',
  fingerprint: 'AA',
});

const failureAt = (url: string) =>
  describeRequestFailure(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), {
    purpose: 'mcp',
    stage: 'connection',
    url: new URL(url),
    sent: 'no',
    hasResponse: false,
    notes: { askedForCertificate: new Set(), refusedCertificate: new Map(), openingTunnel: new Map() },
  });

it.each([
  ['https://mcp.example/mcp', 'mcp.example '],
  ['https://mcp.example:443/mcp', 'mcp.example '],
  ['http://mcp.example/mcp', 'mcp.example '],
  ['https://mcp.example:8443/mcp', 'mcp.example:8443 '],
  ['http://127.0.0.1:443/mcp', '127.0.0.1:443 '],
])('names the port of %s only if it is not the default', (url, named) => {
  const { code, message } = toPlainError(failureAt(url));
  expect(code).toBe('CONNECT_FAIL');
  expect(message.startsWith(named)).toBe(true);
});

it('may have been carried out if it may have been sent', () => {
  expect(describeFailure(failure('ECONNRESET'), 'no')).toBeInstanceOf(UnsentRequest);
  expect(describeFailure(failure('ECONNRESET'), 'maybe')).toBeInstanceOf(LostRequest);
});

it('reports an unreachable host only if the network reports that host', () => {
  expect(describeFailure(failure('EHOSTUNREACH'))).toBeInstanceOf(HostUnreachable);
  expect(describeFailure(failure('ENETUNREACH'))).not.toBeInstanceOf(HostUnreachable);
});

it('blames the proxy if its tunnel was still opening at the deadline', () => {
  const late = new PosternError('DEADLINE', { stage: 'probe' });
  const openingTunnel = new Map([[place, 'proxy.example:3128']]);
  expect(describeFailure(late, 'no', { openingTunnel })).toMatchObject({
    code: 'PROXY_FAIL',
    fault: 'connect-timeout',
  });
  expect(describeFailure(late, 'no')).toMatchObject({ code: 'DEADLINE', fault: 'connect-timeout' });
  // Once the request was sent, the server is slow.
  expect(describeFailure(late, 'maybe', { openingTunnel })).toMatchObject({ code: 'DEADLINE', fault: undefined });
});

it("keeps the code of Postern's own errors other than timeouts", () => {
  const blocked = new PosternError('DNS_REBIND', { stage: 'probe' });
  expect(describeFailure(blocked)).toMatchObject({ code: 'DNS_REBIND', stage: 'connection', fault: undefined });
});

it('reports a closed connection as a missing client certificate only if the server requested one (RFC 8446 4.3.2)', () => {
  const askedForCertificate = new Set([place]);
  expect(describeFailure(failure('ECONNRESET'), 'no', { askedForCertificate }).fault).toBe('tls-client-certificate');
  expect(describeFailure(failure('ECONNREFUSED'), 'no', { askedForCertificate }).fault).toBe('refused');
  expect(describeFailure(failure('ECONNRESET')).fault).toBe('closed');
});

it('includes the certificate, and the violated validity bound, only if it was rejected', () => {
  const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];
  const detailOf = (code: string, facts: ReturnType<typeof certificate>) =>
    describeFailure(failure(code), 'no', { refusedCertificate: new Map([[place, facts]]) });
  expect(detailOf('CERT_HAS_EXPIRED', certificate(past, past)).detail).toMatchObject({ validUntil: Date.parse(past) });
  expect(detailOf('CERT_NOT_YET_VALID', certificate(future, future)).detail).toMatchObject({
    validFrom: Date.parse(future),
  });
  const good = detailOf('DEPTH_ZERO_SELF_SIGNED_CERT', certificate(past, future));
  expect(good.certificate?.subject).toBe('CN=mcp.example');
  expect(Object.keys(good.detail ?? {})).not.toContain('validFrom');
  expect(Object.keys(good.detail ?? {})).not.toContain('validUntil');
  expect(detailOf('ECONNRESET', certificate(past, past)).certificate).toBeUndefined();
});

it.each([
  ['192.0.2.7', false, true],
  ['2001:db8::7', false, true],
  ['127.0.0.1', true, false],
  ['169.254.3.4', false, false],
  ['fe80::1', false, false],
])(
  'reports whether %s alone (loopback: %s) reaches other networks: %s (RFC 3927, RFC 4291 2.5.6)',
  (address, internal, is) => {
    const own = { address, internal, family: 'IPv4', netmask: '', mac: '', cidr: null } as const;
    expect(hasNetworkInterface({ lo: undefined, one: [own] })).toBe(is);
  },
);

it('reports the computer as offline if the name of a service in the catalog does not exist', async () => {
  const notFound = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  const url = new URL('https://mcp.notion.com/mcp');
  const notes = { openingTunnel: new Map(), refusedCertificate: new Map(), askedForCertificate: new Set<string>() };
  const context = { purpose: 'probe', stage: 'probe', url, notes, sent: 'no', hasResponse: false } as const;
  const described = describeRequestFailure(notFound, context);
  expect(described).toMatchObject({ fault: 'name-not-found' });
  expect(await asOffline(described, url)).toMatchObject({ fault: 'offline' });
});
