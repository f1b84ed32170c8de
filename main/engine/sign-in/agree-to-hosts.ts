import { maxAllowedHosts } from '../../../shared/integration.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { canonicalHost, displayHost, isConfusableHost } from '../../address/display-text.ts';
import { haveSameOwner } from '../../address/domain-owner.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import { metadataEndpoints } from '../../oauth/http/metadata-schemas.ts';
import type { Flow } from './flow.ts';
import type { HostsRequest, SignInInteraction, SignInRequest } from './sign-in-interaction.ts';

/** Hosts, with ports, of the sign-in page, the token endpoint and the MCP server. */
interface SignInHosts {
  readonly signInHost: string;
  readonly tokenHost: string;
  readonly serverHost: string;
  /** Server and sign-in page are not known to have one owner. */
  readonly differentOwner: boolean;
}

/** `undefined` if there is no sign-in. Without a page, `signInHost` is the token endpoint's. */
export function signInHosts({ url, metadata }: Pick<Discovery, 'url' | 'metadata'>): SignInHosts | undefined {
  const { token_endpoint: endpoint, authorization_endpoint: first = endpoint } = metadata ?? {};
  const [server, page, token] = [url, first, endpoint].map((address) => URL.parse(address ?? ''));
  if (!server || !page || !token) return undefined;
  return {
    signInHost: page.host,
    tokenHost: token.host,
    serverHost: server.host,
    differentOwner: !haveSameOwner(server.hostname, page.hostname),
  };
}

/**
 * Hosts of this sign-in, in punycode, that can be mistaken for another one (Unicode TR 36). A warning, not a refusal:
 * such names have honest owners too.
 */
export function confusableHosts({
  url,
  issuerKey,
  metadata,
}: Pick<Discovery, 'url' | 'issuerKey' | 'metadata'>): string[] {
  const hosts = [url, issuerKey, metadata?.authorization_endpoint].flatMap((address) => {
    const hostname = URL.parse(address ?? '')?.hostname;
    return hostname !== undefined && isConfusableHost(hostname) ? [displayHost(hostname)] : [];
  });
  return [...new Set(hosts)];
}

/**
 * Gets the user's consent to sign-in hosts that have different owners, or another owner than the one shown, before
 * anything is registered, typed or opened there. Reports changes since the last time first. Returns the options with
 * those hosts added, to be stored with the integration. Errors: HOST_NOT_AGREED when the user cannot be asked,
 * USER_CANCELLED if the user declines.
 */
export async function agreeToHosts(
  flow: Pick<Flow, 'show'>,
  interaction: Pick<SignInInteraction, 'confirmHosts'>,
  before: Pick<SignInRequest, 'options'> & { readonly shownDiscovery?: Discovery },
  discovery: Discovery,
  signal: AbortSignal,
): Promise<IntegrationOptions> {
  const { options, shownDiscovery } = before;
  if (shownDiscovery && signInParties(shownDiscovery) !== signInParties(discovery)) flow.show({ discovery });
  const hosts = hostsToAgree(discovery, before);
  if (hosts.length === 0) return options;
  const request = hostsRequest(discovery, hosts);
  const consent = await interaction.confirmHosts?.(request, signal);
  if (consent === true) return withAgreedHosts(options, hosts);
  if (consent === false) throw new PosternError('USER_CANCELLED', { stage: 'discovery' });
  const detail = { host: request.server, hosts };
  throw new PosternError('HOST_NOT_AGREED', { stage: 'discovery', detail, remedy: { kind: 'agree-to-hosts', hosts } });
}

/** The options with consent to `hosts` added. */
export function withAgreedHosts(options: IntegrationOptions, hosts: readonly string[]): IntegrationOptions {
  return { ...options, agreedHosts: [...(options.agreedHosts ?? []), ...hosts].slice(-maxAllowedHosts) };
}

/** What the user was shown of a sign-in, for comparison. */
function signInParties(discovery: Discovery): string {
  return JSON.stringify([discovery.issuerKey, signInHosts(discovery)]);
}

/** Parties of the sign-in, for the consent dialog. */
export function hostsRequest({ url, metadata }: Discovery, hosts: readonly string[]): HostsRequest {
  return {
    server: hostOf(url),
    service: hostOf(metadata?.issuer),
    page: hostOf(metadata?.authorization_endpoint ?? metadata?.token_endpoint),
    token: hostOf(metadata?.token_endpoint),
    hosts,
  };
}

interface HostConsent {
  readonly options: Pick<IntegrationOptions, 'allowedHosts' | 'agreedHosts' | 'endpoints'>;
  /** What the user was shown before. */
  readonly shownDiscovery?: Pick<Discovery, 'metadata'> | undefined;
}

/**
 * Hosts that need the user's consent. If issuer, page and token endpoint have different owners, the code from an honest
 * page may go to someone else (RFC 9700 section 4.4, mix-up by metadata); if the issuer's owner is not the one shown,
 * so may everything. The issuer is included, so that consent to a page does not extend to others that name that page.
 * No consent is needed for the MCP server's own owner (the user typed it) unless the issuer has changed, for hosts the
 * user allowed, and for owners of endpoints they typed.
 */
export function hostsToAgree(
  { url, metadata }: Pick<Discovery, 'url' | 'metadata'>,
  { options, shownDiscovery }: HostConsent,
): readonly string[] {
  if (metadata === undefined) return [];
  const issuer = hostOf(metadata.issuer);
  const endpoints = metadataEndpoints.flatMap((name) => metadata[name] ?? []).map(hostOf);
  const hasChanged =
    shownDiscovery?.metadata !== undefined && !haveSameOwner(hostOf(shownDiscovery.metadata.issuer), issuer);
  if (!hasChanged && endpoints.every((host) => haveSameOwner(host, issuer))) return [];
  const typed = options.endpoints && [options.endpoints.authorization, options.endpoints.token];
  // With typed endpoints the issuer decides nothing.
  const hosts = new Set([...(typed ? [] : [issuer]), ...endpoints]);
  const known = [...(typed ?? []), ...(hasChanged ? [] : [url])].map(hostOf);
  const agreed = new Set([...options.allowedHosts, ...(options.agreedHosts ?? [])].map(canonicalHost));
  return [...hosts].filter(
    (host) => !agreed.has(canonicalHost(host)) && !known.some((owner) => haveSameOwner(host, owner)),
  );
}

function hostOf(address: string | undefined): string {
  return URL.parse(address ?? '')?.hostname ?? '';
}
