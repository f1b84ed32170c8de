import type { Stage } from '../../shared/error-codes.ts';
import { deadline, headerBytes } from '../limits.ts';
import { PosternError } from '../postern-error.ts';

/** `no`: the request has surely not left. `maybe`: the server may have received and obeyed it. */
export type Sent = 'no' | 'maybe';

export interface RequestContext {
  readonly stage: Stage;
  readonly host: string;
  readonly sent: Sent;
}

const resolverCodes = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'ETIMEOUT', 'ECANCELLED', 'EBADNAME', 'EREFUSED']);

/** OpenSSL's verification results and Node's own TLS codes. */
const tlsCode =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|DEPTH_ZERO_|SELF_SIGNED_|INVALID_|PATH_LENGTH_|HOSTNAME_|EPROTO)/;

/**
 * The typed form of whatever undici, the resolver, TLS or the connector reports. Carries the library's code, never its
 * text: an error of undici may quote a whole header value, token included.
 */
export function describeRequestFailure(error: unknown, context: RequestContext): PosternError {
  const { stage, host, sent } = context;
  if (error instanceof PosternError) {
    return new PosternError(error.code, { stage, cause: error.cause, detail: { host, sent, ...error.detail } });
  }
  const reason = readCode(error);
  const detail = { host, sent, ...(reason === '' ? {} : { reason }) };
  if (resolverCodes.has(reason) || reason.startsWith('EAI_')) return new PosternError('DNS_FAIL', { stage, detail });
  if (reason === 'UND_ERR_CONNECT_TIMEOUT') {
    return new PosternError('DEADLINE', { stage, detail: { ...detail, seconds: deadline.connect / 1_000 } });
  }
  if (reason === 'UND_ERR_HEADERS_OVERFLOW' || reason === 'HPE_HEADER_OVERFLOW') {
    return new PosternError('HEADERS_TOO_LARGE', { stage, detail: { ...detail, maximum: headerBytes } });
  }
  // Once the request is on its way the certificate has been accepted: a TLS error then is a broken connection.
  if (sent === 'no' && tlsCode.test(reason)) return new PosternError('TLS_FAIL', { stage, detail });
  return new PosternError('CONNECT_FAIL', { stage, detail });
}

/** Several failed addresses come as an AggregateError; the first tells enough. */
function readCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const own = 'code' in error ? error.code : undefined;
  if (typeof own === 'string' && /^[A-Z][A-Z0-9_]{0,59}$/.test(own)) return own;
  return error instanceof AggregateError ? readCode(error.errors[0]) : '';
}
