import { stateLifetime } from '../../limits.ts';
import { SignInEnd } from '../../oauth/authorization/sign-in-end.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { ClientRegistration } from '../../oauth/client/registration-response.ts';
import type { Vault } from '../../ports.ts';
import { isCancellation } from '../../cancellation.ts';
import { loadRegistration, registrationKey, saveRegistration } from './stored-secrets.ts';

/**
 * The authorization server refuses a client that registered itself: the next sign-in must not begin with it, since a
 * sign-in page with an unknown client leads nowhere. One that has been made again meanwhile stays.
 */
export async function forgetRegistration(vault: Vault, credentials: ClientCredentials): Promise<void> {
  const kept = await registrationOf(vault, credentials);
  const { redirectUri, issuerKey } = credentials;
  if (kept) await vault.delete(registrationKey(redirectUri, issuerKey));
}

/**
 * A sign-in of `integrationId` with a registration of old goes to the sign-in page, which answers nothing where it does
 * not know the client (RFC 6749 section 4.1.2.1). Noted before, so that it is known of a process that was killed too;
 * the sign-in after one without an answer registers again. `work` waits for the callback. Errors: KC_*, CFG_*.
 */
export async function awaitingCallback<Result>(
  vault: Vault,
  credentials: ClientCredentials,
  { integrationId, now }: { readonly integrationId: string; readonly now: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const note = async (unanswered: ClientRegistration['unanswered']): Promise<void> => {
    const registration = await registrationOf(vault, credentials);
    if (!registration) return;
    const { unanswered: _before, ...kept } = registration;
    await saveRegistration(vault, { ...kept, ...(unanswered && { unanswered }) });
  };
  await note({ by: integrationId, since: now });
  try {
    const result = await work();
    await note(undefined);
    return result;
  } catch (error) {
    const hasEnded = isCancellation(error) || (error instanceof SignInEnd && error.verdict === 'expired');
    // Whoever signs in next, and at once.
    if (hasEnded) await note({ by: integrationId, since: 0 });
    // A newer sign-in has taken its place before the page could answer, and waits for the port until this one ends.
    else if (error instanceof SignInEnd && error.verdict === 'superseded') await note(undefined);
    throw error;
  }
}

/** Whether the last sign-in with it brought no answer: another integration's may still wait for one. */
export function isUnanswered({ unanswered }: ClientRegistration, integrationId: string, now: number): boolean {
  if (!unanswered) return false;
  return unanswered.by === integrationId || Math.abs(now - unanswered.since) > stateLifetime;
}

async function registrationOf(
  vault: Vault,
  { source, clientId, redirectUri, issuerKey }: ClientCredentials,
): Promise<ClientRegistration | undefined> {
  if (source !== 'registered') return undefined;
  const kept = await loadRegistration(vault, redirectUri, issuerKey);
  return kept?.credentials.clientId === clientId ? kept : undefined;
}
