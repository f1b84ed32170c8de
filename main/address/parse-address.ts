import { putHttpsInFront } from '../../shared/error-catalog/address-errors.ts';
import type { ErrorCode, Stage } from '../../shared/error-codes.ts';
import type { PosternLink } from '../../shared/ipc-event.ts';
import { PosternError } from '../errors/postern-error.ts';
import type { PosternErrorOptions } from '../errors/postern-error.ts';
import { urlLength } from '../limits.ts';

/** Fetch standard, "port blocking": ports where an HTTP request would be taken for another protocol. */
const fetchBadPorts = [
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/** Our additions: file sharing, remote desktop, and databases and caches with line-based commands. */
const ownBadPorts = [445, 3306, 3389, 5432, 6379, 11211, 27017];

const badPorts: ReadonlySet<number> = new Set([0, ...fetchBadPorts, ...ownBadPorts]);

/** Whitespace, controls and backslash: WHATWG drops or rewrites them, other parsers do not. */
const ambiguous = /[\s\u0000-\u001f\u007f-\u009f\\]/u;

/**
 * Valid hosts after WHATWG parsing: a DNS name (IDN in punycode) with no empty label but the root's, an IPv4 or a
 * bracketed IPv6 literal.
 */
const hostForm = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

/** An address without its scheme: a host with a dot, and what may follow it. */
const schemeless = /^[^\s./?#:@]+(?:\.[^\s./?#:@]+)+(?::\d+)?(?:[/?]|$)/u;

/** Keeps its class when details are added. */
class AddressError extends PosternError {
  override with(more: Partial<PosternErrorOptions>): this {
    const Same = this.constructor as new (...args: ConstructorParameters<typeof PosternError>) => this;
    return new Same(this.code, super.with(more).options);
  }
}

/** The address is unencrypted or not a web address: URL_SCHEME. */
export class UnencryptedAddress extends AddressError {}

/** Valid except for its fragment: malformed as a resource identifier (RFC 8707 section 2). */
export class AddressWithFragment extends AddressError {}

/**
 * The only address parser (WHATWG URL). Only its result is compared, stored, shown and fetched, and parsing
 * `result.href` again gives the same. `text` comes from a service's document, possibly via storage. `maximum`
 * characters, for the text and for the canonical form.
 * Errors: URL_INVALID, URL_SCHEME, URL_USERINFO, URL_FRAGMENT (RFC 8707 section 2), URL_TOO_LONG, URL_PORT.
 */
export function parseAddress(text: string, stage: Stage, maximum: number = urlLength.received): URL {
  return parse(text, { stage, blame: 'document' }, maximum);
}

/** Parses what the user typed, trimmed. Its errors have stage `address`. */
export function parseInput(text: string): URL {
  const maximum = urlLength.received;
  // Do not trim a megabyte.
  return parse(text.length > maximum * 2 ? text : text.trim(), { stage: 'address', blame: 'input' }, maximum);
}

function parse(address: string, { stage, blame }: Pick<PosternErrorOptions, 'stage' | 'blame'>, maximum: number): URL {
  const fail = (code: ErrorCode, detail = {}) => new PosternError(code, { stage, blame, detail });
  if (address.length > maximum) throw fail('URL_TOO_LONG', { maximum });
  if (ambiguous.test(address)) throw fail('URL_INVALID');

  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined && schemeless.test(address)) {
    throw new PosternError('URL_INVALID', { stage, blame, detail: { reason: 'no-scheme' }, remedy: putHttpsInFront });
  }
  if (scheme === undefined) throw fail('URL_INVALID');
  if (scheme !== 'https' && scheme !== 'http')
    throw new UnencryptedAddress('URL_SCHEME', { stage, blame, detail: { reason: 'not-web' } });
  // WHATWG repairs `https:host`, `https:/host` and `https:///host`; other parsers would see another host.
  const authority = /^https?:\/\/([^/?#]+)/i.exec(address)?.[1];
  if (authority === undefined) throw fail('URL_INVALID');
  if (authority.includes('@')) throw fail('URL_USERINFO');
  if (address.includes('#')) throw new AddressWithFragment('URL_FRAGMENT', { stage, blame });

  const url = URL.parse(address);
  if (url === null) throw fail(/:\d{5,}$/.test(authority) ? 'URL_PORT' : 'URL_INVALID');
  if (!hostForm.test(url.hostname)) throw fail('URL_INVALID');
  if (url.href.length > maximum) throw fail('URL_TOO_LONG', { maximum });
  if (url.port !== '' && badPorts.has(Number(url.port))) throw fail('URL_PORT', { port: Number(url.port) });
  return url;
}

/** Characters. A percent-encoded address is up to three times as long. */
const maxLinkLength = 4 * urlLength.received;
const posternScheme = /^postern:/iu;
/** IDs as Postern generates them, or as written into the settings by hand. */
const openLink = /^postern:\/\/open\/([\w-]{1,64})\/?$/iu;

/** How the pipe starts Postern without a window (pipe/src/windows.rs). */
const backgroundLink = /^postern:(?:\/\/)?background\/?$/iu;

/** The Postern link among the command-line arguments, if any. */
export function findPosternLink(args: readonly string[]): string | undefined {
  return args.find((arg) => posternScheme.test(arg));
}

/** Whether the link only starts Postern without a window. */
export function isBackgroundLink(link: string): boolean {
  return link.length <= maxLinkLength && backgroundLink.test(link);
}

/**
 * Parses a link, possibly from a web page: an address to connect to, under the rules for a typed one, or a server to
 * show. Other query parameters are ignored; anything else unusual makes it `unusable`.
 */
export function readPosternLink(link: string): PosternLink {
  const unusable = { kind: 'unusable' } as const;
  if (link.length > maxLinkLength || /[\s\p{Cc}\\]/u.test(link)) return unusable;
  const url = URL.parse(link);
  if (url?.protocol !== 'postern:' || url.username + url.password + url.port !== '') return unusable;
  const [, id] = openLink.exec(link) ?? [];
  if (id !== undefined) return { kind: 'open', id };
  const addresses = url.searchParams.getAll('url');
  const [address] = addresses;
  const isConnectLink = url.host.toLowerCase() === 'connect' && /^\/?$/u.test(url.pathname) && addresses.length === 1;
  if (!isConnectLink || address === undefined) return unusable;
  try {
    return { kind: 'connect', url: parseInput(address).href };
  } catch {
    return unusable;
  }
}
