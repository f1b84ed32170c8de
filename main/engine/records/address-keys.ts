import type { Integration } from '../../../shared/integration.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { Vault } from '../../ports.ts';
import { Secret, splitAddress, restorePart } from '../../secret.ts';
import { hasKeysInAddress } from './api-key.ts';
import { integrationPolicy } from './integration-policy.ts';
import { keysIn, saveAddressKeys, saveHeaderValue } from './stored-secrets.ts';
import type { StoredKey } from './stored-secrets.ts';

type PlainEntry = Pick<Integration, 'id' | 'url' | 'options'>;
type SealedEntry = Pick<Integration, 'id' | 'options'> & { readonly url: CheckedAddress };

/** Moves keys in the address of a server with a sign-in to the vault, after those already there. */
export async function sealAddressOfSignIn(vault: Vault, entry: Integration): Promise<SealedEntry> {
  const { id, options } = entry;
  const { url, keys } = keysOfAddress(entry);
  const all = [...(await keysIn(async () => vault)(entry)), ...keys];
  return { id, url, options: { ...options, ...(await saveAddressKeys(async () => vault, { id, url }, all)) } };
}

/** Splits an address into the part that is listed and its keys. */
export function keysOfAddress({ url: plain, options }: Pick<Integration, 'url' | 'options'>): {
  readonly url: CheckedAddress;
  readonly keys: readonly FixedHeader[];
} {
  const { href, parts } = splitAddress(plain);
  const url = checkAddress(new URL(href), integrationPolicy(href, options), 'address');
  return { url, keys: parts.map(({ name, value }) => ({ name, value: new Secret(value) })) };
}

/**
 * Address for a sign-in: with the keys in its path, where the server is. Keys in its query must not reach the sign-in
 * service. Errors: KC_*, CFG_*.
 */
export async function addressOfSignIn(vault: () => Promise<Vault>, integration: Integration): Promise<string> {
  const keys = hasKeysInAddress(integration) ? await keysIn(vault)(integration) : [];
  const inPath = keys.filter(({ name }) => name.startsWith('/'));
  if (inPath.length === 0) return integration.url;
  return inPath.reduce(
    (url, { name, value }) => restorePart(url, { name, value: value.reveal() }),
    new URL(integration.url),
  ).href;
}

/** Moves keys in an address to the vault, as with those in headers, after any stored ones. Errors: KC_*, CFG_*. */
export async function sealAddress(
  vault: Vault,
  { id, url: plain, options: chosen }: PlainEntry,
  stored?: StoredKey,
): Promise<SealedEntry> {
  const { url, keys: inAddress } = keysOfAddress({ url: plain, options: chosen });
  const [first, ...rest] = inAddress;
  if (!first) return { id, url, options: chosen };
  const further = stored ? [...stored.further, ...inAddress] : rest;
  const names = further.map(({ name }) => name);
  const headerName = stored ? chosen.headerName : first.name;
  const options = { ...chosen, ...(headerName !== undefined && { headerName }) };
  await saveHeaderValue(vault, { id, url }, { value: stored?.value ?? first.value, further });
  return { id, url, options: names.length > 0 ? { ...options, furtherHeaders: names } : options };
}
