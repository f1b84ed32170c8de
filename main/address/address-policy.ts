/**
 * Which hosts one integration may reach. Made from what the person typed and ticked for that integration,
 * and never shared with another one.
 */
export interface AddressPolicy {
  /** *This server runs on my computer or internal network* (spec 1, the tunnel option; `--local`). */
  readonly local: boolean;
  /** Host that the person typed, as WHATWG prints it. With `local`, every port of it is open; if loopback, all of loopback. */
  readonly typedHost: string;
  /** Further hosts that this integration may use (`--allow-host`); among them are its private ones. */
  readonly allowedHosts: readonly string[];
  /** Plain http to the allowed private hosts that are not loopback (`--allow-http`). Loopback needs `local` alone. */
  readonly allowHttp: boolean;
}
