import { checkDowngrade } from '../address/check-address.ts';
import { parseAddress } from '../address/parse-address.ts';
import type { HttpRequest } from '../ports.ts';
import { PosternError } from '../postern-error.ts';
import type { IncomingResponse } from './dispatch-request.ts';

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer sends us, or `undefined` when it is no redirect. Only a GET may be sent on, and only within its origin:
 * a redirect replays the request, and its target has not been vetted by whoever chose the URL (RFC 9700 section 4.11).
 * Errors: REDIRECT_REFUSED, detail `{host}`; URL_DOWNGRADE and the errors of `parseAddress`.
 */
export function redirectTarget(
  response: IncomingResponse,
  from: URL,
  request: Pick<HttpRequest, 'method' | 'redirects' | 'stage'>,
): URL | undefined {
  const location = response.headers.get('location');
  if (!redirectStatuses.has(response.status) || location === null) return undefined;
  const { stage } = request;
  const target = URL.parse(location, from.href);
  if (target === null) throw new PosternError('REDIRECT_REFUSED', { stage, detail: { host: from.hostname } });
  checkDowngrade(from, target, stage);
  if (request.redirects === 'none' || request.method !== 'GET' || target.origin !== from.origin) {
    throw new PosternError('REDIRECT_REFUSED', { stage, detail: { host: target.hostname || from.hostname } });
  }
  // RFC 9110 section 10.2.2: a fragment is for the reader of the document, not for the request.
  target.hash = '';
  return parseAddress(target.href, stage);
}
