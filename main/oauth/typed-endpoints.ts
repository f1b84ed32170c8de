import type { AddressPolicy } from '../address/address-policy.ts';
import { checkAddress } from '../address/check-address.ts';
import { parseAddress } from '../address/parse-address.ts';
import type { Discovery, DiscoveryOptions } from './discovery.ts';

/**
 * A discovery with the endpoints that the person typed in place of the published ones. Where nothing is published
 * the service's issuer is its own origin, no client can be registered, and PKCE is used: it does no harm where it is
 * not known (RFC 7636 section 5). Errors: those of the address rule.
 */
export function withTypedEndpoints(
  discovery: Discovery,
  { endpoints, policy }: Pick<DiscoveryOptions, 'endpoints' | 'policy'>,
): Discovery {
  if (endpoints === undefined) return discovery;
  const authorization_endpoint = readEndpoint(endpoints.authorization, policy);
  const token_endpoint = readEndpoint(endpoints.token, policy);
  const notes = [...discovery.notes, 'typed-endpoints'];
  const { metadata } = discovery;
  if (metadata) return { ...discovery, metadata: { ...metadata, authorization_endpoint, token_endpoint }, notes };
  const { reason: _unpublished, reasonHost: _host, ...rest } = discovery;
  const issuer = new URL(authorization_endpoint).origin;
  return {
    ...rest,
    method: 'OAuth',
    metadata: {
      issuer,
      authorization_endpoint,
      token_endpoint,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    },
    authorizationServer: issuer,
    issuer,
    notes,
  };
}

function readEndpoint(typed: string, policy: AddressPolicy): string {
  const url = parseAddress(typed, 'address');
  checkAddress(url, policy, 'address');
  return url.href;
}
