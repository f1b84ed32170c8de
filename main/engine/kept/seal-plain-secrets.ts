import type { Integration } from '../../../shared/integration.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { commandHash } from '../../local-ports.ts';
import type { FixedHeader } from '../../mcp/http/credential-gate.ts';
import type { IntegrationStore, Vault } from '../../ports.ts';
import { sealCommand, Secret, splitAddress, withoutKeys, withPart } from '../../secret.ts';
import { hasKeysInAddress, usesApiKey } from './api-key.ts';
import { integrationPolicy } from './integration-policy.ts';
import { readCommand, saveCommand } from './local-consent.ts';
import { keysIn, loadHeaderValue, saveAddressKeys, saveHeaderValue } from './stored-secrets.ts';

type Store = Pick<IntegrationStore, 'list' | 'update'>;

/**
 * Secrets that an earlier version left in the list go to the vault. The vault is touched only where there is one. What
 * cannot be read or written now is tried at the next start: whoever opens the vault is told anyway.
 */
export async function sealPlainSecrets(store: Store, vault: Vault): Promise<void> {
  try {
    for (const integration of await store.list()) {
      if (integration.command) await sealPlainCommand(store, vault, integration, integration.command);
      else await sealPlainAddress(store, vault, integration);
    }
  } catch (error) {
    if (!(error instanceof PosternError)) throw error;
  }
}

/** It runs the same as before, so that a consent holds on. A process that still has the old one finds its record. */
async function sealPlainCommand(
  store: Store,
  vault: Vault,
  { id }: Integration,
  plain: NonNullable<Integration['command']>,
): Promise<void> {
  const hash = commandHash(plain);
  if (sealCommand(plain, {}).command === plain) return;
  const kept = await readCommand(vault, id, plain);
  const { command, values } = sealCommand(plain, kept?.values ?? {});
  await saveCommand(vault, id, command, { values, isAllowed: kept?.isAllowed ?? false });
  await store.update(id, (entry) => {
    if (!entry.command || commandHash(entry.command) !== hash) return entry;
    const { allowedCommand, ...others } = entry;
    return { ...others, command, ...(allowedCommand === hash && { allowedCommand: commandHash(command) }) };
  });
}

/** A sign-in goes on: its tokens are for the whole address. The address of an identity provider is its name. */
async function sealPlainAddress(store: Store, vault: Vault, integration: Integration): Promise<void> {
  const { id, url, options, resource } = integration;
  if (options.isIdentityProvider || !URL.canParse(url) || splitAddress(url).parts.length === 0) return;
  const kept = usesApiKey(integration) ? await loadHeaderValue(vault, id, url) : undefined;
  if (usesApiKey(integration) && !kept) return;
  const sealed =
    integration.method === 'NoAuth'
      ? await sealAddress(vault, { id, url, options }, kept)
      : await sealAddressOfSignIn(vault, integration);
  const named = resource === undefined ? {} : { resource: withoutKeys(resource) };
  await store.update(id, (entry) => (entry.url === url ? { ...entry, ...sealed, ...named } : entry));
}

/** The keys that are in its address beside a sign-in; those that are in the vault already stay. */
async function sealAddressOfSignIn(vault: Vault, entry: Integration): Promise<SealedEntry> {
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

type PlainEntry = Pick<Integration, 'id' | 'url' | 'options'>;
type SealedEntry = Pick<Integration, 'id' | 'options'> & { readonly url: CheckedAddress };

/** Keys in an address go to the vault, as those in headers do, behind the ones that are there. Errors: KC_*, CFG_*. */
export async function sealAddress(
  vault: Vault,
  { id, url: plain, options: chosen }: PlainEntry,
  kept?: Awaited<ReturnType<typeof loadHeaderValue>>,
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
