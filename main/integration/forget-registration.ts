import type { ClientCredentials } from '../oauth/client-credentials.ts';
import type { Vault } from '../ports.ts';
import { loadRegistration, registrationKey } from './stored-secrets.ts';

/**
 * The authorization server refuses a client that registered itself: the next sign-in must not begin with it, since a
 * sign-in page with an unknown client leads nowhere. One that has been made anew meanwhile stays.
 */
export async function forgetRegistration(
  vault: Vault,
  { source, clientId, redirectUri, issuer }: ClientCredentials,
): Promise<void> {
  if (source !== 'registered') return;
  const kept = await loadRegistration(vault, redirectUri, issuer);
  if (kept?.credentials.clientId === clientId) await vault.delete(registrationKey(redirectUri, issuer));
}
