import { PosternError } from '../../postern-error.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import type { Discovery } from './discovery.ts';

/** RFC 8628 section 3.4. */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Where a sign-in on another device begins (RFC 8628 section 4), with a service that offers it. Where it lists no grant
 * types, its naming the address is enough: Microsoft's lists none.
 */
export function deviceEndpoint(metadata: AuthorizationServerMetadata | undefined): CheckedAddress | undefined {
  const { device_authorization_endpoint: endpoint, grant_types_supported: grants = [] } = metadata ?? {};
  return grants.length === 0 || grants.includes(deviceGrant) ? endpoint : undefined;
}

/** Errors: DEVICE_UNSUPPORTED, before anything is registered or asked. */
export function requireDeviceEndpoint({ metadata }: Pick<Discovery, 'metadata'>): CheckedAddress {
  const endpoint = deviceEndpoint(metadata);
  if (endpoint !== undefined) return endpoint;
  const host = URL.parse(metadata?.authorization_endpoint ?? '')?.host ?? '';
  throw new PosternError('DEVICE_UNSUPPORTED', { stage: 'discovery', detail: { host } });
}
