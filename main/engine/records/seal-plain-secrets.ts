import type { Integration } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { commandHash } from '../../local-ports.ts';
import type { IntegrationStore, Vault } from '../../ports.ts';
import { sealCommand, splitAddress, withoutKeys } from '../../secret.ts';
import { usesApiKey } from './api-key.ts';
import { readCommand, saveCommand } from './local-consent.ts';
import { loadHeaderValue } from './stored-secrets.ts';

type Store = Pick<IntegrationStore, 'list' | 'update'>;

/**
 * Moves secrets that an earlier version left in the list to the vault, which is only touched if there are any. What
 * cannot be read or written now is tried again at the next start; opening the vault reports the problem anyway.
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

/**
 * The same command runs, so its consent is carried over. A process that still has the old command finds its old record.
 */
async function sealPlainCommand(
  store: Store,
  vault: Vault,
  { id }: Integration,
  plain: NonNullable<Integration['command']>,
): Promise<void> {
  const hash = commandHash(plain);
  if (sealCommand(plain, {}).command === plain) return;
  const stored = await readCommand(vault, id, plain);
  const { command, values } = sealCommand(plain, stored?.values ?? {});
  await saveCommand(vault, id, command, { values, isAllowed: stored?.isAllowed ?? false });
  await store.update(id, (entry) => {
    if (!entry.command || commandHash(entry.command) !== hash) return entry;
    const { allowedCommand, ...others } = entry;
    return { ...others, command, ...(allowedCommand === hash && { allowedCommand: commandHash(command) }) };
  });
}

/**
 * A sign-in stays valid: its tokens are for the whole address. An identity provider's address is its issuer, so it
 * stays.
 */
async function sealPlainAddress(store: Store, vault: Vault, integration: Integration): Promise<void> {
  const { id, url, options, resource } = integration;
  if (options.isIdentityProvider || !URL.canParse(url) || splitAddress(url).parts.length === 0) return;
  const stored = usesApiKey(integration) ? await loadHeaderValue(vault, id, url) : undefined;
  if (usesApiKey(integration) && !stored) return;
  // Loaded only if needed: the address rule brings the whole public suffix list.
  const { sealAddress, sealAddressOfSignIn } = await import('./address-keys.ts');
  const sealed =
    integration.method === 'NoAuth'
      ? await sealAddress(vault, { id, url, options }, stored)
      : await sealAddressOfSignIn(vault, integration);
  const named = resource === undefined ? {} : { resource: withoutKeys(resource) };
  await store.update(id, (entry) => (entry.url === url ? { ...entry, ...sealed, ...named } : entry));
}
