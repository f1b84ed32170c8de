import type { NetworkFault } from '../../../shared/error-catalogue/network-errors.ts';
import type { CatalogueDetail } from '../../../shared/error-detail.ts';
import { createSocket } from 'node:dgram';
import type { SocketType } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { NetworkInterfaceInfo } from 'node:os';
import { errors } from 'undici';
import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { RequestPurpose } from '../../ports.ts';
import { PosternError } from '../../errors/postern-error.ts';

import { HostAway, LostRequest, UnsentRequest } from '../../errors/request-error.ts';
import type { CertificateFacts, RequestError } from '../../errors/request-error.ts';

interface RequestContext extends Progress {
  readonly purpose: RequestPurpose;
  readonly stage: Stage;
  readonly url: URL;
  readonly notes: ConnectionNotes;
}

/**
 * The typed form of whatever undici, the resolver, TLS or the connector reports, with detail `{host, place, fault?,
 * reason?}`: `place` is the host, with its port where that is not the usual one, `fault` one of
 * `networkFaults`.
 */
export function describeRequestFailure(error: unknown, context: RequestContext): UnsentRequest | LostRequest {
  const { purpose, stage, url, sent, notes } = context;
  const place = placeOf(url);
  const endpoint = endpoints[purpose];
  const detail = {
    host: url.hostname,
    place: url.host,
    ...(endpoint !== undefined && { endpoint }),
  };
  if (error instanceof PosternError) {
    if (isAbout(error, 'timeout') && sent === 'no') {
      return connectTimeout(error, { stage, detail, proxy: notes.openingThrough.get(place) });
    }
    return as(sent, UnsentRequest, error.code, {
      ...error.options,
      stage,
      purpose,
      detail: { ...detail, ...error.detail },
    });
  }
  const { code, fault, reason } = networkFaultOf(error, context);
  const isAskedWho = fault === 'closed' && notes.askedForCertificate.has(place);
  const told = isAskedWho ? 'tls-client-certificate' : fault;
  const certificate = told?.startsWith('certificate-') ? notes.refusedCertificate.get(place) : undefined;
  const Failure = ofOneHost.has(reason) ? HostAway : UnsentRequest;
  return as(sent, Failure, code, {
    purpose,
    stage,
    fault: told,
    at: url.protocol === 'http:' ? 'http' : 'https',
    certificate,
    detail: {
      ...detail,
      ...(reason !== undefined && { reason }),
      ...validity(certificate),
    },
  });
}

/** What of a sign-in service answers there, for the sentence. */
const endpoints: Readonly<Partial<Record<RequestPurpose, string>>> = {
  registration: 'registration',
  'registration-update': 'registration',
  'pushed-request': 'pushed-request',
  'device-authorization': 'device',
  token: 'token',
  refresh: 'token',
  revocation: 'revocation',
};

/** What a computer without a network shows. */
const seenOffline: ReadonlySet<NetworkFault> = new Set(['name-not-found', 'name-server-silent', 'unreachable']);
const ofOneHost: ReadonlySet<string | undefined> = new Set(['EHOSTUNREACH', 'EHOSTDOWN']);

/** The same failure as `offline`, where that is what it comes of: no address, or no route that leads anywhere. */
export async function orOffline(error: unknown): Promise<unknown> {
  if (!(error instanceof UnsentRequest) || error.at === 'proxy') return error;
  if (error.fault === undefined || !seenOffline.has(error.fault)) return error;
  const isOffline = !isLinked(networkInterfaces()) || !(error instanceof HostAway || (await hasRoute()));
  return isOffline ? error.with({ fault: 'offline', remedy: undefined, blame: undefined }) : error;
}

/** Addresses of no host (RFC 5737, RFC 3849). To connect a datagram socket looks for a route, and sends nothing. */
async function hasRoute(): Promise<boolean> {
  const routes = await Promise.all([leadsOut('udp4', '192.0.2.1'), leadsOut('udp6', '2001:db8::1')]);
  return routes.includes(true);
}

function leadsOut(type: SocketType, address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createSocket(type);
  socket.once('error', () => resolve(false));
  socket.once('connect', () => resolve(true));
  socket.connect(9, address);
  return promise.finally(() => socket.close());
}

function as(
  sent: Sent,
  Unsent: typeof UnsentRequest,
  ...told: ConstructorParameters<typeof RequestError>
): UnsentRequest | LostRequest {
  return sent === 'no' ? new Unsent(...told) : new LostRequest(...told);
}

/**
 * The time of the whole exchange was over before there was a connection: the fault of the proxy that was still asked.
 */
function connectTimeout(
  { cause, detail: own }: PosternError,
  { stage, detail, proxy }: { stage: Stage; detail: CatalogueDetail; proxy: string | undefined },
): UnsentRequest {
  return new UnsentRequest(proxy === undefined ? 'DEADLINE' : 'PROXY_FAIL', {
    stage,
    cause,
    fault: 'connect-timeout',
    at: proxy === undefined ? 'https' : 'proxy',
    detail: { ...detail, ...own, ...(proxy !== undefined && { proxy }) },
  });
}

/** The end that was wrong, in milliseconds since 1970; of a chain it may be that of another certificate. */
export function validity(certificate: CertificateFacts | undefined): Pick<CatalogueDetail, 'validFrom' | 'validUntil'> {
  if (certificate === undefined) return {};
  const [validFrom, validUntil] = [Date.parse(certificate.validFrom), Date.parse(certificate.validUntil)];
  const now = Date.now();
  return { ...(validUntil < now && { validUntil }), ...(validFrom > now && { validFrom }) };
}

/** `no`: it has surely not left. `maybe`: the server may have received and obeyed it. */
type Sent = 'no' | 'maybe';

/** How far the request had come. */
interface Progress {
  readonly sent: Sent;
  /** The head of an answer has come. */
  readonly answered: boolean;
}

interface NetworkProblem {
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
  const problem = (code: NetworkProblem['code'], fault?: NetworkFault): NetworkProblem => ({
    code,
    ...(fault && { fault }),
    ...(reason !== '' && { reason }),
  });
  if (unknownNames.has(reason)) return problem('DNS_FAIL', 'name-not-found');
  if (silentNameServers.has(reason) || reason.startsWith('EAI_')) return problem('DNS_FAIL', 'name-server-silent');
  if (overflows.has(reason)) return problem('HEADERS_TOO_LARGE');
  if (reason === 'ETIMEDOUT' && sent === 'no') return problem('CONNECT_FAIL', 'connect-timeout');
  if (reason === 'ECONNREFUSED') return problem('CONNECT_FAIL', 'refused');
  if (unreachable.has(reason)) return problem('CONNECT_FAIL', 'unreachable');
  // TLS 1.3 tells it after its handshake, and before the server has read a request (RFC 8446 section 4.4.2.4).
  if (tlsCode.test(reason) && wantsCertificate.test(reason)) return problem('TLS_FAIL', 'tls-client-certificate');
  if (sent === 'no') {
    const fault = certificateFaults[reason] ?? (certificateCode.test(reason) ? 'certificate-refused' : undefined);
    if (fault) return problem('TLS_FAIL', fault);
    if (notTls.has(reason)) return problem('TLS_FAIL', 'tls-not-spoken');
    if (tlsCode.test(reason)) return problem('TLS_FAIL', 'tls-handshake');
  }
  return problem('CONNECT_FAIL', answerFault(error, reason, answered));
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

/** What connecting to a place (`host:port`) showed, for the sentence about a request there that fails. */
export interface ConnectionNotes {
  /** Places whose servers ask for a client certificate. */
  readonly askedForCertificate: Set<string>;
  /** The certificates that were shown last by places to which no TLS came about. */
  readonly refusedCertificate: Map<string, CertificateFacts>;
  /** Proxies that are being asked right now to open a tunnel. */
  readonly openingThrough: Map<string, string>;
}

/** What tells places apart: a host with its port, written out. */
export function placeOf({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
