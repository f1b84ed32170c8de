import { headerBytes } from '../../limits.ts';
import type { ErrorDetail } from '../../postern-error.ts';
import { PosternError } from '../../postern-error.ts';
import { RefusedCertificate } from '../../refused-certificate.ts';
import { RequestError } from '../../request-error.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import { placeOf } from './connection-notes.ts';
import type { ConnectionNotes } from './connection-notes.ts';
import { networkFaultOf } from './network-fault-of.ts';
import type { Progress } from './network-fault-of.ts';

export interface RequestContext extends Progress {
  readonly stage: Stage;
  readonly url: URL;
  readonly notes: ConnectionNotes;
}

/**
 * The typed form of whatever undici, the resolver, TLS or the connector reports, with detail `{host, place, scheme,
 * fault?, reason?}`: `place` is the host with its port, `fault` one of `networkFaults`.
 */
export function describeRequestFailure(error: unknown, context: RequestContext): RequestError {
  const { stage, url, sent, notes } = context;
  const place = placeOf(url);
  const detail = { host: url.hostname, place, scheme: url.protocol.slice(0, -1) };
  if (error instanceof PosternError) {
    const { code, cause, remedy } = error;
    if (code === 'DEADLINE' && sent === 'no') return connectTimeout(error, { stage, detail, notes });
    return new RequestError(code, { stage, cause, sent, remedy, detail: { ...detail, ...error.detail } });
  }
  const cause = error instanceof Error && error.cause instanceof RefusedCertificate ? error.cause : undefined;
  const { code, fault, reason } = networkFaultOf(error, context);
  const isAskedWho = fault === 'closed' && notes.askedForCertificate.has(place);
  const told = isAskedWho ? 'tls-client-certificate' : fault;
  return new RequestError(code, {
    stage,
    cause,
    sent,
    fault: told,
    detail: {
      ...detail,
      ...(told && { fault: told }),
      ...(reason !== undefined && { reason }),
      ...(code === 'HEADERS_TOO_LARGE' && { maximum: headerBytes }),
      ...validity(cause),
    },
  });
}

/** The time of the whole exchange was over before there was a connection: the fault of the proxy that was still asked. */
function connectTimeout(
  { cause, detail: own }: PosternError,
  { stage, detail, notes }: { stage: Stage; detail: ErrorDetail & { place: string }; notes: ConnectionNotes },
): RequestError {
  const proxy = notes.openingThrough.get(detail.place);
  return new RequestError(proxy === undefined ? 'DEADLINE' : 'PROXY_FAIL', {
    stage,
    cause,
    sent: 'no',
    detail: { ...detail, ...own, fault: 'connect-timeout', ...(proxy !== undefined && { proxy }) },
  });
}

/** The end that was wrong, in milliseconds since 1970; of a chain it may be that of another certificate. */
export function validity(cause: RefusedCertificate | undefined): { until?: number; from?: number } {
  if (cause === undefined) return {};
  const [from, until] = [Date.parse(cause.facts.validFrom), Date.parse(cause.facts.validUntil)];
  const now = Date.now();
  return { ...(until < now && { until }), ...(from > now && { from }) };
}
