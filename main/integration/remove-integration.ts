import type { Integration } from '../../shared/integration.ts';
import type { RegistrationDeletionOutcome } from '../oauth/registration-deletion.ts';
import { deleteRegistration } from '../oauth/registration-deletion.ts';
import type { ClientRegistration } from '../oauth/client-registration.ts';
import type { RevocationOutcome } from '../oauth/revocation.ts';
import { usesApiKey } from './api-key.ts';
import type { EnginePorts } from './engine-ports.ts';
import { integrationLock } from './install.ts';
import { integrationPolicy } from './integration-policy.ts';
import type { TakenSecrets } from './sign-out.ts';
import { revoke, takeTokens } from './sign-out.ts';
import { loadRegistration, registrationKey } from './stored-secrets.ts';

export interface Removed {
  readonly integration: Integration;
  readonly revocation: RevocationOutcome;
  /** `nothing-to-delete` also where another integration signs in with it. */
  readonly registration: RegistrationDeletionOutcome;
}

/**
 * Removes an integration: everything here first, offline too; then, best effort, its tokens are revoked (RFC 7009)
 * and its registration deleted (RFC 7592) unless another integration signs in with it. Errors: KC_*, CFG_*.
 */
export async function removeIntegration(
  ports: EnginePorts,
  integration: Integration,
  signal: AbortSignal,
): Promise<Removed> {
  const { id } = integration;
  const held = await ports.locks.hold(integrationLock(id), async () => {
    const secrets =
      integration.method === 'NoAuth' && !usesApiKey(integration) ? nothing : await takeAll(ports, integration);
    await ports.store.delete(id);
    return secrets;
  });
  const revocation = await revoke(ports, integration, held, signal);
  const policy = integrationPolicy(integration.url, integration.options);
  const registration = held.registration
    ? await deleteRegistration(ports.http, { registration: held.registration, policy, signal })
    : 'nothing-to-delete';
  return { integration, revocation, registration };
}

interface EverySecret extends TakenSecrets {
  readonly registration: ClientRegistration | undefined;
}

const nothing: EverySecret = { tokens: undefined, credentials: undefined, registration: undefined };

async function takeAll(ports: EnginePorts, integration: Integration): Promise<EverySecret> {
  const taken = await takeTokens(ports, integration);
  const vault = await ports.vault();
  for (const key of await vault.keysOf(integration.id)) await vault.delete(key);
  const { issuer, redirectUri } = integration;
  if (issuer === undefined || redirectUri === undefined) return { ...taken, registration: undefined };
  const others = (await ports.store.list()).filter(({ id }) => id !== integration.id);
  if (others.some((other) => other.issuer === issuer && other.redirectUri === redirectUri)) {
    return { ...taken, registration: undefined };
  }
  const registration = await loadRegistration(vault, redirectUri, issuer);
  await vault.delete(registrationKey(redirectUri, issuer));
  return { ...taken, registration };
}
