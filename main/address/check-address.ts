import { parse } from 'tldts';
import type { Stage } from '../../shared/error-codes.ts';
import type { Blame } from '../../shared/error-traits.ts';
import type { Remedy } from '../../shared/remedy.ts';
import { PosternError } from '../errors/postern-error.ts';
import { urlLength } from '../limits.ts';
import { canonicalHost, displayHostAndPort } from './display-text.ts';
import { classifyHost, classifyIp } from './host.ts';
import type { IpClass } from './host.ts';
import { parseAddress, parseInput, UnencryptedAddress } from './parse-address.ts';

type Target = Pick<URL, 'protocol' | 'hostname'>;

declare const checked: unique symbol;

/**
 * A canonical address that passed the address rule of one integration. Only this file creates one, from a user, a
 * document or a stored file, and requests accept nothing else.
 */
export type CheckedAddress = string & { readonly [checked]: true };

/**
 * The address rule of one integration, from the URL the user typed and what they allowed. `allowedHosts` are names or
 * IP literals; a port or scheme is tolerated.
 * Errors: those of `parseAddress`, stage `address`.
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
 * Applies the address rule (RFC 9728 section 7.7) as far as the URL alone allows.
 * Errors: URL_SCHEME, HOST_BLOCKED, both with detail `{host}` and, if the user may allow the host, the remedy for that.
 */
export function checkAddress(url: URL, policy: AddressPolicy, stage: Stage): CheckedAddress {
  checkTarget(url, policy, stage);
  return url.href as CheckedAddress;
}

/** Applies the address rule to an address the user typed. Its errors blame the input, whichever host it names. */
export function checkTypedAddress(text: string, policy: AddressPolicy): CheckedAddress {
  try {
    return checkAddress(parseInput(text), policy, 'address');
  } catch (error) {
    throw error instanceof PosternError ? error.with({ blame: 'input' }) : error;
  }
}

/** Where an address was found: in `member` of a document or response of `publisher`. */
export interface PublishedAddress {
  readonly member: string;
  readonly publisher: URL;
}

/**
 * Applies the address rule to an address from a document, which may not downgrade from https to http either. Its
 * errors blame the document.
 * Errors: those of `parseAddress` and `checkAddress`, URL_DOWNGRADE, with detail `{member, publisher}`.
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
    throw error.with({ blame: 'document', detail: { member, publisher: displayHostAndPort(publisher) } });
  }
}

/** The pseudo-address of a local server: `checkTarget` refuses its scheme, so no request can be sent to it. */
export function localAddress(alias: string): CheckedAddress {
  return `local://${alias}` as CheckedAddress;
}

export function isLocalAddress(url: string): boolean {
  return url.startsWith('local://');
}

/** Another path on the origin of a checked address. It needs no check: the rule covers only scheme and host. */
export function atSameOrigin(address: CheckedAddress, pathname: string, search = ''): CheckedAddress {
  const url = new URL(address);
  url.pathname = pathname;
  url.search = search;
  return url.href as CheckedAddress;
}

/**
 * Applies the address rule to a connection target. Call it before every connection, since IP literals are never
 * resolved. Public hosts by https; loopback and private hosts only if the policy allows them; link-local, cloud
 * metadata and disguised addresses never.
 * Errors: those of `checkAddress`.
 */
export function checkTarget(url: Target, policy: AddressPolicy, stage: Stage): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new UnencryptedAddress('URL_SCHEME', {
      stage,
      blame: blameFor(url, policy),
      detail: { host: url.hostname, reason: 'not-web' },
    });
  const ipClass = classifyHost(url.hostname);
  if (ipClass !== 'name') return checkIpClass(url, ipClass, policy, stage);
  if (url.protocol === 'https:') return;
  const isAllowed = isAllowedHost(url.hostname, policy);
  if (policy.local && isAllowed && policy.allowHttp) return;
  if (policy.local && isAllowed) throw refusedSchemeError(url, policy, 'allow-http', stage);
  throw refusedSchemeError(url, policy, isAllowed && isInternalName(url.hostname) ? 'local' : 'none', stage);
}

/**
 * Applies the address rule to one resolved address of `url`. Every address of the DNS response must pass, and only
 * checked ones may be connected to. Errors: those of `checkAddress`.
 */
export function checkResolvedAddress(url: Target, ip: string, policy: AddressPolicy, stage: Stage): void {
  checkIpClass(url, classifyIp(ip), policy, stage);
}

/** Downgrade from https to http: URL_DOWNGRADE. */
export class DowngradedAddress extends UnencryptedAddress {}

/** Refuses a downgrade from https to http (OAuth 2.1 section 1.5), except to loopback, which `checkAddress` decides. */
export function checkDowngrade(from: Target, to: Target, stage: Stage): void {
  if (from.protocol !== 'https:' || to.protocol !== 'http:' || classifyHost(to.hostname) === 'loopback') return;
  throw new DowngradedAddress('URL_DOWNGRADE', { stage, detail: { host: to.hostname } });
}

function checkIpClass(url: Target, ipClass: IpClass, policy: AddressPolicy, stage: Stage): void {
  if (ipClass === 'public') {
    if (url.protocol === 'https:') return;
    throw refusedSchemeError(url, policy, 'none', stage);
  }
  if (ipClass === 'forbidden') throw blockedHostError(url, policy, 'none', stage);
  const isAllowed =
    isAllowedHost(url.hostname, policy) || (ipClass === 'loopback' && classifyHost(policy.typedHost) === 'loopback');
  if (!isAllowed) throw blockedHostError(url, policy, 'allow-host', stage);
  if (!policy.local) throw blockedHostError(url, policy, 'local', stage);
  if (url.protocol === 'https:' || ipClass === 'loopback' || policy.allowHttp) return;
  throw refusedSchemeError(url, policy, 'allow-http', stage);
}

/** True if the user typed or allowed this host. */
export function isAllowedHost(hostname: string, policy: AddressPolicy): boolean {
  const host = canonicalHost(hostname);
  return [policy.typedHost, ...policy.allowedHosts].some((allowed) => canonicalHost(allowed) === host);
}

/** Any host but the server's own was named by a document. */
function blameFor({ hostname }: Target, { typedHost }: AddressPolicy): Blame {
  return canonicalHost(hostname) === canonicalHost(typedHost) ? 'input' : 'document';
}

/** The name ends in no public suffix, so no public certificate and no public server can have it. */
function isInternalName(hostname: string): boolean {
  const { isIcann, isPrivate } = parse(canonicalHost(hostname), { allowPrivateDomains: true });
  return isIcann !== true && isPrivate !== true;
}

/** `permission`: what the user could allow to reach this host; `none`: nothing. */
function blockedHostError(
  url: Target,
  policy: AddressPolicy,
  permission: 'local' | 'allow-host' | 'none',
  stage: Stage,
): PosternError {
  const { hostname: host } = url;
  const blame = blameFor(url, policy);
  switch (permission) {
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
  /** The default remedy of the catalog: use https. */
  none: undefined,
} satisfies Record<string, Remedy | undefined>;

function refusedSchemeError(
  url: Target,
  policy: AddressPolicy,
  permission: keyof typeof schemeRemedies,
  stage: Stage,
): UnencryptedAddress {
  return new UnencryptedAddress('URL_SCHEME', {
    stage,
    blame: blameFor(url, policy),
    detail: { host: url.hostname },
    remedy: schemeRemedies[permission],
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
 * Which hosts one integration may reach: from what the user typed and allowed for that integration, never shared with
 * another one.
 */
export interface AddressPolicy {
  /** *This server runs on my computer or internal network* (spec 1, the tunnel option). */
  readonly local: boolean;
  /**
   * Host the user typed, as serialized by WHATWG. With `local`, every port of it is allowed; if it is loopback, all of
   * loopback.
   */
  readonly typedHost: string;
  /** Further hosts, also private ones, that the user allowed for this integration. */
  readonly allowedHosts: readonly string[];
  /** The user allowed plain http to the allowed private hosts other than loopback, which needs only `local`. */
  readonly allowHttp: boolean;
}

declare const forBrowser: unique symbol;

/** An address that may be opened in the user's browser. Only this file creates one, and nothing else is opened. */
export type BrowserAddress = string & { readonly [forBrowser]: true };

/**
 * https anywhere, http only to this computer, as printed by our parser: the system would start other programs for other
 * schemes.
 * Errors: URL_SCHEME, those of `parseAddress`.
 */
export function browserAddress(address: string): BrowserAddress {
  const stage = 'authorization';
  const url = parseAddress(address, stage, urlLength.authorizationRequest);
  if (url.protocol !== 'https:' && classifyHost(url.hostname) !== 'loopback') {
    throw new PosternError('URL_SCHEME', { stage, detail: { host: url.hostname } });
  }
  return url.href as BrowserAddress;
}
