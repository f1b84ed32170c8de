import { lookup } from 'node:dns/promises';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Every address of a name. Rejects with the resolver's own error (`ENOTFOUND`, `EAI_AGAIN` …). */
export type HostLookup = (hostname: string) => Promise<readonly HostAddress[]>;

/** The operating system's resolver: hosts file, VPN and search domains count, as they do in the browser. */
export const lookupHost: HostLookup = (hostname) => lookup(hostname, { all: true });
