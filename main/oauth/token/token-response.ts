import type { CatalogueDetail } from '../../../shared/error-detail.ts';
import {
  processAuthorizationCodeResponse,
  processClientCredentialsResponse,
  processDeviceCodeResponse,
  processRefreshTokenResponse,
} from 'oauth4webapi';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import { askForBinding } from '../../../shared/error-catalogue/sign-in-errors.ts';
import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import type { Person } from '../../../shared/integration.ts';
import { accessTokenLength, longestLifetime } from '../../limits.ts';
import type { Clock, HttpResponse } from '../../ports.ts';
import { PosternError } from '../../errors/postern-error.ts';

import { Secret } from '../../secret.ts';
import { readScope } from '../authorization/scope.ts';
import { isSuccess, toReadResponse } from '../wire/http-fetch.ts';
import { InvalidJson, isJsonType, readJson } from '../wire/json-document.ts';
import { errorMember, isJsonObject, isPassing, readError, readErrorAnswer, readForm } from '../wire/oauth-error.ts';
import type { ErrorAnswer } from '../wire/oauth-error.ts';
import { personText, readIdToken } from './jwt-claims.ts';
import { readRefusal, refusal } from './token-refusal.ts';
import type { RefusedAnswer } from './token-refusal.ts';
import { namedAccount, organisationIn, readHolder, refusedResourceNote } from './token-set.ts';
import type { Identity, TokenBinding, TokenHolder } from './token-set.ts';

/** What a token endpoint granted. */
export interface TokenGrant {
  readonly accessToken: Secret;
  /** To the key that the request showed; else it is a bearer token. */
  readonly isBound: boolean;
  readonly refreshToken?: Secret;
  readonly scope?: string;
  readonly account?: string;
  /** By ids. */
  readonly holder: TokenHolder;
  /** An ID token of this issuer, for this client and of this request. */
  readonly identity?: Identity;
  /** Who they are of, by an ID token that may be believed. */
  readonly person?: Person;
  /** Seconds from `receivedAt`. Absent: unknown. */
  readonly expiresIn?: number;
  readonly receivedAt: { readonly wall: number; readonly monotonic: number };
  /** What had to be tolerated, by name. */
  readonly notes: readonly CompatibilityNote[];
}

/**
 * What a token endpoint said, with the error that tells a person of it.
 * - `page`: under another type than JSON, so that it was no token endpoint that answered (TOKEN_RESPONSE_INVALID).
 */
export type TokenAnswer =
  | { readonly kind: 'granted'; readonly grant: TokenGrant }
  | RefusedAnswer
  | { readonly kind: 'page'; readonly error: PosternError };

export interface TokenResponseContext extends AskedGrant {
  /** Whose ID token may be believed. The library is handed none. */
  readonly issuer: string;
  readonly clientId: string;
  /** Sent with the authorization request; an ID token has to repeat it. */
  readonly nonce?: string | undefined;
}

/**
 * Reads the answer of a token endpoint (RFC 6749 sections 5.1 and 5.2).
 * Errors, for tokens that cannot be used: TOKEN_RESPONSE_INVALID, TOKEN_CHARSET, TOKEN_TYPE, JSON_DUPLICATE_KEY,
 * JSON_DEPTH, SCHEMA_INVALID.
 */
export async function readTokenResponse(
  answer: HttpResponse,
  clock: Clock,
  context: TokenResponseContext,
): Promise<TokenAnswer> {
  const receivedAt = { wall: Math.trunc(clock.now()), monotonic: clock.monotonic() };
  const { stage } = context;
  if (!isSuccess(answer.status)) return readRefusal(answer, clock, stage);
  const document = readSuccessDocument(answer, stage);
  if (document instanceof PosternError) return { kind: 'page', error: document };
  // A framework's list of errors beside a token, as of GraphQL, may be of warnings.
  const { errors: _beside, ...named } = document;
  const told = typeof document['access_token'] === 'string' ? named : document;
  const error = errorMember(told) ?? (document['ok'] === false ? '' : undefined);
  // The error member wins over the status: several providers answer 200 with an error.
  if (error !== undefined) return refusal(answer, clock, readError(error, document['error_description']), stage);
  if (context.grant === 'refresh_token' && !hasTokens(document))
    return refusal(answer, clock, readOtherNo(answer), stage);
  const { wire, notes } = normaliseTokenResponse(document, context);
  const granted = await processWithLibrary(wire, context);
  const idContext = { ...context, url: answer.url, now: receivedAt.wall };
  const idToken = context.grant === 'client_credentials' ? undefined : document['id_token'];
  const claims = readIdToken(idToken, idContext);
  const isIdentity =
    typeof idToken === 'string' && readIdToken(idToken, { ...idContext, isForIssuer: true }) !== undefined;
  const organisation = claims?.person?.organisation ?? personText(organisationIn(document));
  const person = dropUndefined({ ...claims?.person, organisation });
  const account = namedAccount(document) ?? claims?.subject;
  const grant: TokenGrant = {
    accessToken: new Secret(granted.access_token),
    isBound: wire.token_type === 'dpop',
    ...(granted.refresh_token !== undefined && { refreshToken: new Secret(granted.refresh_token) }),
    ...(granted.scope !== undefined && { scope: granted.scope }),
    ...(account !== undefined && { account }),
    holder: readHolder(document, claims?.claims),
    ...(isIdentity && { identity: { idToken: new Secret(idToken), issuer: context.issuer } }),
    ...(Object.keys(person).length > 0 && { person }),
    ...(granted.expires_in !== undefined && { expiresIn: granted.expires_in }),
    receivedAt,
    notes: answer.status === 200 ? notes : [...notes, 'token-status-not-200'],
  };
  return { kind: 'granted', grant };
}

/**
 * The refresh token of an answer whose access token cannot be used, and whose it is: the one that was sent may be used up
 * by then (RFC 6749 section 6). `undefined`: the answer has none that can be read.
 */
export function readRotated(
  answer: HttpResponse,
  stage: Stage,
): { readonly refreshToken: Secret; readonly holder: TokenHolder } | undefined {
  try {
    const document = readSuccessDocument(answer, stage);
    if (document instanceof PosternError) return undefined;
    const refreshToken = readRefreshToken(ofSlack(asStandard(document))['refresh_token']);
    return refreshToken === undefined
      ? undefined
      : { refreshToken: new Secret(refreshToken), holder: readHolder(document) };
  } catch (error) {
    if (error instanceof PosternError) return undefined;
    throw error;
  }
}

function hasTokens(document: Readonly<Record<string, unknown>>): boolean {
  const told = ofSlack(asStandard(document));
  return isThere(told['access_token']) || isThere(told['refresh_token']);
}

/**
 * A no in words of the service's own, such as `{"code":20026,"msg":…}` (Feishu). Of a code in them only that it passes is
 * believed: it ends no sign-in.
 */
function readOtherNo(answer: HttpResponse): ErrorAnswer {
  const told = readErrorAnswer(answer);
  return isPassing(told.error) ? told : { error: 'unknown', sent: 'unknown', body: 'json' };
}

export function withRefusedResource(grant: TokenGrant): TokenGrant {
  return { ...grant, notes: [...grant.notes, refusedResourceNote] };
}

/** The JSON object of a 2xx answer, whatever it says of its type, or what tells of a page in its place. */
function readSuccessDocument(answer: HttpResponse, stage: Stage): Record<string, unknown> | PosternError {
  const fields = readForm(answer);
  if (fields) return fields;
  const { document, fault } = tryReading(answer, stage);
  if (fault && !(fault instanceof InvalidJson)) throw fault;
  if (!isJsonObject(document)) {
    // A body that is no JSON tells a person no more than a page would, such as that of a captive portal.
    const isPage = !isJsonType(answer.headers.get('content-type'));
    const cause = isPage ? responseError('CONTENT_TYPE', stage) : fault;
    const error = new PosternError('TOKEN_RESPONSE_INVALID', { stage, cause });
    if (isPage) return error;
    throw error;
  }
  return document;
}

function tryReading({ body }: HttpResponse, stage: Stage): { document?: unknown; fault?: PosternError } {
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

async function processWithLibrary(wire: TokenWire, context: TokenResponseContext) {
  const process = libraryReaders[context.grant];
  try {
    return await process({ issuer: context.issuer }, { client_id: context.clientId }, toReadResponse(wire, 200));
  } catch {
    // Its errors carry the body, tokens included: no cause.
    throw responseError('TOKEN_RESPONSE_INVALID', context.stage);
  }
}

function responseError(code: ErrorCode, stage: Stage, detail: CatalogueDetail = {}): PosternError {
  return new PosternError(code, { stage, detail });
}

/** RFC 6749 section 5.1 with the types that it gives its members. */
interface TokenWire {
  readonly access_token: string;
  readonly token_type: 'bearer' | 'dpop';
  readonly refresh_token?: string;
  readonly scope?: string;
  readonly expires_in?: number;
}

/**
 * Visible ASCII without space: what a `Authorization: Bearer` header can carry (RFC 6750 section 2.1 allows less).
 * A token with CR or LF would make fetch throw an error whose text holds the whole token.
 */
const headerSafe = /^[\u0021-\u007e]+$/;
/** VSCHAR (RFC 6749 appendix A.17). */
const visible = /^[\u0020-\u007e]+$/;

/** What the token request asked for. */
interface AskedGrant {
  readonly grant: 'authorization_code' | 'refresh_token' | 'client_credentials' | 'device_code';
  readonly stage: Stage;
  /** The key that went with it. */
  readonly binding?: Pick<TokenBinding, 'isDemanded'> | undefined;
}

/**
 * A token answer reduced to the members that we use, each of the right type, with notes on what was tolerated.
 * Everything else (`id_token`, display names) is dropped here.
 * Errors: TOKEN_RESPONSE_INVALID, TOKEN_CHARSET, TOKEN_TYPE, SCHEMA_INVALID for an oversized access token.
 */
function normaliseTokenResponse(
  answer: Readonly<Record<string, unknown>>,
  { stage, binding }: AskedGrant,
): { wire: TokenWire; notes: CompatibilityNote[] } {
  const document = withoutEmpty(ofSlack(asStandard(answer)));
  const notes: CompatibilityNote[] = [];
  const fail = (code: ErrorCode) => new PosternError(code, { stage });

  const accessToken = document['access_token'];
  if (typeof accessToken !== 'string' || accessToken === '') throw fail('TOKEN_RESPONSE_INVALID');
  if (accessToken.length > accessTokenLength) throw fail('SCHEMA_INVALID');
  if (!headerSafe.test(accessToken)) throw fail('TOKEN_CHARSET');

  const tokenType = document['token_type'];
  if (tokenType === undefined) notes.push('token-type-missing');
  const type = readType(tokenType ?? 'bearer');
  // RFC 9449 section 5: bound to a key that is not ours, it is of no use, and must not be sent as a bearer token.
  if (type === undefined || (type === 'dpop' && !binding)) throw fail('TOKEN_TYPE');
  if (type === 'bearer' && binding?.isDemanded)
    throw new PosternError('TOKEN_TYPE', { stage, detail: { unbound: true }, remedy: askForBinding });
  if (type === 'bearer' && binding) notes.push('token-not-bound');

  // One that cannot be used is absent: the access token is good, and at a refresh the old one stays (RFC 6749 section 6).
  const refreshToken = readRefreshToken(document['refresh_token']);
  if (refreshToken === undefined && 'refresh_token' in document) notes.push('refresh-token-empty');

  const expiresIn = readLifetime(document['expires_in']);
  if (expiresIn === undefined && document['expires_in'] !== undefined) notes.push('expires-in-unusable');

  const scope = readGrantedScope(document['scope']);
  if (scope === undefined && document['scope'] !== undefined) notes.push('scope-unusable');

  const wire: TokenWire = {
    access_token: accessToken,
    token_type: type,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(scope !== undefined && { scope }),
    ...(expiresIn !== undefined && { expires_in: expiresIn }),
  };
  return { wire, notes };
}

function withoutEmpty(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(document).filter(([, value]) => isThere(value)));
}

/** A member that is null or "" is absent: services written in typed languages send their empty values. */
function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** What services written in languages with other habits call the members (DingTalk among them). */
const otherNames = [
  ['access_token', ['accessToken']],
  ['token_type', ['tokenType']],
  ['refresh_token', ['refreshToken']],
  ['expires_in', ['expiresIn', 'expireIn']],
] as const;

/** Under the names of RFC 6749, also out of a `data` (Feishu, TikTok); what has a name of it stays. */
function asStandard(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isToken = ({ access_token: token, accessToken: other }: Readonly<Record<string, unknown>>): boolean =>
    isText(token) || isText(other);
  const { data } = answer;
  const told = !isToken(answer) && isJsonObject(data) && isToken(data) ? data : answer;
  const named = otherNames.flatMap(([name, others]) => {
    const value = others.map((other) => told[other]).find(isThere);
    return value === undefined || isThere(told[name]) ? [] : [[name, value] as const];
  });
  return { ...told, ...Object.fromEntries(named) };
}

/**
 * Slack's answer in the form of RFC 6749: the token of the user is in `authed_user`, beside one of a bot or none, and its
 * type says whose it is. Any other answer as it came.
 */
function ofSlack(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { authed_user: user, ...own } = answer;
  if (answer['ok'] !== true || !isJsonObject(user)) return answer;
  const isOfUser = isText(user['access_token']) && (!isText(own['access_token']) || !isText(own['scope']));
  const told = isOfUser ? user : own;
  const scope = isText(told['scope']) ? told['scope'] : user['scope'];
  return {
    access_token: told['access_token'],
    token_type: slackTypes.has(told['token_type']) ? 'bearer' : told['token_type'],
    ...('refresh_token' in told && { refresh_token: told['refresh_token'] }),
    ...('expires_in' in told && { expires_in: told['expires_in'] }),
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

/** Case-insensitive (RFC 6749 section 5.1); `BearerToken` is what Apigee sends. */
function readType(told: unknown): TokenWire['token_type'] | undefined {
  const type = typeof told === 'string' ? told.trim().toLowerCase() : '';
  if (type === 'bearertoken') return 'bearer';
  return type === 'bearer' || type === 'dpop' ? type : undefined;
}

/**
 * Whole seconds, from a number or its text, 1 to a century; what is longer is a century, anything else unknown. Never
 * zero and never infinite: both end in a storm of refreshes, by a timer that fires at once.
 */
export function readLifetime(value: unknown): number | undefined {
  const told = typeof value === 'string' && /^\d+(?:\.\d+)?$/u.test(value) ? Number(value) : value;
  const seconds = typeof told === 'number' ? Math.floor(told) : 0;
  return seconds >= 1 ? Math.min(seconds, longestLifetime) : undefined;
}

/** A list, or commas instead of spaces (GitHub, Slack), are understood too. A comma within a scope of several is one. */
function readGrantedScope(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (value.length > accessTokenLength) return undefined;
    const hasOwnSpaces = /\s/u.test(value.replaceAll(/,\s+/gu, ','));
    return readScope(hasOwnSpaces ? value : value.replaceAll(/[,\s]+/gu, ' '));
  }
  if (!Array.isArray(value)) return undefined;
  return readScope(value.filter((scope) => typeof scope === 'string').join(' '));
}
