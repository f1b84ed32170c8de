import {
  processAuthorizationCodeResponse,
  processClientCredentialsResponse,
  processDeviceCodeResponse,
  processRefreshTokenResponse,
} from 'oauth4webapi';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { askForBinding } from '../../../shared/error-catalog/sign-in-errors.ts';
import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import type { SignedInUser } from '../../../shared/integration.ts';
import { isObject } from '../../../shared/json-object.ts';
import { accessTokenLength, longestLifetime } from '../../limits.ts';
import type { Clock, HttpResponse } from '../../ports.ts';
import { PosternError } from '../../errors/postern-error.ts';

import { Secret } from '../../secret.ts';
import { readScope } from '../authorization/scope.ts';
import { isSuccess, toLibraryResponse } from '../http/send-request.ts';
import { InvalidJson, isJsonType, readJson } from '../http/json-document.ts';
import { errorMember, isTransient, readError, readErrorResponse, readForm } from '../http/oauth-error.ts';
import type { ErrorResponse } from '../http/oauth-error.ts';
import { profileText, readIdToken } from './jwt-claims.ts';
import { readTokenFailure, toTokenFailure } from './token-failure.ts';
import type { TokenFailure } from './token-failure.ts';
import { readAccount, readOrganization, readHolder, refusedResourceNote } from './token-set.ts';
import type { Identity, TokenBinding, TokenHolder } from './token-set.ts';

/** What a token endpoint granted. */
export interface TokenGrant {
  readonly accessToken: Secret;
  /** Bound to the key of the request; otherwise a bearer token. */
  readonly isBound: boolean;
  readonly refreshToken?: Secret;
  readonly scope?: string;
  readonly account?: string;
  /** Account IDs. */
  readonly holder: TokenHolder;
  /** An ID token from this issuer, for this client and request. */
  readonly identity?: Identity;
  /** The user, from a trusted ID token. */
  readonly user?: SignedInUser;
  /** Seconds from `receivedAt`. Absent: unknown. */
  readonly expiresIn?: number;
  readonly receivedAt: { readonly wall: number; readonly monotonic: number };
  /** Deviations that were tolerated. */
  readonly notes: readonly CompatibilityNote[];
}

/**
 * A token response, with an error for the user.
 * - `page`: not JSON, so it was not a token endpoint that responded (TOKEN_RESPONSE_INVALID).
 */
export type TokenResponse =
  | { readonly kind: 'granted'; readonly grant: TokenGrant }
  | TokenFailure
  | { readonly kind: 'page'; readonly error: PosternError };

export interface TokenResponseContext extends RequestedGrant {
  /** Issuer whose ID token may be trusted. The library gets no ID token. */
  readonly issuer: string;
  readonly clientId: string;
  /** Sent in the authorization request; an ID token must repeat it. */
  readonly nonce?: string | undefined;
}

/**
 * Reads a token response (RFC 6749 sections 5.1 and 5.2).
 * Errors, for unusable tokens: TOKEN_RESPONSE_INVALID, TOKEN_CHARSET, TOKEN_TYPE, JSON_DUPLICATE_KEY, JSON_DEPTH,
 * SCHEMA_INVALID.
 */
export async function readTokenResponse(
  response: HttpResponse,
  clock: Clock,
  context: TokenResponseContext,
): Promise<TokenResponse> {
  const receivedAt = { wall: Math.trunc(clock.now()), monotonic: clock.monotonic() };
  const { stage } = context;
  if (!isSuccess(response.status)) return readTokenFailure(response, clock, stage);
  const document = readSuccessDocument(response, stage);
  if (document instanceof PosternError) return { kind: 'page', error: document };
  // An `errors` list next to a token may hold mere warnings, as in GraphQL.
  const { errors: _warnings, ...withoutWarnings } = document;
  const source = typeof document['access_token'] === 'string' ? withoutWarnings : document;
  const error = errorMember(source) ?? (document['ok'] === false ? '' : undefined);
  // The error member beats the status: several providers return 200 with an error.
  if (error !== undefined)
    return toTokenFailure(response, clock, readError(error, document['error_description']), stage);
  if (context.grant === 'refresh_token' && !hasTokens(document))
    return toTokenFailure(response, clock, readVendorRefusal(response), stage);
  const { normalized, notes } = normalizeTokenResponse(document, context);
  const granted = await processWithLibrary(normalized, context);
  const idContext = { ...context, url: response.url, now: receivedAt.wall };
  const idToken = context.grant === 'client_credentials' ? undefined : document['id_token'];
  const claims = readIdToken(idToken, idContext);
  const isIdentity =
    typeof idToken === 'string' && readIdToken(idToken, { ...idContext, isForIssuer: true }) !== undefined;
  const organization = claims?.user?.organization ?? profileText(readOrganization(document));
  const user = dropUndefined({ ...claims?.user, organization });
  const account = readAccount(document) ?? claims?.subject;
  const grant: TokenGrant = {
    accessToken: new Secret(granted.access_token),
    isBound: normalized.token_type === 'dpop',
    ...(granted.refresh_token !== undefined && { refreshToken: new Secret(granted.refresh_token) }),
    ...(granted.scope !== undefined && { scope: granted.scope }),
    ...(account !== undefined && { account }),
    holder: readHolder(document, claims?.claims),
    ...(isIdentity && { identity: { idToken: new Secret(idToken), issuer: context.issuer } }),
    ...(Object.keys(user).length > 0 && { user }),
    ...(granted.expires_in !== undefined && { expiresIn: granted.expires_in }),
    receivedAt,
    notes: response.status === 200 ? notes : [...notes, 'token-status-not-200'],
  };
  return { kind: 'granted', grant };
}

/**
 * The refresh token, and its account, of a response with an unusable access token: the token we sent may be used up by
 * now (RFC 6749 section 6). `undefined`: none is readable.
 */
export function readRotatedToken(
  response: HttpResponse,
  stage: Stage,
): { readonly refreshToken: Secret; readonly holder: TokenHolder } | undefined {
  try {
    const document = readSuccessDocument(response, stage);
    if (document instanceof PosternError) return undefined;
    const refreshToken = readRefreshToken(unwrapSlack(withStandardNames(document))['refresh_token']);
    return refreshToken === undefined
      ? undefined
      : { refreshToken: new Secret(refreshToken), holder: readHolder(document) };
  } catch (error) {
    if (error instanceof PosternError) return undefined;
    throw error;
  }
}

function hasTokens(document: Readonly<Record<string, unknown>>): boolean {
  const source = unwrapSlack(withStandardNames(document));
  return isPresent(source['access_token']) || isPresent(source['refresh_token']);
}

/**
 * A refusal in a vendor format, such as `{"code":20026,"msg":…}` (Feishu). Only a temporary error code is trusted: it
 * ends no sign-in.
 */
function readVendorRefusal(response: HttpResponse): ErrorResponse {
  const source = readErrorResponse(response);
  return isTransient(source.error) ? source : { error: 'unknown', sent: 'unknown', body: 'json' };
}

export function withRefusedResource(grant: TokenGrant): TokenGrant {
  return { ...grant, notes: [...grant.notes, refusedResourceNote] };
}

/** The JSON object of a 2xx response, whatever its content type, or an error if it is a page. */
function readSuccessDocument(response: HttpResponse, stage: Stage): Record<string, unknown> | PosternError {
  const fields = readForm(response);
  if (fields) return fields;
  const { document, fault } = tryReadJson(response, stage);
  if (fault && !(fault instanceof InvalidJson)) throw fault;
  if (!isObject(document)) {
    // A non-JSON body is treated like a page, such as that of a captive portal.
    const isPage = !isJsonType(response.headers.get('content-type'));
    const cause = isPage ? responseError('CONTENT_TYPE', stage) : fault;
    const error = new PosternError('TOKEN_RESPONSE_INVALID', { stage, cause });
    if (isPage) return error;
    throw error;
  }
  return document;
}

function tryReadJson({ body }: HttpResponse, stage: Stage): { document?: unknown; fault?: PosternError } {
  try {
    return { document: readJson(body, { stage }) };
  } catch (error) {
    if (error instanceof PosternError) return { fault: error };
    throw error;
  }
}

const libraryReaders = {
  authorization_code: processAuthorizationCodeResponse,
  refresh_token: processRefreshTokenResponse,
  client_credentials: processClientCredentialsResponse,
  device_code: processDeviceCodeResponse,
};

async function processWithLibrary(normalized: StandardTokenResponse, context: TokenResponseContext) {
  const process = libraryReaders[context.grant];
  try {
    return await process(
      { issuer: context.issuer },
      { client_id: context.clientId },
      toLibraryResponse(normalized, 200),
    );
  } catch {
    // The library's errors include the body with its tokens: no cause.
    throw responseError('TOKEN_RESPONSE_INVALID', context.stage);
  }
}

function responseError(code: ErrorCode, stage: Stage): PosternError {
  return new PosternError(code, { stage, detail: {} });
}

/** RFC 6749 section 5.1, with the types of the RFC. */
interface StandardTokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer' | 'dpop';
  readonly refresh_token?: string;
  readonly scope?: string;
  readonly expires_in?: number;
}

/**
 * Visible ASCII without space: what an `Authorization: Bearer` header can carry (RFC 6750 section 2.1 allows less). A
 * token with CR or LF would make fetch throw an error that quotes the whole token.
 */
const headerSafe = /^[\u0021-\u007e]+$/;
/** VSCHAR (RFC 6749 appendix A.17). */
const visible = /^[\u0020-\u007e]+$/;

/** What the token request was for. */
interface RequestedGrant {
  readonly grant: 'authorization_code' | 'refresh_token' | 'client_credentials' | 'device_code';
  readonly stage: Stage;
  /** The DPoP binding of the request. */
  readonly binding?: Pick<TokenBinding, 'isDemanded'> | undefined;
}

/**
 * Reduces a token response to the members we use, with the right types, and notes what was tolerated. Everything else
 * (`id_token`, display names) is dropped.
 * Errors: TOKEN_RESPONSE_INVALID, TOKEN_CHARSET, TOKEN_TYPE, SCHEMA_INVALID for an oversized access token.
 */
function normalizeTokenResponse(
  response: Readonly<Record<string, unknown>>,
  { stage, binding }: RequestedGrant,
): { normalized: StandardTokenResponse; notes: CompatibilityNote[] } {
  const document = withoutEmpty(unwrapSlack(withStandardNames(response)));
  const notes: CompatibilityNote[] = [];
  const fail = (code: ErrorCode) => new PosternError(code, { stage });

  const accessToken = document['access_token'];
  if (typeof accessToken !== 'string' || accessToken === '') throw fail('TOKEN_RESPONSE_INVALID');
  if (accessToken.length > accessTokenLength) throw fail('SCHEMA_INVALID');
  if (!headerSafe.test(accessToken)) throw fail('TOKEN_CHARSET');

  const tokenType = document['token_type'];
  if (tokenType === undefined) notes.push('token-type-missing');
  const type = readType(tokenType ?? 'bearer');
  // RFC 9449 section 5: a token bound to another key is useless, and must not be sent as a bearer token.
  if (type === undefined || (type === 'dpop' && !binding)) throw fail('TOKEN_TYPE');
  if (type === 'bearer' && binding?.isDemanded)
    throw new PosternError('TOKEN_TYPE', { stage, detail: { unbound: true }, remedy: askForBinding });
  if (type === 'bearer' && binding) notes.push('token-not-bound');

  // An unusable one counts as absent: the access token is good, and a refresh keeps the old one (RFC 6749 section 6).
  const refreshToken = readRefreshToken(document['refresh_token']);
  if (refreshToken === undefined && 'refresh_token' in document) notes.push('refresh-token-empty');

  const expiresIn = readLifetime(document['expires_in']);
  if (expiresIn === undefined && document['expires_in'] !== undefined) notes.push('expires-in-unusable');

  const scope = readGrantedScope(document['scope']);
  if (scope === undefined && document['scope'] !== undefined) notes.push('scope-unusable');

  const normalized: StandardTokenResponse = {
    access_token: accessToken,
    token_type: type,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(scope !== undefined && { scope }),
    ...(expiresIn !== undefined && { expires_in: expiresIn }),
  };
  return { normalized, notes };
}

function withoutEmpty(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => isPresent(value)));
}

/** Null and "" count as absent: services in typed languages send their empty values. */
function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** Camel-case member names of some services (DingTalk among them). */
const vendorMemberNames = [
  ['access_token', ['accessToken']],
  ['token_type', ['tokenType']],
  ['refresh_token', ['refreshToken']],
  ['expires_in', ['expiresIn', 'expireIn']],
] as const;

/**
 * With the names of RFC 6749, also from inside `data` (Feishu, TikTok). Members that already have a standard name stay.
 */
function withStandardNames(response: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isToken = ({ access_token: token, accessToken: other }: Readonly<Record<string, unknown>>): boolean =>
    isText(token) || isText(other);
  const { data } = response;
  const source = !isToken(response) && isObject(data) && isToken(data) ? data : response;
  const named = vendorMemberNames.flatMap(([name, others]) => {
    const value = others.map((other) => source[other]).find(isPresent);
    return value === undefined || isPresent(source[name]) ? [] : [[name, value] as const];
  });
  return { ...source, ...Object.fromEntries(named) };
}

/**
 * Slack's response in RFC 6749 form: the user's token is in `authed_user`, with or without a bot token next to it, and
 * its type says whose it is. Any other response is unchanged.
 */
function unwrapSlack(response: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { authed_user: user, ...own } = response;
  if (response['ok'] !== true || !isObject(user)) return response;
  const isOfUser = isText(user['access_token']) && (!isText(own['access_token']) || !isText(own['scope']));
  const source = isOfUser ? user : own;
  const scope = isText(source['scope']) ? source['scope'] : user['scope'];
  return {
    access_token: source['access_token'],
    token_type: slackTypes.has(source['token_type']) ? 'bearer' : source['token_type'],
    ...('refresh_token' in source && { refresh_token: source['refresh_token'] }),
    ...('expires_in' in source && { expires_in: source['expires_in'] }),
    ...(isText(scope) && { scope }),
  };
}

const slackTypes: ReadonlySet<unknown> = new Set(['user', 'bot']);

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function readRefreshToken(value: unknown): string | undefined {
  return isText(value) && value.length <= accessTokenLength && visible.test(value) ? value : undefined;
}

/** Case-insensitive (RFC 6749 section 5.1); Apigee sends `BearerToken`. */
function readType(value: unknown): StandardTokenResponse['token_type'] | undefined {
  const type = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (type === 'bearertoken') return 'bearer';
  return type === 'bearer' || type === 'dpop' ? type : undefined;
}

/**
 * Whole seconds from a number or numeric string, from 1 to a century. Longer values are capped, anything else is
 * unknown. Never zero or infinite: a timer would fire at once, causing a storm of refreshes.
 */
export function readLifetime(value: unknown): number | undefined {
  const source = typeof value === 'string' && /^\d+(?:\.\d+)?$/u.test(value) ? Number(value) : value;
  const seconds = typeof source === 'number' ? Math.floor(source) : 0;
  return seconds >= 1 ? Math.min(seconds, longestLifetime) : undefined;
}

/**
 * Also accepts a list, or commas instead of spaces (GitHub, Slack). If there are spaces too, a comma belongs to a
 * scope.
 */
function readGrantedScope(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.length > accessTokenLength) return undefined;
    const hasOwnSpaces = /\s/u.test(value.replaceAll(/,\s+/gu, ','));
    return readScope(hasOwnSpaces ? value : value.replaceAll(/[,\s]+/gu, ' '));
  }
  if (!Array.isArray(value)) return undefined;
  return readScope(value.filter((scope) => typeof scope === 'string').join(' '));
}
