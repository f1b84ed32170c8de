import { checkDowngrade } from '../../address/check-address.ts';
import { displayHost } from '../../address/display-host.ts';
import { parseAddress } from '../../address/parse-address.ts';
import { useAddress } from '../../../shared/error-catalogue/network-errors.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import type { HttpRequest } from '../../ports.ts';
import { PosternError } from '../../postern-error.ts';
import type { IncomingResponse } from './dispatch-request.ts';

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Those that say that the same request is to be sent (RFC 9110 sections 15.4.8 and 15.4.9). */
const sameRequestStatuses = new Set([307, 308]);

/**
 * `same-origin`: a GET is sent on. `same-request`: any request, where the answer says that it is to be the same one.
 */
export type Following = 'none' | 'same-origin' | 'same-request';

/**
 * Where an answer sends us, or `undefined` when it is no redirect. Nothing is ever sent on to another origin: a
 * redirect replays the request, and its target has not been vetted by whoever chose the URL (RFC 9700 section 4.11).
 * Errors: REDIRECT_REFUSED, detail `{host, target, address?}`; URL_DOWNGRADE and the errors of `parseAddress`.
 */
export function redirectTarget(
  response: IncomingResponse,
  from: URL,
  request: Pick<HttpRequest, 'method' | 'stage'> & { readonly redirects: Following },
): URL | undefined {
  const location = response.headers.get('location');
  if (!redirectStatuses.has(response.status) || location === null) return undefined;
  const { stage } = request;
  const target = URL.parse(location, from.href);
  if (target === null) throw refused(from, undefined, stage);
  checkDowngrade(from, target, stage);
  const mayFollow =
    request.redirects === 'same-request'
      ? sameRequestStatuses.has(response.status)
      : request.redirects === 'same-origin' && request.method === 'GET';
  if (!mayFollow || target.origin !== from.origin) throw refused(from, target, stage);
  // RFC 9110 section 10.2.2: a fragment is for the reader of the document, not for the request.
  target.hash = '';
  return parseAddress(target.href, stage);
}

/** The address that would help is told where it is what a person typed, with https: no other has been agreed to. */
function refused(from: URL, target: URL | undefined, stage: Stage): PosternError {
  const isUpgrade = from.protocol === 'http:' && target?.protocol === 'https:' && target.hostname === from.hostname;
  const address = `${target?.origin ?? ''}${from.pathname}`;
  // What other schemes have in its place may be any words of the server.
  const isWeb = target !== undefined && /^https?:$/u.test(target.protocol);
  return new PosternError('REDIRECT_REFUSED', {
    stage,
    detail: {
      host: from.hostname,
      ...(isWeb && { target: displayHost(target.hostname) }),
      ...(isUpgrade && { address }),
    },
    ...(isUpgrade && { blame: 'input' as const, remedy: useAddress(address) }),
  });
}
