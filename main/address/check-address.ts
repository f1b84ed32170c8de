import { parse } from 'tldts';
import type { Stage } from '../../shared/error-codes.ts';
import type { Blame } from '../../shared/error-facts.ts';
import type { Remedy } from '../../shared/remedy.ts';
import { PosternError } from '../errors/postern-error.ts';
import { urlLength } from '../limits.ts';
import { canonicalHost, displayPlace } from './display-text.ts';
import { classifyHost, classifyIp } from './host.ts';
import type { IpClass } from './host.ts';
import { parseAddress, parseInput, UnencryptedAddress } from './parse-address.ts';

type Target = Pick<URL, 'protocol' | 'hostname'>;

declare const checked: unique symbol;

/**
 * An address in canonical form that has passed the rule of one integration. Only this file makes one, where an address
 * comes from a person, a document or a stored file; whoever sends takes no other.
 */
export type CheckedAddress = string & { readonly [checked]: true };

/**
 * The address rule of one integration, from the URL that the person typed and what they allowed for it.
 * `allowedHosts` are names or IP literals, a port or scheme is tolerated. Errors: those of `parseAddress`, stage
 * `address`.
 */
export function createAddressPolicy(options: {
  readonly url: string;
  readonly local: boolean;
  readonly allowedHosts: readonly string[];
  readonly allowHttp: boolean;
}): AddressPolicy {
  return {
    local: options.local,
    typedHost: parseInput(options.url).hostname,
    allowedHosts: options.allowedHosts.map(parseHost),
    allowHttp: options.allowHttp,
  };
}

/**
 * The address rule (RFC 9728 section 7.7) on what can be told from the URL alone, as `parseAddress` made it.
 * Errors: URL_SCHEME, HOST_BLOCKED, both with detail `{host}` and, where the person may open it, the remedy that does.
 */
export function checkAddress(url: URL, policy: AddressPolicy, stage: Stage): CheckedAddress {
  checkTarget(url, policy, stage);
  return url.href as CheckedAddress;
}

/** The address rule on an address that the user typed. What is wrong with it is their mistake, whatever host it names. */
export function checkTypedAddress(text: string, policy: AddressPolicy): CheckedAddress {
  try {
    return checkAddress(parseInput(text), policy, 'address');
  } catch (error) {
    throw error instanceof PosternError ? error.with({ blame: 'input' }) : error;
  }
}

/** Where an address was found: in `member` of what `publisher` publishes or answers. */
export interface PublishedAddress {
  readonly member: string;
  readonly publisher: URL;
}

/**
 * The address rule on an address out of a document, which may not lead from https down to http either. What is wrong
 * with it is the mistake of whoever published it. Errors: those of `parseAddress` and `checkAddress`, URL_DOWNGRADE,
 * with detail `{member, publisher}`.
 */
export function checkPublishedAddress(
  text: string,
  { member, publisher }: PublishedAddress,
  policy: AddressPolicy,
  stage: Stage,
): CheckedAddress {
  try {
    const url = parseAddress(text, stage);
    checkDowngrade(publisher, url, stage);
    return checkAddress(url, policy, stage);
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
    throw error.with({ blame: 'document', detail: { member, publisher: displayPlace(publisher) } });
  }
}

/**
 * The address of a server that runs on this computer, which is a name and nothing else: `checkTarget` refuses its scheme,
 * so that no request can ever leave for it.
 */
export function localPlace(alias: string): CheckedAddress {
  return `local://${alias}` as CheckedAddress;
}

/** Whether it is such a name. */
export function isLocalPlace(url: string): boolean {
  return url.startsWith('local://');
}

/**
 * Another place on the origin of a checked address, which has passed with it: the rule asks for scheme and host alone.
 */
export function atSameOrigin(address: CheckedAddress, pathname: string, search = ''): CheckedAddress {
  const url = new URL(address);
  url.pathname = pathname;
  url.search = search;
  return url.href as CheckedAddress;
}

/**
 * The same rule on what a connection is opened to: call it before every one, since the resolver is not asked about IP
 * literals. Public hosts by https; loopback and private hosts only where the policy opens them; link-local, cloud
 * metadata and disguised addresses never. Errors: as `checkAddress`.
 */
export function checkTarget(url: Target, policy: AddressPolicy, stage: Stage): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new UnencryptedAddress('URL_SCHEME', {
      stage,
      blame: blameFor(url, policy),
      detail: { host: url.hostname, reason: 'not-web' },
    });
  const kind = classifyHost(url.hostname);
  if (kind !== 'name') return checkKind(url, kind, policy, stage);
  if (url.protocol === 'https:') return;
  const isOpened = isNamedByPerson(url.hostname, policy);
  if (policy.local && isOpened && policy.allowHttp) return;
  if (policy.local && isOpened) throw schemeRefused(url, policy, 'allow-http', stage);
  throw schemeRefused(url, policy, isOpened && isInternalName(url.hostname) ? 'local' : 'none', stage);
}

/**
 * The same rule on one address that the resolver gave for `url`; every address of an answer has to pass, and only
 * a checked one may be connected to. Errors: as `checkAddress`.
 */
export function checkResolvedAddress(url: Target, ip: string, policy: AddressPolicy, stage: Stage): void {
  checkKind(url, classifyIp(ip), policy, stage);
}

/** From https down to http: URL_DOWNGRADE. */
export class DowngradedAddress extends UnencryptedAddress {}

/** Refuses the step from https down to http (OAuth 2.1 section 1.5), save to loopback, which `checkAddress` decides. */
export function checkDowngrade(from: Target, to: Target, stage: Stage): void {
  if (from.protocol !== 'https:' || to.protocol !== 'http:' || classifyHost(to.hostname) === 'loopback') return;
  throw new DowngradedAddress('URL_DOWNGRADE', { stage, detail: { host: to.hostname } });
}

function checkKind(url: Target, kind: IpClass, policy: AddressPolicy, stage: Stage): void {
  if (kind === 'public') {
    if (url.protocol === 'https:') return;
    throw schemeRefused(url, policy, 'none', stage);
  }
  if (kind === 'forbidden') throw hostBlocked(url, policy, 'none', stage);
  const isOpened =
    isNamedByPerson(url.hostname, policy) || (kind === 'loopback' && classifyHost(policy.typedHost) === 'loopback');
  if (!isOpened) throw hostBlocked(url, policy, 'allow-host', stage);
  if (!policy.local) throw hostBlocked(url, policy, 'local', stage);
  if (url.protocol === 'https:' || kind === 'loopback' || policy.allowHttp) return;
  throw schemeRefused(url, policy, 'allow-http', stage);
}

/** The user typed or allowed this host. */
export function isNamedByPerson(hostname: string, policy: AddressPolicy): boolean {
  const host = canonicalHost(hostname);
  return [policy.typedHost, ...policy.allowedHosts].some((named) => canonicalHost(named) === host);
}

/** Any other host than the server's own was named by a document. */
function blameFor({ hostname }: Target, { typedHost }: AddressPolicy): Blame {
  return canonicalHost(hostname) === canonicalHost(typedHost) ? 'input' : 'document';
}

/** No public suffix list entry ends this name, so no public certificate and no public server can have it. */
function isInternalName(hostname: string): boolean {
  const { isIcann, isPrivate } = parse(canonicalHost(hostname), { allowPrivateDomains: true });
  return isIcann !== true && isPrivate !== true;
}

/** `opening`: what the person could tick to open this host; after `none` nothing helps. */
function hostBlocked(
  url: Target,
  policy: AddressPolicy,
  opening: 'local' | 'allow-host' | 'none',
  stage: Stage,
): PosternError {
  const { hostname: host } = url;
  const blame = blameFor(url, policy);
  switch (opening) {
    case 'local':
      return new PosternError('HOST_BLOCKED', {
        stage,
        blame,
        detail: { host, reason: 'inside' },
        remedy: { kind: 'allow-local', because: 'blocked' },
      });
    case 'allow-host':
      return new PosternError('HOST_BLOCKED', {
        stage,
        blame,
        detail: { host, reason: 'other-host' },
        remedy: { kind: 'allow-host', host },
      });
    default:
      return new PosternError('HOST_BLOCKED', { stage, blame, detail: { host } });
  }
}

const schemeRemedies = {
  local: { kind: 'allow-local', because: 'not-encrypted' },
  'allow-http': { kind: 'allow-http' },
  /** The catalogue's own: https. */
  none: undefined,
} satisfies Record<string, Remedy | undefined>;

function schemeRefused(
  url: Target,
  policy: AddressPolicy,
  opening: keyof typeof schemeRemedies,
  stage: Stage,
): UnencryptedAddress {
  return new UnencryptedAddress('URL_SCHEME', {
    stage,
    blame: blameFor(url, policy),
    detail: { host: url.hostname },
    remedy: schemeRemedies[opening],
  });
}

function parseHost(text: string): string {
  const host = text.trim();
  const isBareIpv6 = (host.match(/:/g)?.length ?? 0) > 1;
  const address = /^https?:\/\//i.test(host)
    ? host
    : `https://${isBareIpv6 && !host.startsWith('[') ? `[${host}]` : host}`;
  const url = parseInput(address);
  if (url.pathname !== '/' || url.search !== '') throw new PosternError('URL_INVALID', { stage: 'address' });
  return url.hostname;
}

/**
 * Which hosts one integration may reach. Made from what the person typed and ticked for that integration,
 * and never shared with another one.
 */
export interface AddressPolicy {
  /** *This server runs on my computer or internal network* (spec 1, the tunnel option). */
  readonly local: boolean;
  /**
   * Host that the person typed, as WHATWG prints it. With `local`, every port of it is open; if loopback, all of
   * loopback.
   */
  readonly typedHost: string;
  /** Further hosts that the person allowed this integration to use; among them are its private ones. */
  readonly allowedHosts: readonly string[];
  /** The person allowed plain http to the allowed private hosts that are not loopback. Loopback needs `local` alone. */
  readonly allowHttp: boolean;
}

declare const forBrowser: unique symbol;

/** An address that may be opened in the person's own browser. Only this file makes one, and nothing else is opened. */
export type BrowserAddress = string & { readonly [forBrowser]: true };

/**
 * https anywhere, http to this computer alone, as our parser prints it: the system would start other programs for
 * other schemes. Errors: URL_SCHEME, those of `parseAddress`.
 */
export function browserAddress(address: string): BrowserAddress {
  const stage = 'authorization';
  const url = parseAddress(address, stage, urlLength.authorizationRequest);
  if (url.protocol !== 'https:' && classifyHost(url.hostname) !== 'loopback') {
    throw new PosternError('URL_SCHEME', { stage, detail: { host: url.hostname } });
  }
  return url.href as BrowserAddress;
}
