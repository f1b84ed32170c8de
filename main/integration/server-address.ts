import type { IntegrationOptions } from '../../shared/integration.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import type { CheckedAddress } from '../address/check-address.ts';

/** Where a server is, and how one integration may reach it. */
export interface ServerAddress {
  readonly url: CheckedAddress;
  readonly options: IntegrationOptions;
  /** Of one that runs on this computer: which integration it is, and what is started. */
  readonly local?: { readonly id: string; readonly command: LocalCommand };
}
