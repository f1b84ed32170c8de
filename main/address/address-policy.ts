/**
 * Which hosts one integration may reach. Made from what the person typed and ticked for that integration,
 * and never shared with another one.
 */
export interface AddressPolicy {
  /** *This server runs on my computer or internal network* (spec 1, the tunnel option). */
  readonly local: boolean;
  /**
   * Host that the person typed, as WHATWG prints it. With `local`, every port of it is open; if loopback, all of
   * loopback.
   */
  readonly typedHost: string;
  /** Further hosts that the person allowed this integration to use; among them are its private ones. */
  readonly allowedHosts: readonly string[];
  /** The person allowed plain http to the allowed private hosts that are not loopback. Loopback needs `local` alone. */
  readonly allowHttp: boolean;
}
