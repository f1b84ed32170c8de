import type { IntegrationOptions } from '../../shared/integration.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import type { CheckedAddress } from '../address/check-address.ts';
import type { CatalogueStore } from '../gateway-ports.ts';
import type { LocalServers } from '../local-ports.ts';
import type {
  AssertionFiles,
  CallbackReceiver,
  Clock,
  Http,
  IntegrationStore,
  Locks,
  Log,
  PinStore,
  Random,
  SignInLeases,
  Vault,
} from '../ports.ts';

/** The world as the engine sees it; composition roots fill it. */
export interface EnginePorts {
  readonly http: Http;
  readonly clock: Clock;
  readonly random: Random;
  readonly callbacks: CallbackReceiver;
  /** Opened at first use: commands that need no secret must not wake the keychain. */
  readonly vault: () => Promise<Vault>;
  readonly store: IntegrationStore;
  readonly locks: Locks;
  readonly leases: SignInLeases;
  readonly log: Log;
  readonly assertions: AssertionFiles;
  /** What tools of servers said of themselves before. */
  readonly pins: PinStore;
  /** What servers said to programs last, which ends with the sign-in. */
  readonly catalogue: Pick<CatalogueStore, 'forget'>;
  /** Servers that run on this computer. */
  readonly local: LocalServers;
  /**
   * Refreshes that have been sent, by id of the integration, and are not stored yet. They are waited for at the end,
   * since the tokens that they bring would be lost.
   */
  readonly renewals: Map<string, SentRefresh>;
  /** Told what a server says of itself, each time that it is connected to: the window shows it. Throws nothing. */
  readonly onGreeting?: ((server: ServerAddress, icons: unknown) => void) | undefined;
}

export interface SentRefresh {
  /** Monotonic milliseconds. */
  readonly since: number;
  /** Never rejects. */
  readonly ended: Promise<void>;
}

/** Where a server is, and how one integration may reach it. */
export interface ServerAddress {
  readonly url: CheckedAddress;
  readonly options: IntegrationOptions;
  /** Of one that runs on this computer: which integration it is, and what is started. */
  readonly local?: { readonly id: string; readonly command: LocalCommand };
}

/** What holds for a server where a person has chosen nothing. */
export const usualOptions: IntegrationOptions = {
  local: false,
  allowedHosts: [],
  allowHttp: false,
  pkce: 'when-listed',
  legacyEndpoints: false,
  sendResource: true,
};

/** Ends with the refreshes that are on their way. */
export async function allSent(renewals: EnginePorts['renewals']): Promise<void> {
  await Promise.all(Array.from(renewals.values(), ({ ended }) => ended));
}
