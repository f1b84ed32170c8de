import type { Integration } from '../../../shared/integration.ts';
import type { RegistrationDeletionOutcome } from '../../oauth/client/registration-deletion.ts';
import { deleteRegistration } from '../../oauth/client/registration-deletion.ts';
import type { RevocationOutcome } from '../../oauth/token/revocation.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { ForgottenSecrets } from './forget-integration.ts';
import { forgetIntegration } from './forget-integration.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { revoke } from './sign-out.ts';
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
  const held = await forgetIntegration(ports, integration);
  await sweepOrphans(ports);
  const revocation = await revoke(ports, integration, held, signal);
  return { integration, revocation, registration: await unregister(ports, integration, held, signal) };
}

/** Deletes the registration that came with it at its authorization server, best effort. Never throws. */
export async function unregister(
  ports: Pick<EnginePorts, 'http'>,
  { url, options }: Integration,
  { registration }: Pick<ForgottenSecrets, 'registration'>,
  signal: AbortSignal,
): Promise<RegistrationDeletionOutcome> {
  if (!registration) return 'nothing-to-delete';
  const policy = integrationPolicy(url, options);
  return await deleteRegistration(ports.http, { registration, policy, signal });
}
