import type { Integration, IntegrationOptions } from '../../../shared/integration.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { checkAddress, createAddressPolicy } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { parseAddress } from '../../address/parse-address.ts';

/** The address policy of one integration: from its own options only, never from another integration's. */
export function integrationPolicy(url: string, options: IntegrationOptions): AddressPolicy {
  return createAddressPolicy({
    url,
    local: options.local,
    allowedHosts: options.allowedHosts,
    allowHttp: options.allowHttp,
  });
}

/** The address of an entry in the list, which may have been edited. Errors: those of the address rule. */
export function storedAddress({ url, options }: Pick<Integration, 'url' | 'options'>): CheckedAddress {
  return checkAddress(parseAddress(url, 'connection'), integrationPolicy(url, options), 'connection');
}
