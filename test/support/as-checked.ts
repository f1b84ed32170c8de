import type { CheckedAddress } from '../../main/address/check-address.ts';

/** Treats an address as checked, for tests of the code behind the check. */
export function asChecked(address: string): CheckedAddress {
  return address as CheckedAddress;
}
