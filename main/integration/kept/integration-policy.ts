import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { createAddressPolicy } from '../../address/check-address.ts';

/** The address policy of one integration: from its own options only, never from another integration's. */
export function integrationPolicy(url: string, options: IntegrationOptions): AddressPolicy {
  return createAddressPolicy({
    url,
    local: options.local,
    allowedHosts: options.allowedHosts,
    allowHttp: options.allowHttp,
  });
}
