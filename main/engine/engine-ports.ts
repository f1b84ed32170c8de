import type { IntegrationOptions } from '../../shared/integration.ts';
import type { LocalCommand } from '../../shared/local-command.ts';
import type { CheckedAddress } from '../address/check-address.ts';
import type { CatalogStore } from '../gateway-ports.ts';
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

/** Everything outside the engine that it uses; composition roots fill it in. */
export interface EnginePorts {
  readonly http: Http;
  readonly clock: Clock;
  readonly random: Random;
  readonly callbacks: CallbackReceiver;
  /** Opened on first use: commands that need no secret must not unlock the keychain. */
  readonly vault: () => Promise<Vault>;
  readonly store: IntegrationStore;
  readonly locks: Locks;
  readonly leases: SignInLeases;
  readonly log: Log;
  readonly assertions: AssertionFiles;
  /** Tool descriptions that servers listed before. */
  readonly pins: PinStore;
  /** Cached server lists that AI apps get; deleted when the sign-in ends. */
  readonly catalog: Pick<CatalogStore, 'forget'>;
  /** Runs local servers. */
  readonly local: LocalServers;
  /**
   * Refreshes that were sent but not stored yet, by integration ID. Shutdown waits for them, or their tokens would be
   * lost.
   */
  readonly refreshesInFlight: Map<string, RefreshInFlight>;
  /** Gets the icons that a server names, on each connection. Never throws. */
  readonly onServerIcons?: ((server: ServerAddress, icons: unknown) => void) | undefined;
}

interface RefreshInFlight {
  /** Monotonic milliseconds. */
  readonly since: number;
  /** Never rejects. */
  readonly ended: Promise<void>;
}

/** A server's address, and how one integration may reach it. */
export interface ServerAddress {
  readonly url: CheckedAddress;
  readonly options: IntegrationOptions;
  /** Only for a local server. */
  readonly local?: { readonly id: string; readonly command: LocalCommand };
}

/** Options where the user chose nothing. */
export const defaultOptions: IntegrationOptions = {
  local: false,
  allowedHosts: [],
  allowHttp: false,
  pkce: 'when-listed',
  legacyEndpoints: false,
  sendResource: true,
};

/** Resolves once all refreshes in flight have ended. */
export async function waitForRefreshes(refreshesInFlight: EnginePorts['refreshesInFlight']): Promise<void> {
  await Promise.all(Array.from(refreshesInFlight.values(), ({ ended }) => ended));
}
