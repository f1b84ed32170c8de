import type { Integration } from '../../../shared/integration.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { Vault } from '../../ports.ts';
import { Secret, splitAddress, withPart } from '../../secret.ts';
import { hasKeysInAddress } from './api-key.ts';
import { integrationPolicy } from './integration-policy.ts';
import { keysIn, saveAddressKeys, saveHeaderValue } from './stored-secrets.ts';
import type { KeptKey } from './stored-secrets.ts';

type PlainEntry = Pick<Integration, 'id' | 'url' | 'options'>;
type SealedEntry = Pick<Integration, 'id' | 'options'> & { readonly url: CheckedAddress };

/** The keys that are in its address beside a sign-in; those that are in the vault already stay. */
export async function sealAddressOfSignIn(vault: Vault, entry: Integration): Promise<SealedEntry> {
  const { id, options } = entry;
  const { url, keys } = keysOfAddress(entry);
  const all = [...(await keysIn(async () => vault)(entry)), ...keys];
  return { id, url, options: { ...options, ...(await saveAddressKeys(async () => vault, { id, url }, all)) } };
}

/** An address as the list has it, and what is left out of it. */
export function keysOfAddress({ url: plain, options }: Pick<Integration, 'url' | 'options'>): {
  readonly url: CheckedAddress;
  readonly keys: readonly FixedHeader[];
} {
  const { href, parts } = splitAddress(plain);
  const url = checkAddress(new URL(href), integrationPolicy(href, options), 'address');
  return { url, keys: parts.map(({ name, value }) => ({ name, value: new Secret(value) })) };
}

/**
 * The address that a sign-in is asked for: with the keys in its path, where the server is. Those in its query stay away
 * from the sign-in service. Errors: KC_*, CFG_*.
 */
export async function addressOfSignIn(vault: () => Promise<Vault>, integration: Integration): Promise<string> {
  const keys = hasKeysInAddress(integration) ? await keysIn(vault)(integration) : [];
  const inPath = keys.filter(({ name }) => name.startsWith('/'));
  if (inPath.length === 0) return integration.url;
  return inPath.reduce(
    (url, { name, value }) => withPart(url, { name, value: value.reveal() }),
    new URL(integration.url),
  ).href;
}

/** Keys in an address go to the vault, as those in headers do, behind the ones that are there. Errors: KC_*, CFG_*. */
export async function sealAddress(
  vault: Vault,
  { id, url: plain, options: chosen }: PlainEntry,
  kept?: KeptKey,
): Promise<SealedEntry> {
  const { url, keys: inAddress } = keysOfAddress({ url: plain, options: chosen });
  const [first, ...rest] = inAddress;
  if (!first) return { id, url, options: chosen };
  const further = kept ? [...kept.further, ...inAddress] : rest;
  const names = further.map(({ name }) => name);
  const headerName = kept ? chosen.headerName : first.name;
  const options = { ...chosen, ...(headerName !== undefined && { headerName }) };
  await saveHeaderValue(vault, { id, url }, { value: kept?.value ?? first.value, further });
  return { id, url, options: names.length > 0 ? { ...options, furtherHeaders: names } : options };
}
