import { mostAllowedHosts } from '../../../shared/integration.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { canonicalHost, displayHost, isConfusableHost } from '../../address/display-text.ts';
import { haveOneOwner } from '../../address/domain-owner.ts';
import { PosternError } from '../../errors/postern-error.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import { metadataEndpoints } from '../../oauth/wire/messages.ts';
import type { Flow } from './flow.ts';
import type { HostsRequest, SignInInteraction, SignInRequest } from './sign-in-interaction.ts';

/** Who signs a person in, who gets the answer of the page, and who gets the access; with their ports. */
interface SignInHosts {
  readonly signInHost: string;
  readonly tokenHost: string;
  readonly serverHost: string;
  /** The server and the sign-in page are not known to have one owner. */
  readonly differentOwner: boolean;
}

/** `undefined` where there is no sign-in. Without a page the service is asked at its token endpoint at once. */
export function signInHosts({ url, metadata }: Pick<Discovery, 'url' | 'metadata'>): SignInHosts | undefined {
  const { token_endpoint: endpoint, authorization_endpoint: first = endpoint } = metadata ?? {};
  const [server, page, token] = [url, first, endpoint].map((address) => URL.parse(address ?? ''));
  if (!server || !page || !token) return undefined;
  return {
    signInHost: page.host,
    tokenHost: token.host,
    serverHost: server.host,
    differentOwner: !haveOneOwner(server.hostname, page.hostname),
  };
}

/**
 * Hosts, in punycode, where a person is about to sign in and that may be read as another one (Unicode TR 36). A reason
 * to look twice, not a refusal: such names have honest owners too.
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
 * Has a person agree to the hosts of a sign-in that have several owners, or another one than was shown, before anything
 * is registered, typed or opened there. Tells first what has changed since it was shown. Answers the options with those
 * hosts agreed to, to be kept with the integration.
 * Errors: HOST_NOT_AGREED when nobody can answer, USER_CANCELLED for a no.
 */
export async function agreeToHosts(
  flow: Pick<Flow, 'show'>,
  interaction: Pick<SignInInteraction, 'askHosts'>,
  before: Pick<SignInRequest, 'options'> & { readonly shown?: Discovery },
  discovery: Discovery,
  signal: AbortSignal,
): Promise<IntegrationOptions> {
  const { options, shown } = before;
  if (shown && partiesOf(shown) !== partiesOf(discovery)) flow.show({ discovery });
  const hosts = hostsToAgree(discovery, before);
  if (hosts.length === 0) return options;
  const asked = hostsRequest(discovery, hosts);
  const answer = await interaction.askHosts?.(asked, signal);
  if (answer === true) return withAgreed(options, hosts);
  if (answer === false) throw new PosternError('USER_CANCELLED', { stage: 'discovery' });
  const detail = { host: asked.server, hosts };
  throw new PosternError('HOST_NOT_AGREED', { stage: 'discovery', detail, remedy: { kind: 'agree-to-hosts', hosts } });
}

/** The same options with a yes to `hosts` in them. */
export function withAgreed(options: IntegrationOptions, hosts: readonly string[]): IntegrationOptions {
  return { ...options, agreedHosts: [...(options.agreedHosts ?? []), ...hosts].slice(-mostAllowedHosts) };
}

/** What a person was told of a sign-in, to be compared. */
function partiesOf(discovery: Discovery): string {
  return JSON.stringify([discovery.issuerKey, signInHosts(discovery)]);
}

/** Who has a part in the sign-in that `hosts` have to be agreed to for. */
export function hostsRequest({ url, metadata }: Discovery, hosts: readonly string[]): HostsRequest {
  return {
    server: hostOf(url),
    service: hostOf(metadata?.issuer),
    page: hostOf(metadata?.authorization_endpoint ?? metadata?.token_endpoint),
    token: hostOf(metadata?.token_endpoint),
    hosts,
  };
}

export interface AgreedBefore {
  readonly options: Pick<IntegrationOptions, 'allowedHosts' | 'agreedHosts' | 'endpoints'>;
  /** What the person was shown of this sign-in before. */
  readonly shown?: Pick<Discovery, 'metadata'> | undefined;
}

/**
 * Hosts of a sign-in that a person has to agree to first: where service, page and token endpoint have different owners,
 * the code of an honest page may go to somebody else (RFC 9700 section 4.4, mix-up by metadata), and so may everything
 * where the service is another owner's than the one shown. The service is among them, so that a yes to a page is none
 * to whoever else names that page. The MCP server's own owner is what the person typed, and needs no yes unless the
 * service has changed; nor do hosts that they allowed, and owners of endpoints that they typed.
 */
export function hostsToAgree(
  { url, metadata }: Pick<Discovery, 'url' | 'metadata'>,
  { options, shown }: AgreedBefore,
): readonly string[] {
  if (metadata === undefined) return [];
  const issuer = hostOf(metadata.issuer);
  const endpoints = metadataEndpoints.flatMap((name) => metadata[name] ?? []).map(hostOf);
  const hasChanged = shown?.metadata !== undefined && !haveOneOwner(hostOf(shown.metadata.issuer), issuer);
  if (!hasChanged && endpoints.every((host) => haveOneOwner(host, issuer))) return [];
  const typed = options.endpoints && [options.endpoints.authorization, options.endpoints.token];
  // Where endpoints were typed, the name of the service decides nothing.
  const hosts = new Set([...(typed ? [] : [issuer]), ...endpoints]);
  const known = [...(typed ?? []), ...(hasChanged ? [] : [url])].map(hostOf);
  const agreed = new Set([...options.allowedHosts, ...(options.agreedHosts ?? [])].map(canonicalHost));
  return [...hosts].filter(
    (host) => !agreed.has(canonicalHost(host)) && !known.some((owner) => haveOneOwner(host, owner)),
  );
}

function hostOf(address: string | undefined): string {
  return URL.parse(address ?? '')?.hostname ?? '';
}
