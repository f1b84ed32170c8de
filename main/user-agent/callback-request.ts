import type { IncomingMessage } from 'node:http';

export const callbackPath = '/integration/oauth/callback';

/** Characters of a request target. Code and state have 4 KiB each; what is far beyond is no callback. */
const longestTarget = 16 * 1024;

export type CallbackRequest = { readonly query: string } | { readonly refusal: 400 | 404 | 405 | 414 | 421 };

/**
 * Whether a request is our callback, judged on its raw form: `new URL(target, base)` would read `//evil/…` and
 * `http://evil/…` as another host, and Node joins or drops repeated fields.
 */
export function readCallbackRequest(request: IncomingMessage, host: string): CallbackRequest {
  const target = request.url ?? '';
  // Node serves an upgrade as a plain request when nobody listens for it.
  if (request.method !== 'GET' || request.headers.upgrade !== undefined) return { refusal: 405 };
  const hosts = request.rawHeaders.filter(
    (_, index, all) => index % 2 === 1 && all[index - 1]?.toLowerCase() === 'host',
  );
  if (hosts.length !== 1) return { refusal: 400 };
  // A page under a name that an attacker points at 127.0.0.1 sends that name here (DNS rebinding).
  if (hosts[0] !== host) return { refusal: 421 };
  if (target.length > longestTarget) return { refusal: 414 };
  if (!target.startsWith('/') || target.startsWith('//')) return { refusal: 400 };
  const mark = target.indexOf('?');
  if ((mark < 0 ? target : target.slice(0, mark)) !== callbackPath) return { refusal: 404 };
  return { query: mark < 0 ? '' : target.slice(mark + 1) };
}
