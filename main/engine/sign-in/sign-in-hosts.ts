import { haveOneOwner } from '../../address/domain-owner.ts';
import { displayHost, isConfusableHost } from '../../address/display-text.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';

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
