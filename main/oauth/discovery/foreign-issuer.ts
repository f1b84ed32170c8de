import { fetchAuthorizationServerMetadata } from './authorization-server-metadata.ts';
import type { AskedIssuer, ForeignIssuer, ServerMetadataAttempt } from './authorization-server-metadata.ts';
import type { DiscoveryContext } from './discovery-context.ts';
import { metadataEndpoints } from '../wire/messages.ts';

type Found = Extract<ServerMetadataAttempt, { readonly kind: 'found' }>;

/**
 * What a foreign issuer says of itself, where a server without resource metadata publishes that issuer's metadata at its
 * own origin, as servers of MCP 2025-03-26 do whose sign-in is a hosted service. Used only where each address of the
 * server's copy is the issuer's own: it is then what resource metadata that names the issuer would have led to, under
 * the same rules (RFC 9728 section 7.6, RFC 8414 section 3.3). `undefined`: it is not.
 * Errors: as `fetchAuthorizationServerMetadata`.
 */
export async function readAtForeignIssuer(
  context: DiscoveryContext,
  { published }: ForeignIssuer,
): Promise<{ readonly asked: AskedIssuer; readonly found: Found } | undefined> {
  const asked: AskedIssuer = { issuer: published.issuer, isNamed: true };
  const found = await fetchAuthorizationServerMetadata(context, asked);
  if (found.kind !== 'found' || found.result.issuerFallback !== undefined) return undefined;
  const { metadata } = found.result;
  const isCopy = metadataEndpoints.every(
    (name) => published[name] === undefined || URL.parse(published[name])?.href === metadata[name],
  );
  return isCopy ? { asked, found } : undefined;
}
