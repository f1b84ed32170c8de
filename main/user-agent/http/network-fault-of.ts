import type { NetworkInterfaceInfo } from 'node:os';
import { errors } from 'undici';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import type { NetworkFault } from '../../../shared/network-fault.ts';

/** `no`: it has surely not left. `maybe`: the server may have received and obeyed it. */
export type Sent = 'no' | 'maybe';

/** How far the request had come. */
export interface Progress {
  readonly sent: Sent;
  /** The head of an answer has come. */
  readonly answered: boolean;
}

export interface NetworkProblem {
  readonly code: Extract<ErrorCode, 'DNS_FAIL' | 'TLS_FAIL' | 'CONNECT_FAIL' | 'HEADERS_TOO_LARGE'>;
  readonly fault?: NetworkFault;
  /** The library's code, never its text: an error of undici may quote a whole header value, token included. */
  readonly reason?: string;
}

const unknownNames = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA']);
const silentNameServers = new Set(['EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL', 'ETIMEOUT', 'ECANCELLED', 'EREFUSED']);
const unreachable = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']);
const ended = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);
const overflows = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

/** OpenSSL's verification results and those of Node. Any other certificate that is refused is `certificate-refused`. */
const certificateFaults: Readonly<Record<string, NetworkFault>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate-self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate-unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate-unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate-unknown-authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate-unknown-authority',
  CERT_UNTRUSTED: 'certificate-unknown-authority',
  CERT_HAS_EXPIRED: 'certificate-expired',
  CERT_NOT_YET_VALID: 'certificate-not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-wrong-name',
  ERR_TLS_CERT_ALTNAME_FORMAT: 'certificate-wrong-name',
  HOSTNAME_MISMATCH: 'certificate-wrong-name',
};
const certificateCode =
  /^(?:CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|PATH_LENGTH_|INVALID_(?:CA|PURPOSE)|AKID_|SUBJECT_ISSUER_|UNSPECIFIED$)/;

/** Bytes that are no TLS record where one has to be (RFC 8446 section 5.1). */
const notTls = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST']);
/** Alerts (RFC 8446 section 6.2) that speak of the certificate of the one who receives them. */
const wantsCertificate =
  /_ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_UNKNOWN)$/;
const tlsCode = /^(?:ERR_TLS_|ERR_SSL_|EPROTO$)/;

/** What an error of undici, the resolver, TLS or the socket says, as one of the known faults. */
export function networkFaultOf(error: unknown, { sent, answered }: Progress): NetworkProblem {
  const reason = readCode(error);
  const as = (code: NetworkProblem['code'], fault?: NetworkFault): NetworkProblem => ({
    code,
    ...(fault && { fault }),
    ...(reason !== '' && { reason }),
  });
  if (unknownNames.has(reason)) return as('DNS_FAIL', 'name-not-found');
  if (silentNameServers.has(reason) || reason.startsWith('EAI_')) return as('DNS_FAIL', 'name-server-silent');
  if (overflows.has(reason)) return as('HEADERS_TOO_LARGE');
  if (reason === 'ETIMEDOUT' && sent === 'no') return as('CONNECT_FAIL', 'connect-timeout');
  if (reason === 'ECONNREFUSED') return as('CONNECT_FAIL', 'refused');
  if (unreachable.has(reason)) return as('CONNECT_FAIL', 'unreachable');
  // TLS 1.3 tells it after its handshake, and before the server has read a request (RFC 8446 section 4.4.2.4).
  if (tlsCode.test(reason) && wantsCertificate.test(reason)) return as('TLS_FAIL', 'tls-client-certificate');
  if (sent === 'no') {
    const fault = certificateFaults[reason] ?? (certificateCode.test(reason) ? 'certificate-refused' : undefined);
    if (fault) return as('TLS_FAIL', fault);
    if (notTls.has(reason)) return as('TLS_FAIL', 'tls-not-spoken');
    if (tlsCode.test(reason)) return as('TLS_FAIL', 'tls-handshake');
  }
  return as('CONNECT_FAIL', answerFault(error, reason, answered));
}

function answerFault(error: unknown, reason: string, answered: boolean): NetworkFault | undefined {
  if (isParserError(error)) {
    if (!answered && /^[\u0015\u0016]\u0003/.test(error.data ?? '')) return 'tls-spoken';
    return answered || (error.data ?? '').startsWith('HTTP/') ? 'broken-http' : 'not-http';
  }
  // An answer of 101 to a request that asked for no other protocol.
  if (error instanceof Error && error.message === 'bad upgrade') return 'broken-http';
  if (reason === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'broken-http';
  // Once the request is on its way the certificate has been accepted: a TLS error then is a broken connection.
  if (ended.has(reason) || tlsCode.test(reason)) return answered ? 'cut-off' : 'closed';
  return undefined;
}

/** `data` begins where the parser stopped. */
function isParserError(error: unknown): error is Error & { readonly data?: string } {
  return error instanceof errors.HTTPParserError;
}

/** Several failed addresses come as an AggregateError; the first tells enough. */
function readCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const own = 'code' in error ? error.code : undefined;
  if (typeof own === 'string' && /^[A-Z][A-Z0-9_/]{0,59}$/.test(own)) return own;
  return error instanceof AggregateError ? readCode(error.errors[0]) : '';
}

export type NetworkInterfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Whether any interface but the loopback one has an address that leads further than its own link. */
export function isLinked(interfaces: NetworkInterfaces): boolean {
  return Object.values(interfaces).some((addresses) =>
    addresses?.some(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address)),
  );
}
