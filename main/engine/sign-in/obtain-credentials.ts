import type { IntegrationOptions, IssuerKey } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { keyHost } from '../../issuer-key.ts';
import { listsPkce } from '../../oauth/authorization/authorization-request.ts';
import type { AuthorizationResponse } from '../../oauth/authorization/authorization-response.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { CodeExchangeResult } from '../../oauth/token/code-exchange.ts';
import type { OAuthErrorName } from '../../oauth/http/oauth-error.ts';
import { loadCredentials } from '../records/stored-secrets.ts';
import { askForCredentials, issuerKeyOf, serviceHost } from './ask-for-credentials.ts';
import type { CredentialsContext } from './ask-for-credentials.ts';
import { findOrRegister } from './find-or-register.ts';
import type { Client, FailedRegistration } from './find-or-register.ts';
import type { OwnOAuthApp } from './sign-in-interaction.ts';

/**
 * Finds the client for an issuer, in the order of MCP 2026-07-28: typed, metadata document, registered; else the user
 * is asked. A failed registration leads to the dialog (spec 3.1). Errors: DCR_UNSUPPORTED with its cause and
 * CREDENTIALS_REQUIRED when the user cannot be asked.
 */
export async function obtainCredentials(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  typed: OwnOAuthApp | undefined,
): Promise<Client> {
  const issuerKey = issuerKeyOf(discovery);
  const { redirectUri, ports, integrationId } = context;
  if (typed === 'ask') return await requireTyped(context, discovery, scope, undefined);
  if (typed && (typed.issuerKey ?? issuerKey) === issuerKey) {
    const { toCheck, ...client } = typed;
    const credentials: ClientCredentials = { ...client, source: 'typed', issuerKey, redirectUri };
    if (!toCheck) return { credentials, reused: false };
    return await requireTyped(context, discovery, scope, toCheck.error, credentials);
  }
  if (typed) return await requireTyped(context, discovery, scope, issuerMismatch(issuerKey));

  const stored = await loadCredentials(await ports.vault(), integrationId, issuerKey);
  if (stored?.source === 'typed') {
    return stored.refused
      ? await requireTyped(context, discovery, scope, clientRejectedEarlier(context), stored)
      : { credentials: { ...stored, redirectUri }, reused: true };
  }

  if (discovery.method === 'OAuthWithCIMD' && context.clientMetadataUrl !== undefined) {
    const clientId = context.clientMetadataUrl;
    const credentials = { clientId, source: 'metadata-document', issuerKey, redirectUri } as const;
    return { credentials: { ...credentials, authentication: 'none' }, reused: false };
  }
  if (discovery.method !== 'OAuthWithDCR') {
    const mismatch = await typedClientMismatch(context, discovery);
    return await requireTyped(context, discovery, scope, mismatch);
  }
  return await registerOrAsk(context, discovery, scope);
}

/** Registers again: the authorization server no longer knows or accepts the stored registration. */
export async function registerAgain(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  forgotten: ClientCredentials,
): Promise<Client> {
  return await registerOrAsk(context, discovery, scope, forgotten);
}

/** The client was typed for another issuer than the one the service names now. */
interface OtherIssuer {
  readonly kind: 'other-issuer';
  readonly error: PosternError;
}

/**
 * Credentials never go to another issuer than their own (MCP 2026-07-28): registers at the new issuer, or reports the
 * mismatch.
 */
export async function clientForIssuer(
  context: CredentialsContext,
  discovery: Discovery,
  client: Client,
  scope: string | undefined,
): Promise<{ readonly kind: 'client'; readonly client: Client } | OtherIssuer> {
  if (discovery.issuerKey === client.credentials.issuerKey) return { kind: 'client', client };
  if (client.credentials.source !== 'typed') {
    return { kind: 'client', client: await obtainCredentials(context, discovery, scope, undefined) };
  }
  return { kind: 'other-issuer', error: issuerMismatch(discovery.issuerKey) };
}

/** Uses a client that Postern registers, ignoring any typed one. */
export async function registerOrAsk(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  forgotten?: ClientCredentials,
): Promise<Client> {
  const result = await findOrRegister(context, discovery, scope, forgotten);
  return result.kind === 'found' ? result.client : await afterFailedRegistration(context, discovery, scope, result);
}

async function afterFailedRegistration(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  failed: FailedRegistration,
): Promise<Client> {
  const { error: cause } = failed;
  const isPassing = failed.kind === 'passing';
  if (!isPassing) context.flow.noteRefusedRegistration(issuerKeyOf(discovery));
  const after = isPassing ? { first: failed.first, until: failed.until } : undefined;
  const error = new PosternError('DCR_UNSUPPORTED', {
    stage: 'registration',
    cause,
    blame: cause.blame,
    detail: { ...cause.detail, host: serviceHost(discovery), ...(isPassing && { passing: true }) },
    remedy: {
      kind: 'type-credentials',
      callbackUrl: context.redirectUri,
      documents: false,
      after,
      ...(!isPassing && failed.wantsToken === true && { registrationToken: true }),
    },
    retryable: isPassing,
  });
  const tryAgain = isPassing ? { kind: failed.kind, until: failed.until } : undefined;
  const reply = await askForCredentials(context, discovery, scope, { error, tryAgain });
  if (reply === 'try-again' || reply === 'register') return await registerOrAsk(context, discovery, scope);
  return { credentials: reply, reused: false };
}

async function requireTyped(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  error: PosternError | undefined,
  earlier?: ClientCredentials,
): Promise<Client> {
  const reply = await askForCredentials(context, discovery, scope, { error, earlier });
  if (reply === 'register') return await registerOrAsk(context, discovery, scope);
  if (reply !== 'try-again') return { credentials: reply, reused: false };
  throw new PosternError('CREDENTIALS_REQUIRED', {
    stage: 'credentials',
    detail: { host: serviceHost(discovery) },
    remedy: { kind: 'type-credentials', callbackUrl: context.redirectUri, documents: false },
  });
}

/** A refresh showed that the client secret is no longer valid, so opening a sign-in page first would be pointless. */
function clientRejectedEarlier({ redirectUri: callbackUrl }: CredentialsContext): PosternError {
  const remedy = { kind: 'correct-credentials', callbackUrl } as const;
  return new PosternError('CLIENT_REJECTED', { stage: 'credentials', remedy });
}

/** The user typed a client for this integration's previous authorization server; it is useless at this one. */
async function typedClientMismatch(
  { ports, integrationId }: CredentialsContext,
  discovery: Discovery,
): Promise<PosternError | undefined> {
  const vault = await ports.vault();
  const issuerKey = issuerKeyOf(discovery);
  for (const key of await vault.keysOf(integrationId)) {
    if (key.kind !== 'credentials' || key.issuerKey === issuerKey) continue;
    const { source } = (await loadCredentials(vault, integrationId, key.issuerKey)) ?? {};
    if (source !== 'typed') continue;
    return issuerMismatch(issuerKey);
  }
  return undefined;
}

function issuerMismatch(issuerKey: IssuerKey | undefined): PosternError {
  const detail = issuerKey === undefined ? {} : { host: keyHost(issuerKey) };
  return new PosternError('REG_ISSUER_MISMATCH', { stage: 'credentials', detail });
}

type Recovery =
  | { readonly kind: 'register-again' | 'register-instead' | 'with-pkce' }
  | { readonly kind: 'ask'; readonly error: PosternError }
  | { readonly kind: 'authorize-again'; readonly credentials: ClientCredentials }
  | { readonly kind: 'give-up' };

interface FailedAttempt {
  readonly client: Client;
  readonly discovery: Pick<Discovery, 'metadata'>;
  readonly options: Pick<IntegrationOptions, 'pkce'>;
}

export type Failure =
  | Exclude<AuthorizationResponse, { readonly kind: 'code' }>
  | Exclude<CodeExchangeResult, { readonly kind: 'tokens' }>
  | OtherIssuer
  | { readonly kind: 'error'; readonly error: unknown };

/** Errors about the client itself (RFC 6749 4.1.2.1 and 5.2, RFC 7591 3.2.2 for a document). */
export const clientErrors: ReadonlySet<OAuthErrorName> = new Set([
  'unauthorized_client',
  'invalid_client',
  'invalid_client_metadata',
]);

/**
 * What to do after a failed attempt (spec 3.2): register again once if the registration is gone; register instead of a
 * refused metadata document, if possible; add PKCE for a service that requires but does not list it; request a new code
 * once if it was spent on finding the client authentication method; after any other exchange failure show the dialog. A
 * code is never sent again automatically.
 */
export function recoveryFrom(
  failure: Failure,
  { client, discovery, options }: FailedAttempt,
  used: { readonly registerAgain: boolean; readonly authorizeAgain: boolean },
): Recovery {
  if (failure.kind === 'error' || failure.kind === 'proof-refused') return { kind: 'give-up' };
  const { error } = failure;
  if (failure.kind === 'exchange-failed' || failure.kind === 'other-issuer') return { kind: 'ask', error };
  if (failure.kind === 'code-lost') {
    return used.authorizeAgain ? { kind: 'ask', error } : { kind: 'authorize-again', credentials: failure.credentials };
  }
  const { source } = client.credentials;
  const isClientError = clientErrors.has(failure.name);
  if (isClientError && client.reused && source === 'registered' && !used.registerAgain)
    return { kind: 'register-again' };
  const isDocumentRefused = isClientError && source === 'metadata-document';
  if (isDocumentRefused && discovery.metadata?.registration_endpoint !== undefined) return { kind: 'register-instead' };
  const atPage = failure.kind === 'authorization-refused';
  // How a server rejects a request without a code challenge (RFC 7636 section 4.4.1).
  const mayLackPkce = atPage && failure.name === 'invalid_request' && options.pkce === 'when-listed';
  if (mayLackPkce && !listsPkce(discovery.metadata)) return { kind: 'with-pkce' };
  if (atPage && !isClientError) return { kind: 'give-up' };
  return { kind: 'ask', error: isDocumentRefused ? documentRefused(error) : error };
}

/** The user typed no client: what was refused is Postern's client metadata document. */
function documentRefused(cause: PosternError): PosternError {
  const { stage, detail } = cause;
  return new PosternError('CLIENT_DOCUMENT_REFUSED', { stage, cause, detail });
}
