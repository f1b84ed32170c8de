import { SignInEnd } from '../../oauth/authorization/sign-in-end.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Vault } from '../../ports.ts';
import { isCancellation } from '../../cancellation.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { loadRegistration, registrationKey } from './stored-secrets.ts';

/**
 * The authorization server refuses a client that registered itself: the next sign-in must not begin with it, since a
 * sign-in page with an unknown client leads nowhere. One that has been made again meanwhile stays.
 */
export async function forgetRegistration(
  vault: Vault,
  { source, clientId, redirectUri, issuerKey }: ClientCredentials,
): Promise<void> {
  if (source !== 'registered') return;
  const kept = await loadRegistration(vault, redirectUri, issuerKey);
  if (kept?.credentials.clientId === clientId) await vault.delete(registrationKey(redirectUri, issuerKey));
}

/**
 * A sign-in with a registration of old ended without any answer. A page that does not know the client looks just like
 * that, and it would come again at every try, so the next one registers again.
 */
export async function doubtRegistration(
  { ports }: { readonly ports: Pick<EnginePorts, 'vault'> },
  { credentials }: { readonly credentials: ClientCredentials },
  end: unknown,
): Promise<void> {
  const isUnanswered = isCancellation(end) || (end instanceof SignInEnd && end.verdict === 'expired');
  if (isUnanswered) await forgetRegistration(await ports.vault(), credentials);
}
