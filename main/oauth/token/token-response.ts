import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import {
  processAuthorizationCodeResponse,
  processClientCredentialsResponse,
  processDeviceCodeResponse,
  processRefreshTokenResponse,
} from 'oauth4webapi';
import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { Person } from '../../../shared/person.ts';
import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import { bodyLimit, json } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { ErrorDetail } from '../../postern-error.ts';
import type { Clock, HttpResponse } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { InvalidJson, isJsonType, readJson } from '../wire/json-document.ts';
import { personText, readIdToken } from './id-token.ts';
import { errorMember, isJsonObject, readError, readForm } from '../wire/oauth-error.ts';
import { toReadResponse } from '../wire/read-response.ts';
import { normaliseTokenResponse } from './token-response-normaliser.ts';
import { readRefusal, refusal } from './token-refusal.ts';
import type { RefusedAnswer } from './token-refusal.ts';
import { namedAccount, organisationIn, readHolder } from './token-holder.ts';
import type { TokenHolder } from './token-holder.ts';
import type { Identity } from './token-set.ts';
import type { AskedGrant, TokenWire } from './token-response-normaliser.ts';

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
  const error = errorMember(document) ?? (document['ok'] === false ? '' : undefined);
  // The error member wins over the status: several providers answer 200 with an error.
  if (error !== undefined) return refusal(answer, clock, readError(error, document['error_description']), stage);
  const { wire, notes } = normaliseTokenResponse(document, context);
  const granted = await processWithLibrary(wire, context);
  const told = { ...context, url: answer.url, now: receivedAt.wall };
  const idToken = context.grant === 'client_credentials' ? undefined : document['id_token'];
  const claims = readIdToken(idToken, told);
  const isIdentity = typeof idToken === 'string' && readIdToken(idToken, { ...told, isForIssuer: true }) !== undefined;
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

/** What these tokens are noted with: the service refused `resource`, and gave them without (`IntegrationOptions.sendResource`). */
export const refusedResourceNote = 'resource-refused';

export function withRefusedResource(grant: TokenGrant): TokenGrant {
  return { ...grant, notes: [...grant.notes, refusedResourceNote] };
}

/**
 * The JSON of a 2xx answer, or what tells of a page in its place. Strings are bounded here and not by the scanner, so
 * that an `id_token` may be long.
 */
function readSuccessDocument(answer: HttpResponse, stage: Stage): Record<string, unknown> | PosternError {
  const fields = readForm(answer);
  if (fields) return fields;
  const type = answer.headers.get('content-type');
  const { document, fault } = tryReading(answer, stage);
  if (!isJsonType(type)) {
    const wrongType = fail('CONTENT_TYPE', stage);
    // Anything else is a page, such as that of a captive portal or a login wall.
    const isTokenAnswer = isJsonObject(document) || /^application\/json\b/i.test(type ?? '');
    if (isTokenAnswer) throw wrongType;
    return new PosternError('TOKEN_RESPONSE_INVALID', { stage, cause: wrongType });
  }
  // A body that is no JSON tells a person no more than a page would.
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
  device_code: processDeviceCodeResponse,
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

function fail(code: ErrorCode, stage: Stage, detail: ErrorDetail = {}): PosternError {
  return new PosternError(code, { stage, detail });
}
