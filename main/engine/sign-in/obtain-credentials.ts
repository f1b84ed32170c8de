import type { IntegrationOptions, IssuerKey } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { keyHost } from '../../issuer-key.ts';
import { listsPkce } from '../../oauth/authorization/authorization-request.ts';
import type { AuthorizationResponse } from '../../oauth/authorization/authorization-response.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { CodeAnswer } from '../../oauth/token/token-request.ts';
import type { OAuthErrorName } from '../../oauth/wire/oauth-error.ts';
import { loadCredentials } from '../kept/stored-secrets.ts';
import { askForCredentials, issuerKeyOf, serviceHost } from './ask-for-credentials.ts';
import type { CredentialsContext } from './ask-for-credentials.ts';
import { findOrRegister } from './find-or-register.ts';
import type { Client, FailedRegistration } from './find-or-register.ts';
import type { OwnApp } from './sign-in-interaction.ts';

/**
 * Finds the client for an issuer, in the order of MCP 2026-07-28: typed, metadata document, registered; else a
 * person is asked. A failed registration leads to the dialog (spec 3.1). Errors: DCR_UNSUPPORTED with its cause and
 * CREDENTIALS_REQUIRED when nobody can type.
 */
export async function obtainCredentials(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  typed: OwnApp | undefined,
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
  if (typed) return await requireTyped(context, discovery, scope, ofAnotherIssuer(issuerKey));

  const stored = await loadCredentials(await ports.vault(), integrationId, issuerKey);
  if (stored?.source === 'typed') {
    return stored.refused
      ? await requireTyped(context, discovery, scope, refusedBefore(context), stored)
      : { credentials: { ...stored, redirectUri }, reused: true };
  }

  if (discovery.method === 'OAuthWithCIMD' && context.clientMetadataUrl !== undefined) {
    const clientId = context.clientMetadataUrl;
    const credentials = { clientId, source: 'metadata-document', issuerKey, redirectUri } as const;
    return { credentials: { ...credentials, authentication: 'none' }, reused: false };
  }
  if (discovery.method !== 'OAuthWithDCR') {
    const mismatch = await mismatchOfTyped(context, discovery);
    return await requireTyped(context, discovery, scope, mismatch);
  }
  return await registerOrAsk(context, discovery, scope);
}

/** Registers again although a registration is there: the authorization server has forgotten or refused it. */
export async function registerAgain(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  forgotten: ClientCredentials,
): Promise<Client> {
  return await registerOrAsk(context, discovery, scope, forgotten);
}

/** The client was typed for another issuer than the one that the service names now. */
interface OtherIssuer {
  readonly kind: 'other-issuer';
  readonly error: PosternError;
}

/** Client credentials never go to another issuer than theirs (MCP 2026-07-28): registers there, or says so. */
export async function keepIssuer(
  context: CredentialsContext,
  discovery: Discovery,
  client: Client,
  scope: string | undefined,
): Promise<{ readonly kind: 'client'; readonly client: Client } | OtherIssuer> {
  if (discovery.issuerKey === client.credentials.issuerKey) return { kind: 'client', client };
  if (client.credentials.source !== 'typed') {
    return { kind: 'client', client: await obtainCredentials(context, discovery, scope, undefined) };
  }
  return { kind: 'other-issuer', error: ofAnotherIssuer(discovery.issuerKey) };
}

/** With a client that Postern registers, whatever was typed before. */
export async function registerOrAsk(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  forgotten?: ClientCredentials,
): Promise<Client> {
  const answer = await findOrRegister(context, discovery, scope, forgotten);
  return answer.kind === 'found' ? answer.client : await afterFailedRegistration(context, discovery, scope, answer);
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
  const answer = await askForCredentials(context, discovery, scope, { error, tryAgain });
  if (answer === 'try-again' || answer === 'register') return await registerOrAsk(context, discovery, scope);
  return { credentials: answer, reused: false };
}

async function requireTyped(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  error: PosternError | undefined,
  earlier?: ClientCredentials,
): Promise<Client> {
  const answer = await askForCredentials(context, discovery, scope, { error, earlier });
  if (answer === 'register') return await registerOrAsk(context, discovery, scope);
  if (answer !== 'try-again') return { credentials: answer, reused: false };
  throw new PosternError('CREDENTIALS_REQUIRED', {
    stage: 'credentials',
    detail: { host: serviceHost(discovery) },
    remedy: { kind: 'type-credentials', callbackUrl: context.redirectUri, documents: false },
  });
}

/** A refresh has shown that the secret was changed at the service: a sign-in page in between would be for nothing. */
function refusedBefore({ redirectUri: callbackUrl }: CredentialsContext): PosternError {
  const remedy = { kind: 'correct-credentials', callbackUrl } as const;
  return new PosternError('CLIENT_REJECTED', { stage: 'credentials', remedy });
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

function ofAnotherIssuer(issuerKey: IssuerKey | undefined): PosternError {
  const detail = issuerKey === undefined ? {} : { host: keyHost(issuerKey) };
  return new PosternError('REG_ISSUER_MISMATCH', { stage: 'credentials', detail });
}

type Recovery =
  | { readonly kind: 'register-again' | 'register-instead' | 'with-pkce' }
  | { readonly kind: 'ask'; readonly error: PosternError }
  | { readonly kind: 'authorize-again'; readonly credentials: ClientCredentials }
  | { readonly kind: 'give-up' };

/** What the failed attempt went with. */
interface Attempted {
  readonly client: Client;
  readonly discovery: Pick<Discovery, 'metadata'>;
  readonly options: Pick<IntegrationOptions, 'pkce'>;
}

/** Why an attempt brought no tokens. */
export type Failure =
  | Exclude<AuthorizationResponse, { readonly kind: 'code' }>
  | Exclude<CodeAnswer, { readonly kind: 'tokens' }>
  | OtherIssuer
  | { readonly kind: 'error'; readonly error: unknown };

/** Errors that speak of the client itself (RFC 6749 4.1.2.1 and 5.2, RFC 7591 3.2.2 for a document). */
export const clientErrors: ReadonlySet<OAuthErrorName> = new Set([
  'unauthorized_client',
  'invalid_client',
  'invalid_client_metadata',
]);

/**
 * What may follow a failed attempt (spec 3.2): a forgotten registration is made again once; a refused metadata document
 * gives way to a registration, where there is one; a service that wants PKCE and does not list it gets it; a code that
 * was lost to finding the right client authentication is asked for again once; any other failure of the exchange
 * leads back to the dialog. A code is never sent again by itself.
 */
export function recoveryFrom(
  failure: Failure,
  { client, discovery, options }: Attempted,
  used: { readonly registerAgain: boolean; readonly authorizeAgain: boolean },
): Recovery {
  if (failure.kind === 'error' || failure.kind === 'proof-refused') return { kind: 'give-up' };
  const { error } = failure;
  if (failure.kind === 'exchange-failed' || failure.kind === 'other-issuer') return { kind: 'ask', error };
  if (failure.kind === 'code-lost') {
    return used.authorizeAgain ? { kind: 'ask', error } : { kind: 'authorize-again', credentials: failure.credentials };
  }
  const { source } = client.credentials;
  const ofClient = clientErrors.has(failure.name);
  if (ofClient && client.reused && source === 'registered' && !used.registerAgain) return { kind: 'register-again' };
  const ofDocument = ofClient && source === 'metadata-document';
  if (ofDocument && discovery.metadata?.registration_endpoint !== undefined) return { kind: 'register-instead' };
  const atPage = failure.kind === 'authorization-refused';
  // How a server refuses a request without a code challenge (RFC 7636 section 4.4.1).
  const mayLackPkce = atPage && failure.name === 'invalid_request' && options.pkce === 'when-listed';
  if (mayLackPkce && !listsPkce(discovery.metadata)) return { kind: 'with-pkce' };
  if (atPage && !ofClient) return { kind: 'give-up' };
  return { kind: 'ask', error: ofDocument ? documentRefused(error) : error };
}

/** Nobody has typed this client: what was refused is the document at its address. */
function documentRefused(cause: PosternError): PosternError {
  const { stage, detail } = cause;
  return new PosternError('CLIENT_DOCUMENT_REFUSED', { stage, cause, detail });
}
