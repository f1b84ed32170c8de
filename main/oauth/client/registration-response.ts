import { processDynamicClientRegistrationResponse } from 'oauth4webapi';
import { clientAuthenticationMethods } from '../../../shared/choices.ts';
import type { ClientAuthenticationMethod } from '../../../shared/choices.ts';
import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { keyHost } from '../../issuer-key.ts';
import { clientIdLength, json, longestLifetime, urlLength } from '../../limits.ts';
import type { Clock, HttpResponse } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { demandOfClient, UnmetDemand, wantsBinding, wantsPushing } from '../discovery/unmet-demand.ts';
import { toReadResponse } from '../wire/http-fetch.ts';
import { AmbiguousJson, readJsonDocument } from '../wire/json-document.ts';
import { descriptionMember, errorMember, isJsonObject, nameOAuthError } from '../wire/oauth-error.ts';
import type { ClientCredentials, ClientKey } from './client-credentials.ts';
import type { RegistrationRequest } from './registration-request.ts';

/** A registration of ours at one authorization server (RFC 7591 section 3.2.1, RFC 7592 section 3). */
export interface ClientRegistration extends RegistrationManagement {
  readonly credentials: ClientCredentials;
  /** Wall clock, milliseconds; the same as `credentials.secretExpiresAt`. */
  readonly clientSecretExpiresAt?: number;
  /** It was asked for with the grant of RFC 8628. */
  readonly forDevices?: boolean;
  /** The integration whose last sign-in page with it brought no answer, or doubt; milliseconds since 1970, or 0. */
  readonly unanswered?: { readonly by: string; readonly since: number };
  /** What had to be tolerated, by name. */
  readonly notes: readonly CompatibilityNote[];
}

/** The secret had expired when it came; that of another registration may not have. DCR_SECRET_EXPIRED. */
export class ExpiredSecret extends PosternError {}

/** VSCHAR (RFC 6749 appendix A.1 and A.2). */
const visible = /^[\u0020-\u007e]+$/;

const fail = (code: ErrorCode, detail = {}) => new PosternError(code, { stage: 'registration', detail });

/**
 * Reads a client information response (RFC 7591 section 3.2.1, spec 2.5), to an update of what is `kept` as well.
 * Members that we do not use (names, logos, `client_id_issued_at`) are not read, whatever their types. Errors:
 * DCR_RESPONSE_INVALID, DCR_REDIRECT_CHANGED, DCR_SECRET_EXPIRED, DCR_REJECTED for an error under 2xx, DEMAND_UNMET,
 * JSON_DUPLICATE_KEY.
 */
export async function readRegistrationResponse(
  answer: HttpResponse,
  clock: Clock,
  {
    issuerKey,
    redirectUri,
    metadata,
    forDevices,
  }: Pick<RegistrationRequest, 'issuerKey' | 'redirectUri' | 'metadata' | 'forDevices'>,
  registeredKey?: ClientKey,
  kept?: ClientRegistration,
): Promise<ClientRegistration> {
  const notes: CompatibilityNote[] = answer.status === 201 || kept ? [] : ['registration-status-not-201'];
  const document = { ...(kept && membersOf(kept)), ...readDocument(answer) };
  const error = errorMember(document);
  if (error !== undefined)
    throw fail('DCR_REJECTED', { error: nameOAuthError(error, descriptionMember(document)), status: answer.status });

  const demand = demandOfClient(document, metadata, registeredKey !== undefined);
  if (demand !== undefined) {
    throw new UnmetDemand({
      stage: 'registration',
      detail: { demand, host: keyHost(issuerKey) },
      remedy: { kind: 'type-undemanding-credentials', callbackUrl: redirectUri },
    });
  }
  const clientId = asText(document['client_id']);
  if (typeof clientId !== 'string' || clientId.length > clientIdLength || !visible.test(clientId)) {
    throw fail('DCR_RESPONSE_INVALID');
  }
  const clientSecret = readSecret(document['client_secret']);
  const told = document['token_endpoint_auth_method'];
  // A service that does not say, and gave no secret, has taken what it was asked for (RFC 7591 section 3.2.1).
  const signs = told === 'private_key_jwt' || (isUntold(told) && clientSecret === undefined);
  const clientKey = signs ? registeredKey : undefined;
  const authentication = clientKey ? undefined : readAuthentication(told);
  if (clientKey) notes.push(...noteIf(isUntold(told), 'authentication-method-not-told'));
  else if (authentication === undefined) notes.push('authentication-method-not-told');
  else if (authentication !== 'none' && clientSecret === undefined) throw fail('DCR_RESPONSE_INVALID');
  else if (authentication === 'none' && clientSecret !== undefined) notes.push('secret-for-public-client');
  requireOurRedirectUri(document['redirect_uris'], redirectUri);
  const expiresAt = clientSecret && readExpiry(document['client_secret_expires_at'], clock);
  await processWithLibrary(clientId, clientSecret, expiresAt);

  return {
    credentials: {
      clientId,
      ...(clientKey ? { clientKey } : clientSecret && { clientSecret }),
      ...(authentication && { authentication }),
      source: 'registered',
      issuerKey,
      redirectUri,
      ...(expiresAt !== undefined && { secretExpiresAt: expiresAt }),
      ...(wantsPushing(document) && { pushesRequests: true }),
      ...(wantsBinding(document) && { bindsTokens: true }),
    },
    ...readManagement(document),
    ...(expiresAt !== undefined && { clientSecretExpiresAt: expiresAt }),
    ...(forDevices === true && { forDevices }),
    notes,
  };
}

function readDocument(answer: HttpResponse): Record<string, unknown> {
  let document: unknown;
  try {
    document = readJsonDocument(answer, { stage: 'registration' });
  } catch (error) {
    // Reported as such: two readings of one answer may be an attack.
    if (!(error instanceof PosternError) || error instanceof AmbiguousJson) throw error;
    throw new PosternError('DCR_RESPONSE_INVALID', { stage: 'registration', cause: error });
  }
  if (!isJsonObject(document)) throw fail('DCR_RESPONSE_INVALID');
  return document;
}

/** Some services number their clients. */
function asText(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

/** An empty or an overlong secret is none: it is never sent. */
function readSecret(given: unknown): Secret | undefined {
  const secret = asText(given);
  if (secret === undefined || secret === null || secret === '') return undefined;
  if (typeof secret === 'string' && secret.length > json.text) return undefined;
  if (typeof secret !== 'string' || !visible.test(secret)) throw fail('DCR_RESPONSE_INVALID');
  return new Secret(secret);
}

function isUntold(method: unknown): boolean {
  return method === undefined || method === null || method === '';
}

/** A method that Postern does not speak makes the registration useless. */
function readAuthentication(method: unknown): ClientAuthenticationMethod | undefined {
  if (isUntold(method)) return undefined;
  const told: unknown = Array.isArray(method) && method.length === 1 ? method[0] : method;
  const known = clientAuthenticationMethods.find((name) => typeof told === 'string' && name === told.toLowerCase());
  if (known === undefined) throw fail('DCR_RESPONSE_INVALID');
  return known;
}

/** RFC 7591 section 3.2.1 lets a server replace what was asked for; another redirect URI would send the code away. */
function requireOurRedirectUri(redirectUris: unknown, ours: string): void {
  if (redirectUris === undefined || redirectUris === null) return;
  if (redirectUris === ours) return;
  if (!Array.isArray(redirectUris)) throw fail('DCR_RESPONSE_INVALID');
  const named = redirectUris.filter((uri) => uri !== null);
  if (named.length === 0 || named.some((uri) => uri !== ours)) throw fail('DCR_REDIRECT_CHANGED');
}

/**
 * Milliseconds from seconds since 1970, also as text, a century ahead at most; 0 and an absent member mean never (spec
 * 2.5). One that nobody can read is unknown, which is no worse: the service says once the secret has ended.
 */
function readExpiry(given: unknown, clock: Clock): number | undefined {
  const expiresAt = typeof given === 'string' && /^\d+(?:\.\d+)?$/u.test(given) ? Number(given) : given;
  if (typeof expiresAt !== 'number' || !expiresAt) return undefined;
  const milliseconds = Math.trunc(expiresAt * 1000);
  const now = Math.trunc(clock.now());
  if (milliseconds <= now) throw new ExpiredSecret('DCR_SECRET_EXPIRED', { stage: 'registration' });
  return Math.min(milliseconds, now + longestLifetime * 1000);
}

/** The library's own rules, on the members that they are about: it wants 201 and a number for the expiry. */
async function processWithLibrary(
  clientId: string,
  secret: Secret | undefined,
  expiresAt: number | undefined,
): Promise<void> {
  const wire = {
    client_id: clientId,
    ...(secret && { client_secret: secret.reveal(), client_secret_expires_at: expiresAt ?? 0 }),
  };
  try {
    await processDynamicClientRegistrationResponse(toReadResponse(wire, 201));
  } catch {
    // Its errors carry the body: no cause.
    throw fail('DCR_RESPONSE_INVALID');
  }
}

/** What changes and deletes a registration (RFC 7592 section 3), where the service gave it. */
interface RegistrationManagement {
  readonly registrationAccessToken?: Secret;
  /** Used only by `updateRegistration` and `deleteRegistration`, and only where they allow it. */
  readonly registrationClientUri?: string;
  /** The client as the answer told it, for an update, which has to say all of it again (RFC 7592 section 2.2). */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface Kept extends RegistrationManagement {
  readonly credentials: Pick<ClientCredentials, 'clientSecret' | 'secretExpiresAt'>;
}

/** What a Bearer header can carry. */
const headerSafe = /^[\u0021-\u007e]+$/;

/** What an answer to an update need not repeat (RFC 7592 section 3: a new one replaces the old). */
function membersOf({ credentials, registrationAccessToken, registrationClientUri }: Kept): Record<string, unknown> {
  const { clientSecret, secretExpiresAt } = credentials;
  return {
    registration_access_token: registrationAccessToken?.reveal(),
    registration_client_uri: registrationClientUri,
    ...(clientSecret && {
      client_secret: clientSecret.reveal(),
      client_secret_expires_at: secretExpiresAt === undefined ? 0 : secretExpiresAt / 1000,
    }),
  };
}

/** What is no metadata of the client, and has no place in an update of it (RFC 7592 section 2.2). */
const notMetadata: ReadonlySet<string> = new Set([
  ...['client_id', 'client_secret', 'client_id_issued_at', 'client_secret_expires_at'],
  ...['registration_access_token', 'registration_client_uri'],
]);

/** How the registration can be managed (RFC 7592 section 3), where it can. */
function readManagement(document: Readonly<Record<string, unknown>>): RegistrationManagement {
  const token = document['registration_access_token'];
  const address = document['registration_client_uri'];
  const hasToken = typeof token === 'string' && token.length <= json.text && headerSafe.test(token);
  const hasAddress = typeof address === 'string' && address !== '' && address.length <= urlLength.received;
  const members = Object.entries(document).filter(([name]) => !notMetadata.has(name));
  return {
    ...(hasToken && { registrationAccessToken: new Secret(token) }),
    ...(hasAddress && { registrationClientUri: address }),
    ...(hasToken && hasAddress && { metadata: Object.fromEntries(members) }),
  };
}
