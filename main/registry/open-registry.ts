import { officialRegistry } from '../../shared/choices.ts';
import type { AddressPolicy } from '../address/address-policy.ts';
import { checkAddress, createAddressPolicy } from '../address/check-address.ts';
import type { CheckedAddress } from '../address/check-address.ts';
import { displayPlace } from '../address/display-place.ts';
import { parseAddress } from '../address/parse-address.ts';

/** A registry that may be asked. */
export interface Registry {
  readonly address: CheckedAddress;
  readonly policy: AddressPolicy;
  /** As it is shown. */
  readonly place: string;
  /** The person named it: it may be in their own network, and so may what it lists. */
  readonly isOwn: boolean;
}

/** Errors: URL_*, HOST_BLOCKED. */
export function openRegistry(address: string): Registry {
  const isOwn = address !== officialRegistry;
  const policy = createAddressPolicy({ url: address, local: isOwn, allowedHosts: [], allowHttp: false });
  const url = parseAddress(address, 'address');
  return { address: checkAddress(url, policy, 'address'), policy, place: displayPlace(url), isOwn };
}
