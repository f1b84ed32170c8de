import { sessionCookies } from '../../limits.ts';
import type { Clock } from '../../ports.ts';
import { readSetCookie } from './read-set-cookie.ts';
import type { Cookie } from './read-set-cookie.ts';

/**
 * Cookies that a server sets within one session: a load balancer in front of it wants to know by them which machine the
 * session is on. They are in memory alone, and go back to the very origin that has set them, whatever domain they name.
 */
export class SessionCookies {
  readonly #clock: Pick<Clock, 'now'>;
  /** By what tells cookies apart (RFC 6265 section 5.3, 11), oldest first. */
  readonly #kept = new Map<string, Cookie & { readonly origin: string }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** What a request to this address says in its `cookie` field (RFC 6265 section 5.4). */
  fieldFor({ origin, pathname }: URL): string | undefined {
    const now = this.#clock.now();
    const fitting = [...this.#kept.values()]
      .filter((cookie) => cookie.origin === origin && cookie.until > now && isBelow(pathname, cookie.path))
      .toSorted((one, other) => other.path.length - one.path.length);
    return fitting.length > 0 ? fitting.map(({ name, value }) => `${name}=${value}`).join('; ') : undefined;
  }

  /** Takes what the answer to a request to this address sets. */
  take(url: URL, headers: Headers): void {
    const now = this.#clock.now();
    for (const text of headers.getSetCookie()) {
      const cookie = readSetCookie(text, url, now);
      if (!cookie) continue;
      const key = `${url.origin} ${cookie.path} ${cookie.name}`;
      this.#kept.delete(key);
      if (cookie.until > now) this.#kept.set(key, { ...cookie, origin: url.origin });
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size > sessionCookies.count) this.#kept.delete(oldest);
    }
  }
}

/** RFC 6265 section 5.1.4. */
function isBelow(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
