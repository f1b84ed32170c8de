import type { IntegrationOptions } from '../../shared/integration.ts';
import type { CheckedAddress } from '../address/check-address.ts';

/** Where a server is, and how one integration may reach it. */
export interface ServerAddress {
  readonly url: CheckedAddress;
  readonly options: IntegrationOptions;
}
