import { parseTypedAddress } from '../../address/parse-typed-address.ts';
import { sameKeys } from '../../integration/kept/find-at-address.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { Importable } from '../../programs/import/importable.ts';
import { findExpected, isImportable, type KnownServers, sentHeaders } from './import-entry.ts';

/** An entry with the new address of one before it, and no other key: both become one connection. */
export interface SharedAddress {
  readonly name: string;
  /** The name of the other. */
  readonly as: string;
  readonly headers: readonly string[];
  readonly fate: 'same';
}

/** Those of `entries`, in the order in which they are imported. Errors: KC_*, CFG_*. */
export async function sharedAddresses(
  entries: readonly Importable[],
  servers: KnownServers,
): Promise<readonly SharedAddress[]> {
  const before: { readonly name: string; readonly href: string; readonly headers: readonly FixedHeader[] }[] = [];
  const shared: SharedAddress[] = [];
  for (const { name, server } of entries.filter(isImportable)) {
    // Not to be connected, or connected already: both are said elsewhere.
    if ((await findExpected(servers, server)) !== undefined) continue;
    const { href } = parseTypedAddress(server.url ?? '');
    const headers = sentHeaders(server.headers);
    const alike = before.filter((each) => each.href === href);
    const same = alike.find((each) => sameKeys(each.headers, headers));
    const other = same ?? (headers.length === 0 ? alike[0] : undefined);
    if (other) shared.push({ name, as: other.name, headers: headers.map((each) => each.name), fate: 'same' });
    else before.push({ name, href, headers });
  }
  return shared;
}
