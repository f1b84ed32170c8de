import type { IssuerKey } from '../../../shared/issuer-key.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { ClientCredentials } from '../../oauth/client-credentials.ts';
import { registerClient } from '../../oauth/client-registration.ts';
import type { Discovery } from '../../oauth/discovery.ts';
import type { ClientRegistration } from '../../oauth/registration-response.ts';
import { toPlainError } from '../../plain-error.ts';
import { PosternError } from '../../postern-error.ts';
import { loadCredentials, loadRegistration, saveRegistration } from '../kept/stored-secrets.ts';
import { askForCredentials } from './ask-for-credentials.ts';
import type { CredentialsContext } from './credentials-context.ts';
import { issuerKeyOf, serviceHost } from './credentials-context.ts';
import type { TypedCredentials } from './sign-in-interaction.ts';

/** A client for this sign-in, and whether it was there already: only a reused one can have been forgotten. */
export interface Client {
  readonly credentials: ClientCredentials;
  readonly reused: boolean;
  /** What its registration had to be tolerated, by name. */
  readonly notes?: readonly CompatibilityNote[];
  /** Its registration is being stored: to be awaited before a person is sent to sign in with it. Errors: KC_*, CFG_*. */
  readonly saved?: Promise<void>;
}

/**
 * Finds the client for an issuer, in the order of MCP 2026-07-28: typed, metadata document, registered; else a
 * person is asked. A failed registration leads to the dialog (spec 3.1). Errors: DCR_UNSUPPORTED with its cause and
 * CREDENTIALS_REQUIRED when nobody can type.
 */
export async function obtainCredentials(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  typed: TypedCredentials | undefined,
): Promise<Client> {
  const issuerKey = issuerKeyOf(discovery);
  const { redirectUri, ports, integrationId } = context;
  if (typed && (typed.issuerKey ?? issuerKey) === issuerKey) {
    return { credentials: { ...typed, source: 'typed', issuerKey, redirectUri }, reused: false };
  }
  if (typed)
    return { credentials: await requireTyped(context, discovery, scope, ofAnotherIssuer(issuerKey)), reused: false };

  const stored = await loadCredentials(await ports.vault(), integrationId, issuerKey);
  if (stored?.source === 'typed') {
    return stored.refused
      ? { credentials: await requireTyped(context, discovery, scope, refusedBefore(context), stored), reused: false }
      : { credentials: { ...stored, redirectUri }, reused: true };
  }

  if (discovery.method === 'OAuthWithCIMD' && context.clientMetadataUrl !== undefined) {
    const clientId = context.clientMetadataUrl;
    const credentials = { clientId, source: 'metadata-document', issuerKey, redirectUri } as const;
    return { credentials: { ...credentials, authentication: 'none' }, reused: false };
  }
  if (discovery.method !== 'OAuthWithDCR') {
    const mismatch = await mismatchOfTyped(context, discovery);
    return { credentials: await requireTyped(context, discovery, scope, mismatch), reused: false };
  }
  try {
    return await findOrRegister(context, discovery, scope);
  } catch (error) {
    return await afterFailedRegistration(context, discovery, scope, error);
  }
}

/** Registers again although a registration is there: the authorization server has forgotten or refused it. */
export async function registerAgain(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  forgotten: ClientCredentials,
): Promise<Client> {
  try {
    return await findOrRegister(context, discovery, scope, forgotten);
  } catch (error) {
    return await afterFailedRegistration(context, discovery, scope, error);
  }
}

async function findOrRegister(
  { ports, flow, policy, redirectUri, signal, keeping }: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  forgotten?: ClientCredentials,
): Promise<Client> {
  const { metadata } = discovery;
  const issuerKey = issuerKeyOf(discovery);
  if (!metadata) throw new PosternError('ASM_MISSING', { stage: 'registration' });
  const vault = await ports.vault();
  const usable = async (): Promise<ClientRegistration | undefined> => {
    const kept = await loadRegistration(vault, redirectUri, issuerKey);
    const known = kept && kept.credentials.clientId !== forgotten?.clientId && !hasExpired(kept, ports.clock.now());
    return known ? kept : undefined;
  };
  const kept = await usable();
  if (kept) return { credentials: kept.credentials, reused: true, notes: kept.notes };

  flow.advance({ type: 'register' });
  await keeping;
  const found = Promise.withResolvers<Client>();
  // One registration for one issuer and redirect URI, however many sign-ins start at once.
  const saved = ports.locks.hold(
    `registration ${issuerKey} ${redirectUri}`,
    async () => {
      const meanwhile = await usable();
      if (meanwhile) {
        found.resolve({ credentials: meanwhile.credentials, reused: true, notes: meanwhile.notes });
        return;
      }
      const registration = await registerClient(ports, {
        metadata,
        issuerKey,
        redirectUri,
        scope,
        policy,
        signal,
      });
      // What comes next need not wait for the disk.
      found.resolve({ credentials: registration.credentials, reused: false, notes: registration.notes });
      await saveRegistration(vault, registration);
    },
    signal,
  );
  saved.catch(found.reject);
  return { ...(await found.promise), saved };
}

async function afterFailedRegistration(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  cause: unknown,
): Promise<Client> {
  if (!(cause instanceof PosternError) || cause.stage !== 'registration' || isFinal(cause)) throw cause;
  const error = new PosternError('DCR_UNSUPPORTED', {
    stage: 'registration',
    cause,
    detail: {
      ...cause.detail,
      host: serviceHost(discovery),
      callbackUrl: context.redirectUri,
      ...(toPlainError(cause).retryable && { passing: 1 }),
    },
  });
  const answer = await askForCredentials(context, discovery, scope, error, undefined);
  if (answer !== 'try-again') return { credentials: answer, reused: false };
  return await obtainCredentials(context, discovery, scope, undefined);
}

/** What the service wants of a client is named as such, and not covered by the question for a client ID. */
function isFinal({ code }: PosternError): boolean {
  return code === 'USER_CANCELLED' || code === 'DEMAND_UNMET';
}

async function requireTyped(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  error: PosternError | undefined,
  refused?: ClientCredentials,
): Promise<ClientCredentials> {
  const answer = await askForCredentials(context, discovery, scope, error, refused);
  if (answer !== 'try-again') return answer;
  throw new PosternError('CREDENTIALS_REQUIRED', {
    stage: 'credentials',
    detail: { host: serviceHost(discovery), callbackUrl: context.redirectUri },
  });
}

/** A refresh has shown that the secret was changed at the service: a sign-in page in between would be for nothing. */
function refusedBefore({ redirectUri }: CredentialsContext): PosternError {
  return new PosternError('CLIENT_REJECTED', { stage: 'credentials', detail: { callbackUrl: redirectUri } });
}

/** What a person typed for the authorization server that this integration had before is of no use at this one. */
async function mismatchOfTyped(
  { ports, integrationId }: CredentialsContext,
  discovery: Discovery,
): Promise<PosternError | undefined> {
  const vault = await ports.vault();
  const issuerKey = issuerKeyOf(discovery);
  for (const key of await vault.keysOf(integrationId)) {
    if (key.kind !== 'credentials' || key.issuerKey === issuerKey) continue;
    const { source } = (await loadCredentials(vault, integrationId, key.issuerKey)) ?? {};
    if (source !== 'typed') continue;
    return ofAnotherIssuer(issuerKey);
  }
  return undefined;
}

function ofAnotherIssuer(issuerKey: IssuerKey): PosternError {
  return new PosternError('REG_ISSUER_MISMATCH', { stage: 'credentials', detail: { host: new URL(issuerKey).host } });
}

/** A secret that ends within the sign-in's own ten minutes is as good as ended (RFC 7591 3.2.1). */
function hasExpired({ credentials }: ClientRegistration, now: number): boolean {
  return credentials.secretExpiresAt !== undefined && credentials.secretExpiresAt - 600_000 < now;
}
