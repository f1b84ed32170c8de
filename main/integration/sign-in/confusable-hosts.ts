import { displayHost } from '../../address/display-host.ts';
import { isConfusableHost } from '../../address/is-confusable-host.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';

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
