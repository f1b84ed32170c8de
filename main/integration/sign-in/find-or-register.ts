import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import { registerClient } from '../../oauth/client/client-registration.ts';
import type { RegistrationAnswer } from '../../oauth/client/client-registration.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { ClientRegistration } from '../../oauth/client/registration-response.ts';
import { PosternError } from '../../postern-error.ts';
import { isUnanswered } from '../kept/forget-registration.ts';
import { loadRegistration, saveRegistration } from '../kept/stored-secrets.ts';
import type { CredentialsContext } from './credentials-context.ts';
import { issuerKeyOf } from './credentials-context.ts';
import { moveRegistration } from './move-registration.ts';

/** A client for this sign-in, and whether it was there already: only a reused one can have been forgotten. */
export interface Client {
  readonly credentials: ClientCredentials;
  readonly reused: boolean;
  /** As they were typed or registered, while another way of authenticating is tried. */
  readonly agreed?: ClientCredentials;
  /** What its registration had to be tolerated, by name. */
  readonly notes?: readonly CompatibilityNote[];
  /**
   * Its registration is being stored: to be awaited before a person is sent to sign in with it. Errors: KC_*, CFG_*.
   */
  readonly saved?: Promise<void>;
}

export type FailedRegistration = Exclude<RegistrationAnswer, { readonly kind: 'registered' }>;
type Found = { readonly kind: 'found'; readonly client: Client } | FailedRegistration;

/**
 * The registration that is kept for the issuer and this redirect URI, unless it is `forgotten` there or its last sign-
 * in page brought no answer; one of another redirect URI that is no longer of use, brought here; or a new one. Errors:
 * those of `registerClient`, KC_*, CFG_*.
 */
export async function findOrRegister(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  forgotten: ClientCredentials | undefined,
): Promise<Found> {
  const { ports, flow, interaction, policy, integrationId, redirectUri, forDevices, registrationToken, signal } =
    context;
  const { metadata } = discovery;
  const issuerKey = issuerKeyOf(discovery);
  if (!metadata) return { kind: 'refused', error: new PosternError('ASM_MISSING', { stage: 'registration' }) };
  const vault = await ports.vault();
  let doubted: ClientRegistration | undefined;
  const isKnown = (kept: ClientRegistration): boolean => {
    if (kept.credentials.clientId === forgotten?.clientId || hasExpired(kept, ports.clock.now())) return false;
    if (forDevices === true || !isUnanswered(kept, integrationId, ports.clock.now())) return true;
    if (kept.credentials.redirectUri === redirectUri) doubted = kept;
    return false;
  };
  const usable = async (): Promise<ClientRegistration | undefined> => {
    const kept = await loadRegistration(vault, redirectUri, issuerKey);
    // A client that was registered without that grant would be refused it (RFC 6749 section 5.2, unauthorized_client).
    return kept && isKnown(kept) && (forDevices !== true || kept.forDevices === true) ? kept : undefined;
  };
  const kept = await usable();
  if (kept) return { kind: 'found', client: reuse(kept) };

  flow.advance({ type: 'register' });
  const found = Promise.withResolvers<Found>();
  const request = { metadata, issuerKey, redirectUri, scope, forDevices, policy, signal };
  // One registration for one issuer and redirect URI, however many sign-ins start at once.
  const saved = ports.locks.hold(
    `registration ${issuerKey}`,
    async () => {
      const meanwhile = (await usable()) ?? (await moveRegistration(context, request, isKnown));
      if (meanwhile) {
        found.resolve({ kind: 'found', client: reuse(meanwhile) });
        return;
      }
      const initialAccessToken = flow.found.firstIssuerKey === issuerKey ? registrationToken : undefined;
      const answer = await registerClient(ports, { ...request, initialAccessToken });
      if (answer.kind !== 'registered') {
        // Its page may have been left by the user, and be all right.
        found.resolve(doubted ? { kind: 'found', client: reuse(doubted) } : answer);
        return;
      }
      const { registration } = answer;
      const { credentials } = registration;
      const notes = [...registration.notes, ...noteIf(doubted !== undefined, 'registered-again')];
      if (doubted) interaction.onEvent({ event: 'note', note: 'registered-again' });
      // Saved while the sign-in goes on, which need not wait for the disk.
      found.resolve({ kind: 'found', client: { credentials, reused: false, notes } });
      await saveRegistration(vault, registration);
    },
    signal,
  );
  saved.catch(found.reject);
  const answer = await found.promise;
  return answer.kind === 'found' ? { kind: 'found', client: { ...answer.client, saved } } : answer;
}

function reuse({ credentials, notes }: ClientRegistration): Client {
  return { credentials, reused: true, notes };
}

/** A secret that ends within the sign-in's own ten minutes is as good as ended (RFC 7591 3.2.1). */
function hasExpired({ credentials }: ClientRegistration, now: number): boolean {
  return credentials.secretExpiresAt !== undefined && credentials.secretExpiresAt - 600_000 < now;
}
