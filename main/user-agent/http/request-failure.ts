import { networkInterfaces } from 'node:os';
import { headerBytes } from '../../limits.ts';
import type { ErrorDetail } from '../../postern-error.ts';
import { PosternError } from '../../postern-error.ts';
import { LostRequest, UnsentRequest } from '../../request-error.ts';
import type { CertificateFacts, RequestError } from '../../request-error.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import type { NetworkFault } from '../../../shared/network-fault.ts';
import type { RequestPurpose } from '../../ports.ts';
import { placeOf } from './connection-notes.ts';
import type { ConnectionNotes } from './connection-notes.ts';
import { isLinked, networkFaultOf } from './network-fault-of.ts';
import type { Progress, Sent } from './network-fault-of.ts';

export interface RequestContext extends Progress {
  readonly purpose: RequestPurpose;
  readonly stage: Stage;
  readonly url: URL;
  readonly notes: ConnectionNotes;
}

/**
 * The typed form of whatever undici, the resolver, TLS or the connector reports, with detail `{host, place, scheme,
 * fault?, reason?}`: `place` is the host, with its port where that is not the usual one, `fault` one of
 * `networkFaults`.
 */
export function describeRequestFailure(error: unknown, context: RequestContext): UnsentRequest | LostRequest {
  const { purpose, stage, url, sent, notes } = context;
  const place = placeOf(url);
  const endpoint = endpoints[purpose];
  const detail = {
    host: url.hostname,
    place: url.host,
    scheme: url.protocol.slice(0, -1),
    ...(endpoint !== undefined && { endpoint }),
  };
  if (error instanceof PosternError) {
    if (error.code === 'DEADLINE' && sent === 'no') {
      return connectTimeout(error, { stage, detail, proxy: notes.openingThrough.get(place) });
    }
    return as(sent, error.code, { ...error.options, stage, purpose, detail: { ...detail, ...error.detail } });
  }
  const { code, fault: found, reason } = networkFaultOf(error, context);
  const fault = isOffline(found) ? 'offline' : found;
  const isAskedWho = fault === 'closed' && notes.askedForCertificate.has(place);
  const told = isAskedWho ? 'tls-client-certificate' : fault;
  const certificate = told?.startsWith('certificate-') ? notes.refusedCertificate.get(place) : undefined;
  return as(sent, code, {
    purpose,
    stage,
    fault: told,
    at: url.protocol === 'http:' ? 'http' : 'https',
    certificate,
    detail: {
      ...detail,
      ...(reason !== undefined && { reason }),
      ...(code === 'HEADERS_TOO_LARGE' && { maximum: headerBytes }),
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

/** What a computer without any network shows; with one, the network may still lead nowhere, and nobody can tell. */
const seenOffline: ReadonlySet<NetworkFault> = new Set(['name-not-found', 'name-server-silent', 'unreachable']);

function isOffline(fault: NetworkFault | undefined): boolean {
  return fault !== undefined && seenOffline.has(fault) && !isLinked(networkInterfaces());
}

function as(sent: Sent, ...told: ConstructorParameters<typeof RequestError>): UnsentRequest | LostRequest {
  return sent === 'no' ? new UnsentRequest(...told) : new LostRequest(...told);
}

/**
 * The time of the whole exchange was over before there was a connection: the fault of the proxy that was still asked.
 */
function connectTimeout(
  { cause, detail: own }: PosternError,
  { stage, detail, proxy }: { stage: Stage; detail: ErrorDetail; proxy: string | undefined },
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
export function validity(certificate: CertificateFacts | undefined): { until?: number; from?: number } {
  if (certificate === undefined) return {};
  const [from, until] = [Date.parse(certificate.validFrom), Date.parse(certificate.validUntil)];
  const now = Date.now();
  return { ...(until < now && { until }), ...(from > now && { from }) };
}
