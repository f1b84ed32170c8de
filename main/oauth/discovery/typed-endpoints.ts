import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { parseAddress } from '../../address/parse-address.ts';
import type { Discovery, DiscoveryOptions } from './discovery.ts';
import { issuerKeyFor } from '../../issuer-key.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';

/**
 * A discovery with the endpoints that the person typed in place of the published ones. Unless the token endpoint is
 * the published one, secrets are keyed by the typed one: what was given for another is neither looked up nor sent
 * there (MCP 2026-07-28, authorization server binding), and no client is registered for it, whose secret it would get.
 * Where nothing is published, PKCE is used: it does no harm where it is not known (RFC 7636 section 5).
 * Errors: those of the address rule.
 */
export function withTypedEndpoints(
  discovery: Discovery,
  { endpoints, policy }: Pick<DiscoveryOptions, 'endpoints' | 'policy'>,
): Discovery {
  if (endpoints === undefined) return discovery;
  const authorization_endpoint = readEndpoint(endpoints.authorization, policy);
  const token_endpoint = readEndpoint(endpoints.token, policy);
  const notes = [...new Set<CompatibilityNote>([...discovery.notes, 'typed-endpoints'])];
  const { metadata } = discovery;
  if (metadata?.token_endpoint === token_endpoint) {
    const { authorizationServer = metadata.issuer, issuerFallback } = discovery;
    const issuerKey = issuerKeyFor(metadata.issuer, authorizationServer, issuerFallback);
    return { ...discovery, metadata: { ...metadata, authorization_endpoint }, issuerKey, notes };
  }
  const { reason: _unpublished, unread: _unread, ...rest } = discovery;
  return {
    authorizationServer: token_endpoint,
    ...rest,
    method: 'OAuth',
    metadata: {
      ...(metadata
        ? withoutRegistration(metadata, token_endpoint)
        : {
            issuer: new URL(authorization_endpoint).origin,
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
          }),
      authorization_endpoint,
      token_endpoint,
    },
    issuerKey: token_endpoint,
    notes,
  };
}

/** Published metadata with a typed token endpoint: its other addresses count only on the same origin. */
function withoutRegistration(
  published: AuthorizationServerMetadata,
  tokenEndpoint: CheckedAddress,
): Omit<AuthorizationServerMetadata, 'registration_endpoint'> {
  // The published endpoints' grants are not those of the typed one.
  const {
    registration_endpoint: _,
    client_id_metadata_document_supported: __,
    grant_types_supported: ___,
    ...metadata
  } = published;
  const { revocation_endpoint, pushed_authorization_request_endpoint, device_authorization_endpoint, ...rest } =
    metadata;
  const near = new URL(tokenEndpoint).origin;
  const isNear = (endpoint: string | undefined): boolean => URL.parse(endpoint ?? '')?.origin === near;
  return {
    ...rest,
    ...(isNear(revocation_endpoint) && { revocation_endpoint }),
    ...(isNear(pushed_authorization_request_endpoint) && { pushed_authorization_request_endpoint }),
    ...(isNear(device_authorization_endpoint) && { device_authorization_endpoint }),
  };
}

function readEndpoint(typed: string, policy: AddressPolicy): CheckedAddress {
  return checkAddress(parseAddress(typed, 'address'), policy, 'address');
}
