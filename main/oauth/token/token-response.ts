import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import {
  processAuthorizationCodeResponse,
  processClientCredentialsResponse,
  processRefreshTokenResponse,
} from 'oauth4webapi';
import type { Person } from '../../../shared/person.ts';
import { waitAsTold } from '../../../shared/error-catalogue/catalogue-entry.ts';
import { afterTokenRefusal } from '../../../shared/error-catalogue/token-errors.ts';
import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import { displayPlace } from '../../address/display-place.ts';
import { bodyLimit, json, retryAfter } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { ErrorDetail } from '../../postern-error.ts';
import type { Clock, HttpResponse } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { InvalidJson, isJsonType, readJson } from '../wire/json-document.ts';
import { readIdToken } from './id-token.ts';
import { namedAccount } from './named-account.ts';
import { errorMember, isJsonObject, nameOAuthError, readErrorAnswer } from '../wire/oauth-error.ts';
import type { ErrorAnswer } from '../wire/oauth-error.ts';
import { toReadResponse } from '../wire/read-response.ts';
import { parseRetryAfter } from '../wire/retry-after.ts';
import { normaliseTokenResponse } from './token-response-normaliser.ts';
import type { TokenWire } from './token-response-normaliser.ts';

/** What a token endpoint granted. */
export interface TokenGrant {
  readonly accessToken: Secret;
  readonly refreshToken?: Secret;
  readonly scope?: string;
  readonly account?: string;
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
 * - `refused`: with an error of RFC 6749 section 5.2, or a status that stands for one (TOKEN_ERROR).
 * - `busy`: not now (TOKEN_RATE_LIMITED, with the seconds to wait; TOKEN_SERVER_ERROR).
 * - `page`: under another type than JSON, so that it was no token endpoint that answered (TOKEN_RESPONSE_INVALID).
 */
export type TokenAnswer =
  | { readonly kind: 'granted'; readonly grant: TokenGrant }
  | TokenRefusal
  | { readonly kind: 'busy'; readonly status: number; readonly retryAfter?: number; readonly error: PosternError }
  | { readonly kind: 'page'; readonly error: PosternError };

export interface TokenRefusal {
  readonly kind: 'refused';
  readonly name: ErrorAnswer['error'];
  readonly body: ErrorAnswer['body'];
  readonly error: PosternError;
}

export interface TokenResponseContext {
  readonly grant: keyof typeof libraryReaders;
  readonly stage: Stage;
  /** Whose ID token may be believed. The library is handed none. */
  readonly issuer: string;
  readonly clientId: string;
  /** Sent with the authorization request; an ID token has to repeat it. */
  readonly nonce?: string | undefined;
}

/**
 * Reads the answer of a token endpoint (RFC 6749 sections 5.1 and 5.2).
 * Errors, for tokens that cannot be used: TOKEN_RESPONSE_INVALID, TOKEN_CHARSET, TOKEN_TYPE, CONTENT_TYPE,
 * JSON_DUPLICATE_KEY, JSON_DEPTH, SCHEMA_INVALID.
 */
export async function readTokenResponse(
  answer: HttpResponse,
  clock: Clock,
  context: TokenResponseContext,
): Promise<TokenAnswer> {
  const receivedAt = { wall: Math.trunc(clock.now()), monotonic: clock.monotonic() };
  const { stage } = context;
  if (answer.status < 200 || answer.status > 299) return readRefusal(answer, clock, stage);
  const document = readSuccessDocument(answer, stage);
  if (document instanceof PosternError) return { kind: 'page', error: document };
  const error = errorMember(document);
  // The error member wins over the status: several providers answer 200 with an error.
  if (error !== undefined) return refusal(answer, { error: nameOAuthError(error), body: 'json' }, stage);
  const { wire, notes } = normaliseTokenResponse(document, context.grant, stage);
  const granted = await processWithLibrary(wire, context);
  const claims =
    context.grant === 'authorization_code'
      ? readIdToken(document['id_token'], { ...context, url: answer.url, now: receivedAt.wall })
      : undefined;
  const account = namedAccount(document) ?? claims?.subject;
  const grant: TokenGrant = {
    accessToken: new Secret(granted.access_token),
    ...(granted.refresh_token !== undefined && { refreshToken: new Secret(granted.refresh_token) }),
    ...(granted.scope !== undefined && { scope: granted.scope }),
    ...(account !== undefined && { account }),
    ...(claims?.person && { person: claims.person }),
    ...(granted.expires_in !== undefined && { expiresIn: granted.expires_in }),
    receivedAt,
    notes: answer.status === 200 ? notes : [...notes, 'token-status-not-200'],
  };
  return { kind: 'granted', grant };
}

/** What an answer with another status than 2xx says, of this endpoint and of others that authenticate clients as it does. */
export function readRefusal(
  answer: HttpResponse,
  clock: Clock,
  stage: Stage,
): Extract<TokenAnswer, { readonly kind: 'refused' | 'busy' }> {
  const { status, headers } = answer;
  const header = headers.get('retry-after');
  if (status === 429 || (status === 503 && header !== null)) {
    const wait = parseRetryAfter(header, clock.now()) ?? retryAfter.fallback;
    const told = { stage, detail: { ...hostOf(answer), status }, remedy: waitAsTold(wait) };
    return { kind: 'busy', status, retryAfter: wait, error: new PosternError('TOKEN_RATE_LIMITED', told) };
  }
  const { error, body } = readErrorAnswer(answer);
  const isOurs = error !== 'unknown' && error !== 'server_error' && error !== 'temporarily_unavailable';
  if (status >= 500 && !isOurs) {
    return { kind: 'busy', status, error: fail('TOKEN_SERVER_ERROR', stage, { ...hostOf(answer), status }) };
  }
  // RFC 6749 section 5.2 knows 401 for `invalid_client` only; servers send it without a body that says so.
  const named = status === 401 && error === 'unknown' ? 'invalid_client' : error;
  return refusal(answer, { error: named, body }, stage);
}

function refusal(answer: HttpResponse, { error: name, body }: ErrorAnswer, stage: Stage): TokenRefusal {
  const detail = { ...hostOf(answer), error: name, status: answer.status };
  const error = new PosternError('TOKEN_ERROR', { stage, detail, remedy: afterTokenRefusal(name) });
  return { kind: 'refused', name, body, error };
}

/**
 * The JSON of a 2xx answer, or what tells of a page in its place. Strings are bounded here and not by the scanner, so
 * that an `id_token` may be long.
 */
function readSuccessDocument(answer: HttpResponse, stage: Stage): Record<string, unknown> | PosternError {
  const type = answer.headers.get('content-type');
  const { document, fault } = tryReading(answer, stage);
  if (!isJsonType(type)) {
    const wrongType = fail('CONTENT_TYPE', stage);
    // Else it is a page: of a captive portal, or a login wall.
    const isTokenAnswer = isJsonObject(document) || /^application\/json\b/i.test(type ?? '');
    if (isTokenAnswer) throw wrongType;
    return new PosternError('TOKEN_RESPONSE_INVALID', { stage, cause: wrongType });
  }
  // Told as what it is to a person: both end alike.
  if (fault instanceof InvalidJson) throw new PosternError('TOKEN_RESPONSE_INVALID', { stage, cause: fault });
  if (fault) throw fault;
  if (!isJsonObject(document)) throw fail('TOKEN_RESPONSE_INVALID', stage);
  for (const [name, value] of Object.entries(document)) {
    if (name !== 'id_token' && typeof value === 'string' && value.length > json.tokenString) {
      throw fail('SCHEMA_INVALID', stage);
    }
  }
  return document;
}

function tryReading({ body }: HttpResponse, stage: Stage): { document?: unknown; fault?: PosternError } {
  try {
    return { document: readJson(body, { stage, stringLimit: bodyLimit.token }) };
  } catch (error) {
    if (error instanceof PosternError) return { fault: error };
    throw error;
  }
}

const libraryReaders = {
  authorization_code: processAuthorizationCodeResponse,
  refresh_token: processRefreshTokenResponse,
  client_credentials: processClientCredentialsResponse,
};

async function processWithLibrary(wire: TokenWire, context: TokenResponseContext) {
  const process = libraryReaders[context.grant];
  try {
    return await process({ issuer: context.issuer }, { client_id: context.clientId }, toReadResponse(wire, 200));
  } catch {
    // Its errors carry the body, tokens included: no cause.
    throw fail('TOKEN_RESPONSE_INVALID', context.stage);
  }
}

function hostOf({ url }: HttpResponse): { host: string } {
  return { host: displayPlace(new URL(url)) };
}

function fail(code: ErrorCode, stage: Stage, detail: ErrorDetail = {}): PosternError {
  return new PosternError(code, { stage, detail });
}
