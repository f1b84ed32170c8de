import type { IssuerKey } from '../../../shared/issuer-key.ts';
import { keyHost } from '../../issuer-key.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { Secret } from '../../secret.ts';
import { PosternError } from '../../postern-error.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { Flow } from './flow.ts';
import type { SignInInteraction } from './sign-in-interaction.ts';

/** What finding a client for a sign-in needs to know. */
export interface CredentialsContext {
  readonly ports: EnginePorts;
  readonly flow: Flow;
  readonly interaction: SignInInteraction;
  readonly policy: AddressPolicy;
  readonly integrationId: string;
  readonly redirectUri: string;
  readonly clientMetadataUrl: string | undefined;
  /** It is to sign in on another device (RFC 8628). */
  readonly forDevices?: boolean;
  /** For the service that was shown first, and its registration alone; kept nowhere. */
  readonly registrationToken?: Secret | undefined;
  readonly signal: AbortSignal;
}

/** The host of the sign-in service, as it is shown. */
export function serviceHost(discovery: Discovery): string {
  return keyHost(issuerKeyOf(discovery));
}

/** What its secrets are kept under. Errors: ASM_MISSING (a sign-in cannot start without metadata). */
export function issuerKeyOf(discovery: Discovery): IssuerKey {
  if (discovery.issuerKey === undefined) throw new PosternError('ASM_MISSING', { stage: 'discovery' });
  return discovery.issuerKey;
}
