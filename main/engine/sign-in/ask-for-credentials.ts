import type { TryAgain } from '../../../shared/connection-view.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import type { AddressPolicy } from '../../address/check-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { keyHost } from '../../issuer-key.ts';
import { hasProof, proofOf } from '../../oauth/client/client-credentials.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { Secret } from '../../secret.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { Flow } from './flow.ts';
import type { CredentialsRequest, SignInInteraction } from './sign-in-interaction.ts';

/** Why a person is asked for a client. */
interface CredentialsNeed {
  readonly error?: PosternError | undefined;
  /** The client of the attempt that failed. */
  readonly earlier?: ClientCredentials | undefined;
  /** The registration that failed is a passing fault. */
  readonly tryAgain?: TryAgain | undefined;
}

/**
 * The credential dialog (spec 2.11): again after a failure, with the error and the earlier input. The earlier secret
 * stays here; it holds unless another one is typed. Errors: `error`, or CREDENTIALS_REQUIRED, when nobody can type.
 */
export async function askForCredentials(
  { flow, interaction, redirectUri, signal }: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  { error, earlier, tryAgain }: CredentialsNeed,
): Promise<ClientCredentials | 'try-again' | 'register'> {
  const issuerKey = issuerKeyOf(discovery);
  // What was typed for another authorization server is neither offered nor sent here.
  const known = earlier?.issuerKey === issuerKey ? earlier : undefined;
  const scopes = scope?.split(' ') ?? [];
  const offered = discovery.metadata?.scopes_supported ?? [];
  // A client of our own may be taken the next time; typed ones that were refused are to be looked at first.
  const again = known && known.source !== 'typed' ? ({ kind: 'perhaps' } as const) : tryAgain;
  const canRegister = !again && discovery.method === 'OAuthWithDCR' && flow.found.registrationRefusedBy !== issuerKey;
  flow.advance({ type: 'credentialsNeeded', ...(error && { error }) });
  const answer = await interaction.askCredentials(
    {
      serverUrl: discovery.url,
      callbackUrl: redirectUri,
      issuerKey,
      scopes,
      otherScopes: offered.filter((name) => !scopes.includes(name)),
      ...(error && { error }),
      ...(again && { tryAgain: again }),
      ...(canRegister && { canRegister }),
      // Nobody typed a client that Postern came by itself.
      ...(known?.source === 'typed' && { earlier: describeEarlier(known) }),
    },
    signal,
  );
  if (answer === 'try-again' || answer === 'register') return answer;
  if (answer === undefined) {
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
  const isSame = known !== undefined && answer.clientId === known.clientId;
  const proof = proofOf(isSame && !hasProof(answer) ? known : answer);
  return {
    clientId: answer.clientId,
    ...proof,
    ...(answer.authentication && { authentication: answer.authentication }),
    ...(answer.secretExpiresAt !== undefined && { secretExpiresAt: answer.secretExpiresAt }),
    source: 'typed',
    issuerKey,
    redirectUri,
  };
}

function describeEarlier(client: ClientCredentials): NonNullable<CredentialsRequest['earlier']> {
  const { clientId, authentication, secretExpiresAt } = client;
  return {
    clientId,
    secretKept: hasProof(client),
    ...(authentication && { authentication }),
    ...(secretExpiresAt !== undefined && { secretExpiresAt }),
  };
}

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
