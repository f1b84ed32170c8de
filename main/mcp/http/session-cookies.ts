import { sessionCookies } from '../../limits.ts';
import type { Clock } from '../../ports.ts';

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

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Milliseconds since 1970, or for ever. */
  readonly until: number;
}

const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u;
/** What may stand in a field of ours, but for what ends a cookie. */
const fieldValue = /^[\x20-\x3a\x3c-\x7e]*$/u;

/**
 * Reads a `set-cookie` field of the answer to a request to `url` (RFC 6265 section 5.2). `undefined`: it is not kept,
 * since it is none, too long, for another host, or asks for what this address cannot give.
 */
function readSetCookie(text: string, url: URL, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = text.split(';');
  const [name, value] = divide(pair);
  if (value === undefined || !fieldName.test(name) || !fieldValue.test(value)) return undefined;
  if (name.length + value.length > sessionCookies.size) return undefined;
  // Of two of one name the last counts.
  const said = new Map(attributes.map(divide).map(([attribute, what]) => [attribute.toLowerCase(), what ?? '']));
  const domain = said.get('domain')?.toLowerCase().replace(/^\./u, '');
  if (domain !== undefined && domain !== '' && !isWithin(url.hostname, domain)) return undefined;
  if (said.has('secure') && url.protocol !== 'https:') return undefined;
  const path = said.get('path');
  // RFC 6265bis section 4.1.3.
  if (/^__(?:secure|host)-/iu.test(name) && !said.has('secure')) return undefined;
  if (/^__host-/iu.test(name) && (said.has('domain') || path !== '/')) return undefined;
  return { name, value, path: path?.startsWith('/') ? path : defaultPath(url), until: endOf(said, now) };
}

function divide(text: string): [name: string, value: string | undefined] {
  const at = text.indexOf('=');
  return at < 0 ? [text.trim(), undefined] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

/** RFC 6265 section 5.1.3. An IP address is within itself alone. */
function isWithin(hostname: string, domain: string): boolean {
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/u.test(hostname);
  return hostname === domain || (!isAddress && hostname.endsWith(`.${domain}`));
}

/** RFC 6265 section 5.1.4. */
function defaultPath({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/')) || '/';
}

/** RFC 6265 section 5.3, 3. */
function endOf(said: ReadonlyMap<string, string>, now: number): number {
  const seconds = said.get('max-age');
  if (seconds !== undefined && /^-?\d+$/u.test(seconds)) return now + Number(seconds) * 1_000;
  const time = Date.parse(said.get('expires') ?? '');
  return Number.isNaN(time) ? Infinity : time;
}
