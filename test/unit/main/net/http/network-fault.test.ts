import { errors } from 'undici';
import { expect, it } from 'vitest';
import { networkFaultOf } from '../../../../../main/net/http/request-failure.ts';

const unsent = { sent: 'no', hasResponse: false } as const;
const sent = { sent: 'maybe', hasResponse: false } as const;
const responded = { sent: 'maybe', hasResponse: true } as const;

const failure = (code: unknown, message = ''): Error => Object.assign(new Error(message), { code });
const parserError = (data: string | undefined): Error => Object.assign(new errors.HTTPParserError(), { data });

it.each([
  ['an unknown host name', 'ENOTFOUND', 'DNS_FAIL', 'name-not-found'],
  ['a name server that does not answer', 'EAI_AGAIN', 'DNS_FAIL', 'name-server-silent'],
  ['a name server that fails', 'ESERVFAIL', 'DNS_FAIL', 'name-server-silent'],
  ['an unlisted name server failure', 'EAI_MEMORY', 'DNS_FAIL', 'name-server-silent'],
  ['a closed port', 'ECONNREFUSED', 'CONNECT_FAIL', 'refused'],
  ['a connection timeout', 'ETIMEDOUT', 'CONNECT_FAIL', 'connect-timeout'],
  ['an unreachable host', 'EHOSTUNREACH', 'CONNECT_FAIL', 'unreachable'],
  ['a self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS_FAIL', 'certificate-self-signed'],
  ['a certificate that has expired', 'CERT_HAS_EXPIRED', 'TLS_FAIL', 'certificate-expired'],
  ['a certificate rejected for another reason', 'CERT_REVOKED', 'TLS_FAIL', 'certificate-refused'],
  ['bytes that are not a TLS record (RFC 8446 5.1)', 'ERR_SSL_WRONG_VERSION_NUMBER', 'TLS_FAIL', 'tls-not-spoken'],
  ['a handshake that fails', 'ERR_SSL_NO_SHARED_CIPHER', 'TLS_FAIL', 'tls-handshake'],
  ['a connection that ends', 'ECONNRESET', 'CONNECT_FAIL', 'closed'],
  ['an unlisted code', 'EMFILE', 'CONNECT_FAIL', undefined],
])('reports, before the request was sent, %s', (_, code, expected, fault) => {
  expect(networkFaultOf(failure(code), unsent)).toEqual({ code: expected, reason: code, ...(fault && { fault }) });
});

it.each([
  ['is not reported as a rejected certificate', 'CERT_HAS_EXPIRED', undefined],
  ['is not reported as a server without TLS', 'ERR_SSL_WRONG_VERSION_NUMBER', 'closed'],
  ['is not reported as a failed handshake', 'ERR_SSL_BAD_RECORD_TYPE', 'closed'],
  ['is not reported as a slow connection', 'ETIMEDOUT', undefined],
  ['is reported as a closed connection', 'UND_ERR_SOCKET', 'closed'],
  ['is reported as broken HTTP if the length is wrong', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'broken-http'],
])('a failure after the request was sent %s (%s)', (_, code, fault) => {
  expect(networkFaultOf(failure(code), sent)).toEqual({ code: 'CONNECT_FAIL', reason: code, ...(fault && { fault }) });
});

it.each([['ECONNRESET'], ['ERR_SSL_BAD_RECORD_TYPE']])(
  'reports a truncated response for %s after the headers',
  (code) => {
    expect(networkFaultOf(failure(code), responded).fault).toBe('cut-off');
  },
);

it.each([
  ['before', unsent],
  ['after', sent],
])('reports a required client certificate after an alert %s the request (RFC 8446 4.4.2.4, 6.2)', (_, progress) => {
  expect(networkFaultOf(failure('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), progress)).toMatchObject({
    code: 'TLS_FAIL',
    fault: 'tls-client-certificate',
  });
});

it('does not mistake an error with a similar suffix for an alert', () => {
  expect(networkFaultOf(failure('X_ALERT_BAD_CERTIFICATE'), unsent).fault).toBeUndefined();
});

it.each([['UND_ERR_HEADERS_OVERFLOW'], ['HPE_HEADER_OVERFLOW']])('reports %s as headers that are too large', (code) => {
  expect(networkFaultOf(failure(code), responded)).toEqual({ code: 'HEADERS_TOO_LARGE', reason: code });
});

it.each([
  ['a TLS alert in response to plain HTTP', '\u0015\u0003\u0001\u0000\u0002', sent, 'tls-spoken'],
  ['a TLS alert inside a response', '\u0015\u0003\u0001\u0000\u0002', responded, 'broken-http'],
  ['anything but HTTP', 'SSH-2.0-OpenSSH_9.7\r\n', sent, 'not-http'],
  ['no data', undefined, sent, 'not-http'],
  ['a broken status line', 'HTTP/1.1 2x0', sent, 'broken-http'],
  ['a broken body', 'zz\r\n', responded, 'broken-http'],
] as const)('classifies what the parser stopped at: %s', (_, data, progress, fault) => {
  expect(networkFaultOf(parserError(data), progress).fault).toBe(fault);
});

it('reports an unrequested upgrade (RFC 9110 15.2.2) as broken HTTP, and no other error of that code', () => {
  expect(networkFaultOf(failure('UND_ERR_ABORTED', 'bad upgrade'), sent).fault).toBe('broken-http');
  expect(networkFaultOf(failure('UND_ERR_ABORTED', 'aborted'), sent).fault).toBeUndefined();
  expect(networkFaultOf({ message: 'bad upgrade' }, sent).fault).toBeUndefined();
});

it('reads the first of several addresses that failed', () => {
  const several = new AggregateError([failure('ECONNREFUSED'), failure('ENETUNREACH')]);
  expect(networkFaultOf(several, unsent).fault).toBe('refused');
  const other = Object.assign(new Error(''), { errors: [failure('ECONNREFUSED')] });
  expect(networkFaultOf(other, unsent)).toEqual({ code: 'CONNECT_FAIL' });
});

it.each([
  ['a text that a server may have sent', 'Bearer abc'],
  ['a text beyond 60 characters', 'E'.repeat(61)],
  ['a number', 7],
  ['nothing', undefined],
])('reports as a reason no %s', (_, code) => {
  expect(networkFaultOf(failure(code), unsent)).toEqual({ code: 'CONNECT_FAIL' });
});

it('ignores the code of a value that is not an Error', () => {
  expect(networkFaultOf({ code: 'ECONNREFUSED' }, unsent)).toEqual({ code: 'CONNECT_FAIL' });
});
