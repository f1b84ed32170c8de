import { createSocket } from 'node:dgram';
import type { SocketType } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { NetworkInterfaceInfo } from 'node:os';
import { errors } from 'undici';
import type { NetworkFault } from '../../../shared/error-catalog/network-errors.ts';
import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import type { CatalogDetail } from '../../../shared/error-detail.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { RequestPurpose } from '../../../shared/trace.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { HostUnreachable, LostRequest, UnsentRequest } from '../../errors/request-error.ts';
import type { CertificateFacts, RequestError } from '../../errors/request-error.ts';

interface RequestContext extends Progress {
  readonly purpose: RequestPurpose;
  readonly stage: Stage;
  readonly url: URL;
  readonly notes: ConnectionNotes;
}

/**
 * The typed form of an error from undici, the resolver, TLS or the connector, with the detail `{host, place, fault?,
 * reason?}`: `place` is the host with any non-default port, `fault` one of `networkFaults`.
 */
export function describeRequestFailure(error: unknown, context: RequestContext): UnsentRequest | LostRequest {
  const { purpose, stage, url, sent, notes } = context;
  const origin = hostAndPort(url);
  const endpoint = endpoints[purpose];
  const detail = {
    host: url.hostname,
    place: url.host,
    ...(endpoint !== undefined && { endpoint }),
  };
  if (error instanceof PosternError) {
    if (hasTrait(error, 'timeout') && sent === 'no') {
      return connectTimeout(error, { stage, detail, proxy: notes.openingTunnel.get(origin) });
    }
    return toRequestError(sent, UnsentRequest, error.code, {
      ...error.options,
      stage,
      purpose,
      detail: { ...detail, ...error.detail },
    });
  }
  const { code, fault, reason } = networkFaultOf(error, context);
  const wantsClientCertificate = fault === 'closed' && notes.askedForCertificate.has(origin);
  const reported = wantsClientCertificate ? 'tls-client-certificate' : fault;
  const certificate = reported?.startsWith('certificate-') ? notes.refusedCertificate.get(origin) : undefined;
  const Failure = singleHostCodes.has(reason) ? HostUnreachable : UnsentRequest;
  return toRequestError(sent, Failure, code, {
    purpose,
    stage,
    fault: reported,
    at: url.protocol === 'http:' ? 'http' : 'https',
    certificate,
    detail: {
      ...detail,
      ...(reason !== undefined && { reason }),
      ...validity(certificate),
    },
  });
}

/** The endpoint's name for the message. */
const endpoints: Readonly<Partial<Record<RequestPurpose, string>>> = {
  registration: 'registration',
  'registration-update': 'registration',
  'pushed-request': 'pushed-request',
  'device-authorization': 'device',
  token: 'token',
  refresh: 'token',
  revocation: 'revocation',
};

/** Faults that a computer without a network would show. */
const offlineFaults: ReadonlySet<NetworkFault> = new Set(['name-not-found', 'name-server-silent', 'unreachable']);
const singleHostCodes: ReadonlySet<string | undefined> = new Set(['EHOSTUNREACH', 'EHOSTDOWN']);

/** Turns the failure into `offline` if there is no network interface or no route, or a name that exists is unknown. */
export async function asOffline(error: unknown, { hostname }: Pick<URL, 'hostname'>): Promise<unknown> {
  if (!(error instanceof UnsentRequest) || error.at === 'proxy') return error;
  if (error.fault === undefined || !offlineFaults.has(error.fault)) return error;
  const isOffline =
    !hasNetworkInterface(networkInterfaces()) ||
    !(error instanceof HostUnreachable || (await hasRoute())) ||
    (error.fault === 'name-not-found' && (await import('../../../shared/known-servers.ts')).isKnownHost(hostname));
  return isOffline ? error.with({ fault: 'offline', remedy: undefined, blame: undefined }) : error;
}

/** Documentation addresses (RFC 5737, RFC 3849). Connecting a datagram socket looks up a route but sends nothing. */
async function hasRoute(): Promise<boolean> {
  const routes = await Promise.all([isRoutable('udp4', '192.0.2.1'), isRoutable('udp6', '2001:db8::1')]);
  return routes.includes(true);
}

function isRoutable(type: SocketType, address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createSocket(type);
  socket.once('error', () => resolve(false));
  socket.once('connect', () => resolve(true));
  socket.connect(9, address);
  return promise.finally(() => socket.close());
}

function toRequestError(
  sent: Sent,
  Unsent: typeof UnsentRequest,
  ...args: ConstructorParameters<typeof RequestError>
): UnsentRequest | LostRequest {
  return sent === 'no' ? new Unsent(...args) : new LostRequest(...args);
}

/** The deadline passed before there was a connection; blame the proxy if we were waiting for its tunnel. */
function connectTimeout(
  { cause, detail: own }: PosternError,
  { stage, detail, proxy }: { stage: Stage; detail: CatalogDetail; proxy: string | undefined },
): UnsentRequest {
  return new UnsentRequest(proxy === undefined ? 'DEADLINE' : 'PROXY_FAIL', {
    stage,
    cause,
    fault: 'connect-timeout',
    at: proxy === undefined ? 'https' : 'proxy',
    detail: { ...detail, ...own, ...(proxy !== undefined && { proxy }) },
  });
}

/** The violated bound, in milliseconds since 1970; in a chain, another certificate may be the expired one. */
export function validity(certificate: CertificateFacts | undefined): Pick<CatalogDetail, 'validFrom' | 'validUntil'> {
  if (certificate === undefined) return {};
  const [validFrom, validUntil] = [Date.parse(certificate.validFrom), Date.parse(certificate.validUntil)];
  const now = Date.now();
  return { ...(validUntil < now && { validUntil }), ...(validFrom > now && { validFrom }) };
}

/** `no`: the request has certainly not left. `maybe`: the server may have received and processed it. */
type Sent = 'no' | 'maybe';

/** How far the request got. */
interface Progress {
  readonly sent: Sent;
  /** The response headers have arrived. */
  readonly hasResponse: boolean;
}

interface NetworkFailure {
  readonly code: Extract<ErrorCode, 'DNS_FAIL' | 'TLS_FAIL' | 'CONNECT_FAIL' | 'HEADERS_TOO_LARGE'>;
  readonly fault?: NetworkFault;
  /** The library's error code, never its message: undici may quote a whole header value, token included. */
  readonly reason?: string;
}

const unknownHostCodes = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA']);
const dnsFailureCodes = new Set(['EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL', 'ETIMEOUT', 'ECANCELLED', 'EREFUSED']);
const unreachableCodes = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']);
const closedCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);
const overflowCodes = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW']);

/** Verification results of OpenSSL and Node. Any other rejected certificate is `certificate-refused`. */
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

/** Received data that is not a TLS record (RFC 8446 section 5.1). */
const notTlsCodes = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_HTTP_REQUEST']);
/** Alerts (RFC 8446 section 6.2) about the receiver's own certificate. */
const certificateAlert =
  /_ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_UNKNOWN)$/;
const tlsCode = /^(?:ERR_TLS_|ERR_SSL_|EPROTO$)/;

/** Classifies an error of undici, the resolver, TLS or the socket. */
export function networkFaultOf(error: unknown, { sent, hasResponse }: Progress): NetworkFailure {
  const reason = readCode(error);
  const problem = (code: NetworkFailure['code'], fault?: NetworkFault): NetworkFailure => ({
    code,
    ...(fault && { fault }),
    ...(reason !== '' && { reason }),
  });
  if (unknownHostCodes.has(reason)) return problem('DNS_FAIL', 'name-not-found');
  if (dnsFailureCodes.has(reason) || reason.startsWith('EAI_')) return problem('DNS_FAIL', 'name-server-silent');
  if (overflowCodes.has(reason)) return problem('HEADERS_TOO_LARGE');
  if (reason === 'ETIMEDOUT' && sent === 'no') return problem('CONNECT_FAIL', 'connect-timeout');
  if (reason === 'ECONNREFUSED') return problem('CONNECT_FAIL', 'refused');
  if (unreachableCodes.has(reason)) return problem('CONNECT_FAIL', 'unreachable');
  // TLS 1.3 sends it after the handshake, but before the server reads a request (RFC 8446 section 4.4.2.4).
  if (tlsCode.test(reason) && certificateAlert.test(reason)) return problem('TLS_FAIL', 'tls-client-certificate');
  if (sent === 'no') {
    const fault = certificateFaults[reason] ?? (certificateCode.test(reason) ? 'certificate-refused' : undefined);
    if (fault) return problem('TLS_FAIL', fault);
    if (notTlsCodes.has(reason)) return problem('TLS_FAIL', 'tls-not-spoken');
    if (tlsCode.test(reason)) return problem('TLS_FAIL', 'tls-handshake');
  }
  return problem('CONNECT_FAIL', responseFault(error, reason, hasResponse));
}

function responseFault(error: unknown, reason: string, hasResponse: boolean): NetworkFault | undefined {
  if (isParserError(error)) {
    if (!hasResponse && /^[\u0015\u0016]\u0003/.test(error.data ?? '')) return 'tls-spoken';
    return hasResponse || (error.data ?? '').startsWith('HTTP/') ? 'broken-http' : 'not-http';
  }
  // A 101 response although we did not ask for an upgrade.
  if (error instanceof Error && error.message === 'bad upgrade') return 'broken-http';
  if (reason === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'broken-http';
  // Once the request is sent, the certificate was accepted: a later TLS error means a broken connection.
  if (closedCodes.has(reason) || tlsCode.test(reason)) return hasResponse ? 'cut-off' : 'closed';
  return undefined;
}

/** `data` starts where the parser stopped. */
function isParserError(error: unknown): error is Error & { readonly data?: string } {
  return error instanceof errors.HTTPParserError;
}

/** Several failed addresses come as an AggregateError; the first is enough. */
function readCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_/]{0,59}$/.test(code)) return code;
  return error instanceof AggregateError ? readCode(error.errors[0]) : '';
}

export type NetworkInterfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Whether any non-loopback interface has an address that is not link-local. */
export function hasNetworkInterface(interfaces: NetworkInterfaces): boolean {
  return Object.values(interfaces).some((addresses) =>
    addresses?.some(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address)),
  );
}

/** What connecting to a `host:port` revealed, for the message of a failing request. */
export interface ConnectionNotes {
  /** `host:port`s that ask for a client certificate. */
  readonly askedForCertificate: Set<string>;
  /** By `host:port`: its last certificate, if the TLS handshake failed. */
  readonly refusedCertificate: Map<string, CertificateFacts>;
  /** By `host:port`: the proxy that is opening a tunnel to it. */
  readonly openingTunnel: Map<string, string>;
}

/** `host:port`, with the default port filled in. */
export function hostAndPort({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
