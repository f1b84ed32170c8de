import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { issuerKeyFor } from '../../issuer-key.ts';
import type { IssuerFallback } from '../../issuer-key.ts';
import { fetchAuthorizationServerMetadata, MissingServerMetadata } from './authorization-server-metadata.ts';
import { decideAuthenticationMethod } from './authentication-method.ts';
import { createDiscoveryContext } from './discovery-context.ts';
import type { Discovery, DiscoveryOptions, DiscoveryPorts } from './discovery.ts';
import { withTypedEndpoints } from './typed-endpoints.ts';

/**
 * How an identity provider signs people in: its address is the issuer itself, so that nothing else names one. No MCP
 * server is asked there. Errors: as `fetchAuthorizationServerMetadata`, ASM_MISSING, ASM_UNAVAILABLE.
 */
export async function discoverIssuer(ports: DiscoveryPorts, options: DiscoveryOptions): Promise<Discovery> {
  const context = createDiscoveryContext(ports, options);
  const { href, origin, pathname } = new URL(options.url);
  const issuer = pathname === '/' ? origin : href;
  const found = await fetchAuthorizationServerMetadata(context, { issuer, isNamed: true });
  if (found.kind === 'unusable') throw found.error;
  if (found.kind === 'missing') throw new MissingServerMetadata({ stage: 'discovery' });
  const { metadata, issuerFallback } = found.result;
  const discovery = dropUndefined({
    url: options.url,
    method: decideAuthenticationMethod({ ...options, metadata }),
    metadata,
    metadataUrl: found.url,
    authorizationServer: issuer,
    issuerKey: issuerKeyFor(metadata.issuer, issuer, issuerFallback),
    issuerFallback,
    alternatives: [],
    legacyEndpoints: false,
    notes: noteOfFallback(issuerFallback),
  });
  return withTypedEndpoints(discovery, options);
}

/** What is noted with an integration whose issuer was accepted by an exception. */
export function noteOfFallback(fallback: IssuerFallback | undefined): readonly CompatibilityNote[] {
  if (fallback === undefined) return [];
  return [fallback === 'subdomain-name' ? 'issuer-subdomain' : `issuer-${fallback}`];
}
