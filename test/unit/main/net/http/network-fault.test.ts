import { errors } from 'undici';
import { expect, it } from 'vitest';
import { networkFaultOf } from '../../../../../main/net/http/request-failure.ts';

const unsent = { sent: 'no', answered: false } as const;
const sent = { sent: 'maybe', answered: false } as const;
const answered = { sent: 'maybe', answered: true } as const;

const failure = (code: unknown, message = ''): Error => Object.assign(new Error(message), { code });
const parserError = (data: string | undefined): Error => Object.assign(new errors.HTTPParserError(), { data });

it.each([
  ['a name that nobody knows', 'ENOTFOUND', 'DNS_FAIL', 'name-not-found'],
  ['a name server that does not answer', 'EAI_AGAIN', 'DNS_FAIL', 'name-server-silent'],
  ['a name server that fails', 'ESERVFAIL', 'DNS_FAIL', 'name-server-silent'],
  ['a failure of a name server that is in no list', 'EAI_MEMORY', 'DNS_FAIL', 'name-server-silent'],
  ['nobody who listens', 'ECONNREFUSED', 'CONNECT_FAIL', 'refused'],
  ['nobody who answers', 'ETIMEDOUT', 'CONNECT_FAIL', 'connect-timeout'],
  ['no way there', 'EHOSTUNREACH', 'CONNECT_FAIL', 'unreachable'],
  ['a self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS_FAIL', 'certificate-self-signed'],
  ['a certificate that has expired', 'CERT_HAS_EXPIRED', 'TLS_FAIL', 'certificate-expired'],
  ['a certificate that is refused for anything else', 'CERT_REVOKED', 'TLS_FAIL', 'certificate-refused'],
  ['bytes that are no TLS record (RFC 8446 5.1)', 'ERR_SSL_WRONG_VERSION_NUMBER', 'TLS_FAIL', 'tls-not-spoken'],
  ['a handshake that fails', 'ERR_SSL_NO_SHARED_CIPHER', 'TLS_FAIL', 'tls-handshake'],
  ['a connection that ends', 'ECONNRESET', 'CONNECT_FAIL', 'closed'],
  ['a code that no list has', 'EMFILE', 'CONNECT_FAIL', undefined],
])('before a request has left, names %s', (_, code, expected, fault) => {
  expect(networkFaultOf(failure(code), unsent)).toEqual({ code: expected, reason: code, ...(fault && { fault }) });
});

it.each([
  ['is not said to be a refused certificate', 'CERT_HAS_EXPIRED', undefined],
  ['is not said to be a server without TLS', 'ERR_SSL_WRONG_VERSION_NUMBER', 'closed'],
  ['is not said to be a handshake', 'ERR_SSL_BAD_RECORD_TYPE', 'closed'],
  ['is not said to be a slow connection', 'ETIMEDOUT', undefined],
  ['is a connection that ended', 'UND_ERR_SOCKET', 'closed'],
  ['is broken HTTP if the length is wrong', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'broken-http'],
])('what goes wrong once a request is on its way %s (%s)', (_, code, fault) => {
  expect(networkFaultOf(failure(code), sent)).toEqual({ code: 'CONNECT_FAIL', reason: code, ...(fault && { fault }) });
});

it.each([['ECONNRESET'], ['ERR_SSL_BAD_RECORD_TYPE']])('is cut off by %s after the head of an answer', (code) => {
  expect(networkFaultOf(failure(code), answered).fault).toBe('cut-off');
});

it.each([
  ['before', unsent],
  ['after', sent],
])('is asked who it is by an alert %s the request (RFC 8446 4.4.2.4, 6.2)', (_, progress) => {
  expect(networkFaultOf(failure('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), progress)).toMatchObject({
    code: 'TLS_FAIL',
    fault: 'tls-client-certificate',
  });
});

it('takes no error for an alert that only ends like one', () => {
  expect(networkFaultOf(failure('X_ALERT_BAD_CERTIFICATE'), unsent).fault).toBeUndefined();
});

it.each([['UND_ERR_HEADERS_OVERFLOW'], ['HPE_HEADER_OVERFLOW']])('says of %s that the head is too large', (code) => {
  expect(networkFaultOf(failure(code), answered)).toEqual({ code: 'HEADERS_TOO_LARGE', reason: code });
});

it.each([
  ['a TLS alert in answer to plain HTTP', '\u0015\u0003\u0001\u0000\u0002', sent, 'tls-spoken'],
  ['a TLS alert inside an answer', '\u0015\u0003\u0001\u0000\u0002', answered, 'broken-http'],
  ['anything but HTTP', 'SSH-2.0-OpenSSH_9.7\r\n', sent, 'not-http'],
  ['nothing to show', undefined, sent, 'not-http'],
  ['HTTP that breaks in its head', 'HTTP/1.1 2x0', sent, 'broken-http'],
  ['what breaks after the head', 'zz\r\n', answered, 'broken-http'],
] as const)('reads from what the parser stopped at: %s', (_, data, progress, fault) => {
  expect(networkFaultOf(parserError(data), progress).fault).toBe(fault);
});

it('takes an upgrade that nobody asked for (RFC 9110 15.2.2) as broken HTTP, and no other error of that code', () => {
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
  ['a text that a server may have written', 'Bearer abc'],
  ['a text beyond 60 characters', 'E'.repeat(61)],
  ['a number', 7],
  ['nothing', undefined],
])('passes on as a reason no %s', (_, code) => {
  expect(networkFaultOf(failure(code), unsent)).toEqual({ code: 'CONNECT_FAIL' });
});

it('reads no code of what is no error', () => {
  expect(networkFaultOf({ code: 'ECONNREFUSED' }, unsent)).toEqual({ code: 'CONNECT_FAIL' });
});
