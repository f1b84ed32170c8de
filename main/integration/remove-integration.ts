import type { Integration } from '../../shared/integration.ts';
import type { RegistrationDeletionOutcome } from '../oauth/registration-deletion.ts';
import { deleteRegistration } from '../oauth/registration-deletion.ts';
import type { ClientRegistration } from '../oauth/registration-response.ts';
import type { RevocationOutcome } from '../oauth/revocation.ts';
import { usesApiKey } from './api-key.ts';
import type { EnginePorts } from './engine-ports.ts';
import { integrationLock } from './sign-in/install.ts';
import { integrationPolicy } from './integration-policy.ts';
import type { TakenSecrets } from './sign-out.ts';
import { readSecrets, revoke } from './sign-out.ts';
import { loadRegistration, registrationKey } from './stored-secrets.ts';
import { sweepOrphans } from './sweep-orphans.ts';

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
    const hasSecrets = integration.method !== 'NoAuth' || usesApiKey(integration);
    // After a crash in between, the entry must not claim a sign-in whose tokens are gone.
    if (hasSecrets) await ports.store.update(id, (kept) => ({ ...kept, state: 'signedOut' }));
    const secrets = hasSecrets ? await takeAll(ports, integration) : nothing;
    await ports.store.delete(id);
    return secrets;
  });
  await sweepOrphans(ports);
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
  const { id, issuer, redirectUri } = integration;
  const vault = await ports.vault();
  const secrets = await readSecrets(vault, integration);
  const others = (await ports.store.list()).filter((other) => other.id !== id);
  const isShared = others.some((other) => other.issuer === issuer && other.redirectUri === redirectUri);
  const keys = await vault.keysOf(id);
  if (issuer === undefined || redirectUri === undefined || isShared) {
    await vault.delete(...keys);
    return { ...secrets, registration: undefined };
  }
  const registration = await loadRegistration(vault, redirectUri, issuer);
  await vault.delete(...keys, registrationKey(redirectUri, issuer));
  return { ...secrets, registration };
}
