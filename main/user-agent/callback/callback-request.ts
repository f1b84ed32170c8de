import type { IncomingMessage, IncomingHttpHeaders } from 'node:http';

export const callbackPath = '/integration/oauth/callback';

/** The path of a one-time link, before its word: 32 random bytes in base64url. */
export const linkPath = '/go/';
const link = /^\/go\/([\w-]{43})$/;

/** Characters of a request target. Code and state have 4 KiB each; what is far beyond is no callback. */
const longestTarget = 16 * 1024;

export type CallbackRequest =
  { readonly query: string } | { readonly word: string } | { readonly refusal: 400 | 403 | 404 | 405 | 414 | 421 };

/**
 * Whether a request is our callback or a one-time link, judged on its raw form: `new URL(target, base)` would read
 * `//evil/…` and `http://evil/…` as another host, and Node joins or drops repeated fields.
 */
export function readCallbackRequest(
  request: IncomingMessage,
  isOurs: (host: string | undefined) => boolean,
): CallbackRequest {
  const target = request.url ?? '';
  // Node serves an upgrade as a plain request when nobody listens for it.
  if (request.method !== 'GET' || request.headers.upgrade !== undefined) return { refusal: 405 };
  const hosts = request.rawHeaders.filter(
    (_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'host',
  );
  if (hosts.length !== 1) return { refusal: 400 };
  // A page under a name that an attacker points at 127.0.0.1 sends that name here (DNS rebinding).
  if (!isOurs(hosts[0])) return { refusal: 421 };
  if (target.length > longestTarget) return { refusal: 414 };
  if (!target.startsWith('/') || target.startsWith('//')) return { refusal: 400 };
  const mark = target.indexOf('?');
  const word = link.exec(target)?.[1];
  if (word === undefined && (mark < 0 ? target : target.slice(0, mark)) !== callbackPath) return { refusal: 404 };
  if (!isNavigation(request.headers)) return { refusal: 403 };
  if (word !== undefined) return { word };
  return { query: mark < 0 ? '' : target.slice(mark + 1) };
}

/** Fields by which browsers say that they look at a page before anybody has gone there. */
const lookingAhead = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'] as const;

/**
 * Whether a browser goes to this page in a tab or window of its own, as far as it says so (W3C Fetch Metadata Request
 * Headers): no picture, frame, script or fetch of another page, and no look ahead. Browsers that say it say it whole; a
 * mode alone is Node's own fetch, in a script.
 */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  const saysMore = site !== undefined || destination !== undefined;
  if (saysMore && ((mode ?? 'navigate') !== 'navigate' || (destination ?? 'document') !== 'document')) return false;
  return lookingAhead.every((name) => headers[name] === undefined);
}
