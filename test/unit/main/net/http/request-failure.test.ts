import { expect, it } from 'vitest';
import { PosternError, toPlainError } from '../../../../../main/errors/postern-error.ts';
import { HostAway, LostRequest, UnsentRequest } from '../../../../../main/errors/request-error.ts';
import { describeRequestFailure, isLinked } from '../../../../../main/net/http/request-failure.ts';
import type { ConnectionNotes } from '../../../../../main/net/http/request-failure.ts';

const place = 'mcp.example:443';

function describeFailure(error: unknown, sent: 'no' | 'maybe' = 'no', notes: Partial<ConnectionNotes> = {}) {
  return describeRequestFailure(error, {
    purpose: 'mcp',
    stage: 'connection',
    url: new URL('https://mcp.example/mcp'),
    sent,
    answered: false,
    notes: { askedForCertificate: new Set(), refusedCertificate: new Map(), openingThrough: new Map(), ...notes },
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
    answered: false,
    notes: { askedForCertificate: new Set(), refusedCertificate: new Map(), openingThrough: new Map() },
  });

it.each([
  ['https://mcp.example/mcp', 'mcp.example '],
  ['https://mcp.example:443/mcp', 'mcp.example '],
  ['http://mcp.example/mcp', 'mcp.example '],
  ['https://mcp.example:8443/mcp', 'mcp.example:8443 '],
  ['http://127.0.0.1:443/mcp', '127.0.0.1:443 '],
])('at %s names the port only where it is not the usual one', (url, named) => {
  const { code, message } = toPlainError(failureAt(url));
  expect(code).toBe('CONNECT_FAIL');
  expect(message.startsWith(named)).toBe(true);
});

it('may have been carried out where it may have left', () => {
  expect(describeFailure(failure('ECONNRESET'), 'no')).toBeInstanceOf(UnsentRequest);
  expect(describeFailure(failure('ECONNRESET'), 'maybe')).toBeInstanceOf(LostRequest);
});

it('says that one host is away only where the network says so of that host', () => {
  expect(describeFailure(failure('EHOSTUNREACH'))).toBeInstanceOf(HostAway);
  expect(describeFailure(failure('ENETUNREACH'))).not.toBeInstanceOf(HostAway);
});

it('blames the proxy that was still asked when the time was over', () => {
  const late = new PosternError('DEADLINE', { stage: 'probe' });
  const openingThrough = new Map([[place, 'proxy.example:3128']]);
  expect(describeFailure(late, 'no', { openingThrough })).toMatchObject({
    code: 'PROXY_FAIL',
    fault: 'connect-timeout',
  });
  expect(describeFailure(late, 'no')).toMatchObject({ code: 'DEADLINE', fault: 'connect-timeout' });
  // Once it has left, the server is the one that is slow.
  expect(describeFailure(late, 'maybe', { openingThrough })).toMatchObject({ code: 'DEADLINE', fault: undefined });
});

it('passes on an error of ours that is no timeout as what it is', () => {
  const blocked = new PosternError('DNS_REBIND', { stage: 'probe' });
  expect(describeFailure(blocked)).toMatchObject({ code: 'DNS_REBIND', stage: 'connection', fault: undefined });
});

it('takes a connection that ends for a refusal of who we are only where the server had asked (RFC 8446 4.3.2)', () => {
  const askedForCertificate = new Set([place]);
  expect(describeFailure(failure('ECONNRESET'), 'no', { askedForCertificate }).fault).toBe('tls-client-certificate');
  expect(describeFailure(failure('ECONNREFUSED'), 'no', { askedForCertificate }).fault).toBe('refused');
  expect(describeFailure(failure('ECONNRESET')).fault).toBe('closed');
});

it('shows the certificate, and which end of its time was wrong, only where it was refused', () => {
  const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];
  const shown = (code: string, facts: ReturnType<typeof certificate>) =>
    describeFailure(failure(code), 'no', { refusedCertificate: new Map([[place, facts]]) });
  expect(shown('CERT_HAS_EXPIRED', certificate(past, past)).detail).toMatchObject({ validUntil: Date.parse(past) });
  expect(shown('CERT_NOT_YET_VALID', certificate(future, future)).detail).toMatchObject({
    validFrom: Date.parse(future),
  });
  const good = shown('DEPTH_ZERO_SELF_SIGNED_CERT', certificate(past, future));
  expect(good.certificate?.subject).toBe('CN=mcp.example');
  expect(Object.keys(good.detail ?? {})).not.toContain('validFrom');
  expect(Object.keys(good.detail ?? {})).not.toContain('validUntil');
  expect(shown('ECONNRESET', certificate(past, past)).certificate).toBeUndefined();
});

it.each([
  ['192.0.2.7', false, true],
  ['2001:db8::7', false, true],
  ['127.0.0.1', true, false],
  ['169.254.3.4', false, false],
  ['fe80::1', false, false],
])('with %s alone (loopback: %s) may reach other networks: %s (RFC 3927, RFC 4291 2.5.6)', (address, internal, is) => {
  const own = { address, internal, family: 'IPv4', netmask: '', mac: '', cidr: null } as const;
  expect(isLinked({ lo: undefined, one: [own] })).toBe(is);
});
