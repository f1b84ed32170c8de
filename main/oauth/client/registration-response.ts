import { processDynamicClientRegistrationResponse } from 'oauth4webapi';
import { clientAuthenticationMethods } from '../../../shared/choices.ts';
import type { ClientAuthenticationMethod } from '../../../shared/choices.ts';
import { noteIf } from '../../../shared/compatibility-notes.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import { isObject } from '../../../shared/json-object.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { keyHost } from '../../issuer-key.ts';
import { clientIdLength, jsonLimit, longestLifetime, urlLength } from '../../limits.ts';
import type { Clock, HttpResponse } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { demandOfClient, UnmetDemand, requiresBoundTokens, requiresPushedRequests } from '../discovery/unmet-demand.ts';
import { toLibraryResponse } from '../http/send-request.ts';
import { AmbiguousJson, readJsonDocument } from '../http/json-document.ts';
import { descriptionMember, errorMember, normalizeOAuthError } from '../http/oauth-error.ts';
import type { ClientCredentials, ClientKey } from './client-credentials.ts';
import type { RegistrationRequest } from './registration-request.ts';

/** Our registration at one authorization server (RFC 7591 section 3.2.1, RFC 7592 section 3). */
export interface ClientRegistration extends RegistrationManagement {
  readonly credentials: ClientCredentials;
  /** Wall clock, milliseconds; the same as `credentials.secretExpiresAt`. */
  readonly clientSecretExpiresAt?: number;
  /** Registered with the device grant (RFC 8628). */
  readonly forDevices?: boolean;
  /**
   * The integration whose last sign-in page with this client brought no response, or an unclear one; milliseconds since
   * 1970, or 0.
   */
  readonly unanswered?: { readonly by: string; readonly since: number };
  /** Deviations that were tolerated. */
  readonly notes: readonly CompatibilityNote[];
}

/** The secret had expired on arrival; a new registration's may not have. DCR_SECRET_EXPIRED. */
export class ExpiredSecret extends PosternError {}

/** VSCHAR (RFC 6749 appendix A.1 and A.2). */
const visible = /^[\u0020-\u007e]+$/;

const fail = (code: ErrorCode, detail = {}) => new PosternError(code, { stage: 'registration', detail });

/**
 * Reads a client information response (RFC 7591 section 3.2.1, spec 2.5), also to an update of the `previous`
 * registration. Unused members (names, logos, `client_id_issued_at`) are not read, whatever their types.
 * Errors: DCR_RESPONSE_INVALID, DCR_REDIRECT_CHANGED, DCR_SECRET_EXPIRED, DCR_REJECTED for an error under 2xx,
 * DEMAND_UNMET, JSON_DUPLICATE_KEY.
 */
export async function readRegistrationResponse(
  response: HttpResponse,
  clock: Clock,
  {
    issuerKey,
    redirectUri,
    metadata,
    forDevices,
  }: Pick<RegistrationRequest, 'issuerKey' | 'redirectUri' | 'metadata' | 'forDevices'>,
  registeredKey?: ClientKey,
  previous?: ClientRegistration,
): Promise<ClientRegistration> {
  const notes: CompatibilityNote[] = response.status === 201 || previous ? [] : ['registration-status-not-201'];
  const document = { ...(previous && membersOf(previous)), ...readDocument(response) };
  const error = errorMember(document);
  if (error !== undefined)
    throw fail('DCR_REJECTED', {
      error: normalizeOAuthError(error, descriptionMember(document)),
      status: response.status,
    });

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
  const authMethod = document['token_endpoint_auth_method'];
  // No method and no secret in the response: the service accepted what was requested (RFC 7591 section 3.2.1).
  const usesKey = authMethod === 'private_key_jwt' || (isUnspecified(authMethod) && clientSecret === undefined);
  const clientKey = usesKey ? registeredKey : undefined;
  const authentication = clientKey ? undefined : readAuthentication(authMethod);
  if (clientKey) notes.push(...noteIf(isUnspecified(authMethod), 'authentication-method-unspecified'));
  else if (authentication === undefined) notes.push('authentication-method-unspecified');
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
      ...(requiresPushedRequests(document) && { pushesRequests: true }),
      ...(requiresBoundTokens(document) && { bindsTokens: true }),
    },
    ...readManagement(document),
    ...(expiresAt !== undefined && { clientSecretExpiresAt: expiresAt }),
    ...(forDevices === true && { forDevices }),
    notes,
  };
}

function readDocument(response: HttpResponse): Record<string, unknown> {
  let document: unknown;
  try {
    document = readJsonDocument(response, { stage: 'registration' });
  } catch (error) {
    // Reported as such: an ambiguous response may be an attack.
    if (!(error instanceof PosternError) || error instanceof AmbiguousJson) throw error;
    throw new PosternError('DCR_RESPONSE_INVALID', { stage: 'registration', cause: error });
  }
  if (!isObject(document)) throw fail('DCR_RESPONSE_INVALID');
  return document;
}

/** Some services use numeric client IDs. */
function asText(value: unknown): unknown {
  return Number.isSafeInteger(value) ? String(value) : value;
}

/** An empty or overlong secret counts as none: it is never sent. */
function readSecret(value: unknown): Secret | undefined {
  const secret = asText(value);
  if (secret === undefined || secret === null || secret === '') return undefined;
  if (typeof secret === 'string' && secret.length > jsonLimit.text) return undefined;
  if (typeof secret !== 'string' || !visible.test(secret)) throw fail('DCR_RESPONSE_INVALID');
  return new Secret(secret);
}

function isUnspecified(method: unknown): boolean {
  return method === undefined || method === null || method === '';
}

/** The registration is useless with a method that Postern does not support. */
function readAuthentication(method: unknown): ClientAuthenticationMethod | undefined {
  if (isUnspecified(method)) return undefined;
  const authMethod: unknown = Array.isArray(method) && method.length === 1 ? method[0] : method;
  const known = clientAuthenticationMethods.find(
    (name) => typeof authMethod === 'string' && name === authMethod.toLowerCase(),
  );
  if (known === undefined) throw fail('DCR_RESPONSE_INVALID');
  return known;
}

/** RFC 7591 section 3.2.1 lets a server change the metadata; another redirect URI would send the code elsewhere. */
function requireOurRedirectUri(redirectUris: unknown, redirectUri: string): void {
  if (redirectUris === undefined || redirectUris === null) return;
  if (redirectUris === redirectUri) return;
  if (!Array.isArray(redirectUris)) throw fail('DCR_RESPONSE_INVALID');
  const listedUris = redirectUris.filter((uri) => uri !== null);
  if (listedUris.length === 0 || listedUris.some((uri) => uri !== redirectUri)) throw fail('DCR_REDIRECT_CHANGED');
}

/**
 * Milliseconds since 1970, from seconds as a number or string, at most a century ahead; 0 and an absent member mean
 * never (spec 2.5). An unreadable value counts as unknown: the service will report an expired secret.
 */
function readExpiry(value: unknown, clock: Clock): number | undefined {
  const expiresAt = typeof value === 'string' && /^\d+(?:\.\d+)?$/u.test(value) ? Number(value) : value;
  if (typeof expiresAt !== 'number' || !expiresAt) return undefined;
  const milliseconds = Math.trunc(expiresAt * 1000);
  const now = Math.trunc(clock.now());
  if (milliseconds <= now) throw new ExpiredSecret('DCR_SECRET_EXPIRED', { stage: 'registration' });
  return Math.min(milliseconds, now + longestLifetime * 1000);
}

/** The library's checks, on the members they cover: it wants 201 and a number for the expiry. */
async function processWithLibrary(
  clientId: string,
  secret: Secret | undefined,
  expiresAt: number | undefined,
): Promise<void> {
  const normalized = {
    client_id: clientId,
    ...(secret && { client_secret: secret.reveal(), client_secret_expires_at: expiresAt ?? 0 }),
  };
  try {
    await processDynamicClientRegistrationResponse(toLibraryResponse(normalized, 201));
  } catch {
    // The library's errors include the body: no cause.
    throw fail('DCR_RESPONSE_INVALID');
  }
}

/** How to update and delete a registration (RFC 7592 section 3), if the service supports it. */
interface RegistrationManagement {
  readonly registrationAccessToken?: Secret;
  /** Used only by `updateRegistration` and `deleteRegistration`, under their own checks. */
  readonly registrationClientUri?: string;
  /** Client metadata from the response, since an update has to repeat all of it (RFC 7592 section 2.2). */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

interface PreviousRegistration extends RegistrationManagement {
  readonly credentials: Pick<ClientCredentials, 'clientSecret' | 'secretExpiresAt'>;
}

/** Characters allowed in a Bearer header. */
const headerSafe = /^[\u0021-\u007e]+$/;

/** Members that the response to an update need not repeat (RFC 7592 section 3: new ones replace old ones). */
function membersOf({
  credentials,
  registrationAccessToken,
  registrationClientUri,
}: PreviousRegistration): Record<string, unknown> {
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

/** Members that are not client metadata and must not be in an update (RFC 7592 section 2.2). */
const notMetadata: ReadonlySet<string> = new Set([
  ...['client_id', 'client_secret', 'client_id_issued_at', 'client_secret_expires_at'],
  ...['registration_access_token', 'registration_client_uri'],
]);

/** The management members of a registration response (RFC 7592 section 3). */
function readManagement(document: Readonly<Record<string, unknown>>): RegistrationManagement {
  const token = document['registration_access_token'];
  const address = document['registration_client_uri'];
  const hasToken = typeof token === 'string' && token.length <= jsonLimit.text && headerSafe.test(token);
  const hasAddress = typeof address === 'string' && address !== '' && address.length <= urlLength.received;
  const members = Object.entries(document).filter(([name]) => !notMetadata.has(name));
  return {
    ...(hasToken && { registrationAccessToken: new Secret(token) }),
    ...(hasAddress && { registrationClientUri: address }),
    ...(hasToken && hasAddress && { metadata: Object.fromEntries(members) }),
  };
}
