import { canonicalHost } from '../../address/canonical-host.ts';
import { haveOneOwner } from '../../address/have-one-owner.ts';
import type { Discovery } from '../../oauth/discovery.ts';
import { metadataEndpoints } from '../../oauth/messages.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';

export interface AgreedBefore {
  readonly options: Pick<IntegrationOptions, 'allowedHosts' | 'endpoints'>;
  /** What the secrets of the sign-in before are keyed by. */
  readonly earlierIssuer?: string | undefined;
}

/**
 * Hosts of a sign-in that a person has to agree to first, since they are not known to belong to its service: where page
 * and token endpoint have different owners, the code of an honest page may go to somebody else (RFC 9700 section 4.4,
 * mix-up by metadata). None where all are of one owner. Those that the person typed or allowed are not asked for, the
 * service's own only where the sign-in before was at another owner's.
 */
export function hostsToAgree(
  { metadata }: Pick<Discovery, 'metadata'>,
  { options, earlierIssuer }: AgreedBefore,
): readonly string[] {
  if (metadata === undefined) return [];
  const issuer = hostOf(metadata.issuer);
  const hosts = new Set(metadataEndpoints.flatMap((name) => metadata[name] ?? []).map(hostOf));
  if ([...hosts].every((host) => haveOneOwner(host, issuer))) return [];
  const isSameService = earlierIssuer === undefined || haveOneOwner(hostOf(earlierIssuer), issuer);
  const { authorization, token } = options.endpoints ?? {};
  const known = [isSameService ? metadata.issuer : undefined, authorization, token].filter((url) => url !== undefined);
  const allowed = new Set(options.allowedHosts.map(canonicalHost));
  return [...hosts].filter(
    (host) => !allowed.has(canonicalHost(host)) && !known.some((url) => haveOneOwner(host, hostOf(url))),
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}
