import { sessionCookies } from '../../limits.ts';
import type { Clock } from '../../ports.ts';

/**
 * Cookies of one session: load balancers use them to find the machine the session is on. In memory only, and sent only
 * to the origin that set them, whatever domain they name.
 */
export class SessionCookies {
  readonly #clock: Pick<Clock, 'now'>;
  /** By cookie identity (RFC 6265 section 5.3, 11), oldest first. */
  readonly #cookies = new Map<string, Cookie & { readonly origin: string }>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** The `cookie` header for a request to this address (RFC 6265 section 5.4). */
  headerFor({ origin, pathname }: URL): string | undefined {
    const now = this.#clock.now();
    const matching = [...this.#cookies.values()]
      .filter((cookie) => cookie.origin === origin && cookie.expiresAt > now && pathMatches(pathname, cookie.path))
      .toSorted((one, other) => other.path.length - one.path.length);
    return matching.length > 0 ? matching.map(({ name, value }) => `${name}=${value}`).join('; ') : undefined;
  }

  /** Stores the cookies set by a response from this address. */
  store(url: URL, headers: Headers): void {
    const now = this.#clock.now();
    for (const text of headers.getSetCookie()) {
      const cookie = readSetCookie(text, url, now);
      if (!cookie) continue;
      const key = `${url.origin} ${cookie.path} ${cookie.name}`;
      this.#cookies.delete(key);
      if (cookie.expiresAt > now) this.#cookies.set(key, { ...cookie, origin: url.origin });
      const [oldest] = this.#cookies.keys();
      if (oldest !== undefined && this.#cookies.size > sessionCookies.count) this.#cookies.delete(oldest);
    }
  }
}

/** RFC 6265 section 5.1.4. */
function pathMatches(pathname: string, path: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Milliseconds since 1970, or Infinity. */
  readonly expiresAt: number;
}

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;
/** Header characters except the semicolon, which ends a cookie. */
const fieldValue = /^[\x20-\x3a\x3c-\x7e]*$/u;

/**
 * Parses a `set-cookie` header of a response from `url` (RFC 6265 section 5.2). `undefined` if it is invalid, too long,
 * for another host, or requires what this address does not have.
 */
function readSetCookie(text: string, url: URL, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = text.split(';');
  const [name, value] = splitPair(pair);
  if (value === undefined || !fieldName.test(name) || !fieldValue.test(value)) return undefined;
  if (name.length + value.length > sessionCookies.size) return undefined;
  // The last of two equal names counts.
  const attributesByName = new Map(
    attributes.map(splitPair).map(([attribute, attributeValue]) => [attribute.toLowerCase(), attributeValue ?? '']),
  );
  const domain = attributesByName.get('domain')?.toLowerCase().replace(/^\./u, '');
  if (domain !== undefined && domain !== '' && !domainMatches(url.hostname, domain)) return undefined;
  if (attributesByName.has('secure') && url.protocol !== 'https:') return undefined;
  const path = attributesByName.get('path');
  // RFC 6265bis section 4.1.3.
  if (/^__(?:secure|host)-/iu.test(name) && !attributesByName.has('secure')) return undefined;
  if (/^__host-/iu.test(name) && (attributesByName.has('domain') || path !== '/')) return undefined;
  return {
    name,
    value,
    path: path?.startsWith('/') ? path : defaultPath(url),
    expiresAt: expiryOf(attributesByName, now),
  };
}

function splitPair(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim(), undefined] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** RFC 6265 section 5.1.3. An IP address matches only itself. */
function domainMatches(hostname: string, domain: string): boolean {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/u.test(hostname);
  return hostname === domain || (!isAddress && hostname.endsWith(`.${domain}`));
}

/** RFC 6265 section 5.1.4. */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/')) || '/';
}

/** RFC 6265 section 5.3, 3. */
function expiryOf(attributes: ReadonlyMap<string, string>, now: number): number {
  const seconds = attributes.get('max-age');
  if (seconds !== undefined && /^-?\d+$/u.test(seconds)) return now + Number(seconds) * 1_000;
  const time = Date.parse(attributes.get('expires') ?? '');
  return Number.isNaN(time) ? Infinity : time;
}
