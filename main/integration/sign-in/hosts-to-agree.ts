import { canonicalHost } from '../../address/canonical-host.ts';
import { haveOneOwner } from '../../address/have-one-owner.ts';
import type { Discovery } from '../../oauth/discovery.ts';
import { metadataEndpoints } from '../../oauth/messages.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';

export interface AgreedBefore {
  readonly options: Pick<IntegrationOptions, 'allowedHosts' | 'agreedHosts' | 'endpoints'>;
  /** What the person was shown of this sign-in before. */
  readonly shown?: Pick<Discovery, 'metadata'> | undefined;
}

/**
 * Hosts of a sign-in that a person has to agree to first: where service, page and token endpoint have different owners,
 * the code of an honest page may go to somebody else (RFC 9700 section 4.4, mix-up by metadata), and so may everything
 * where the service is another owner's than the one shown. The service is among them, so that a yes to a page is none to
 * whoever else names that page. The MCP server's own owner is what the person typed, and needs no yes unless the service
 * has changed; nor do hosts that they allowed, and owners of endpoints that they typed.
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
  // Beside typed endpoints the name of a service decides nothing.
  const hosts = new Set([...(typed ? [] : [issuer]), ...endpoints]);
  const known = [...(typed ?? []), ...(hasChanged ? [] : [url])].map(hostOf);
  const agreed = new Set([...options.allowedHosts, ...(options.agreedHosts ?? [])].map(canonicalHost));
  return [...hosts].filter(
    (host) => !agreed.has(canonicalHost(host)) && !known.some((owner) => haveOneOwner(host, owner)),
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}
