import type { TryAgain } from '../../../shared/connection-view.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import type { AddressPolicy } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { keyHost } from '../../issuer-key.ts';
import { hasSecretOrKey, secretOrKeyOf } from '../../oauth/client/client-credentials.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { Secret } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { Flow } from './flow.ts';
import type { CredentialsRequest, SignInInteraction } from './sign-in-interaction.ts';

/** Why the user is asked for a client. */
interface CredentialsReason {
  readonly error?: PosternError | undefined;
  /** Client of the failed attempt. */
  readonly earlier?: ClientCredentials | undefined;
  /** The registration failed temporarily. */
  readonly tryAgain?: TryAgain | undefined;
}

/**
 * Shows the credential form (spec 2.11), after a failure with the error and the earlier input. The earlier secret
 * stays here and is reused unless the user enters another. Errors: `error`, or CREDENTIALS_REQUIRED, if the user
 * cannot be asked.
 */
export async function askForCredentials(
  { flow, interaction, redirectUri, signal }: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  { error, earlier, tryAgain }: CredentialsReason,
): Promise<ClientCredentials | 'try-again' | 'register'> {
  const issuerKey = issuerKeyOf(discovery);
  // Credentials for another authorization server are neither shown nor sent here.
  const known = earlier?.issuerKey === issuerKey ? earlier : undefined;
  const scopes = scope?.split(' ') ?? [];
  const supported = discovery.metadata?.scopes_supported ?? [];
  // A client that Postern registered may be accepted next time; a typed one that was refused has to be reviewed first.
  const tryAgainOption = known && known.source !== 'typed' ? ({ kind: 'perhaps' } as const) : tryAgain;
  const canRegister =
    !tryAgainOption && discovery.method === 'OAuthWithDCR' && flow.findings.registrationRefusedBy !== issuerKey;
  flow.advance({ type: 'credentialsNeeded', ...(error && { error }) });
  const reply = await interaction.askCredentials(
    {
      serverUrl: discovery.url,
      callbackUrl: redirectUri,
      issuerKey,
      scopes,
      otherScopes: supported.filter((name) => !scopes.includes(name)),
      ...(error && { error }),
      ...(tryAgainOption && { tryAgain: tryAgainOption }),
      ...(canRegister && { canRegister }),
      // Show only a typed client, not one that Postern registered.
      ...(known?.source === 'typed' && { earlier: describeEarlier(known) }),
    },
    signal,
  );
  if (reply === 'try-again' || reply === 'register') return reply;
  if (reply === undefined) {
    throw (
      error ??
      new PosternError('CREDENTIALS_REQUIRED', {
        stage: 'credentials',
        detail: { host: serviceHost(discovery) },
        remedy: {
          kind: 'type-credentials',
          callbackUrl: redirectUri,
          documents: discovery.metadata?.client_id_metadata_document_supported === true,
        },
      })
    );
  }
  const isSameClient = known !== undefined && reply.clientId === known.clientId;
  const proof = secretOrKeyOf(isSameClient && !hasSecretOrKey(reply) ? known : reply);
  return {
    clientId: reply.clientId,
    ...proof,
    ...(reply.authentication && { authentication: reply.authentication }),
    ...(reply.secretExpiresAt !== undefined && { secretExpiresAt: reply.secretExpiresAt }),
    source: 'typed',
    issuerKey,
    redirectUri,
  };
}

function describeEarlier(client: ClientCredentials): NonNullable<CredentialsRequest['earlier']> {
  const { clientId, authentication, secretExpiresAt } = client;
  return {
    clientId,
    secretStored: hasSecretOrKey(client),
    ...(authentication && { authentication }),
    ...(secretExpiresAt !== undefined && { secretExpiresAt }),
  };
}

export interface CredentialsContext {
  readonly ports: EnginePorts;
  readonly flow: Flow;
  readonly interaction: SignInInteraction;
  readonly policy: AddressPolicy;
  readonly integrationId: string;
  readonly redirectUri: string;
  readonly clientMetadataUrl: string | undefined;
  /** For the device grant (RFC 8628). */
  readonly forDevices?: boolean;
  /** Initial access token (RFC 7591): only for registering at the issuer shown first; never stored. */
  readonly registrationToken?: Secret | undefined;
  readonly signal: AbortSignal;
}

/** The issuer's host, for display. */
export function serviceHost(discovery: Discovery): string {
  return keyHost(issuerKeyOf(discovery));
}

/** Key of the issuer's secrets. Errors: ASM_MISSING (a sign-in cannot start without metadata). */
export function issuerKeyOf(discovery: Discovery): IssuerKey {
  if (discovery.issuerKey === undefined) throw new PosternError('ASM_MISSING', { stage: 'discovery' });
  return discovery.issuerKey;
}
