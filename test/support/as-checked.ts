import type { CheckedAddress } from '../../main/address/check-address.ts';

/** An address as if it had passed its border: a test stands in for it, or tries what stands behind it. */
export function asChecked(address: string): CheckedAddress {
  return address as CheckedAddress;
}
