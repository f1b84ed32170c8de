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
  // Loaded where something was left: with the address rule comes the whole list of public suffixes.
  const { sealAddress, sealAddressOfSignIn } = await import('./address-keys.ts');
  const sealed =
    integration.method === 'NoAuth'
      ? await sealAddress(vault, { id, url, options }, kept)
      : await sealAddressOfSignIn(vault, integration);
  const named = resource === undefined ? {} : { resource: withoutKeys(resource) };
  await store.update(id, (entry) => (entry.url === url ? { ...entry, ...sealed, ...named } : entry));
}
