import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { askForBinding } from '../../../shared/error-catalogue/token-errors.ts';
import type { ErrorCode, Stage } from '../../../shared/error-codes.ts';
import { accessTokenLength, longestTokenLifetime } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import { readScope } from '../authorization/scope.ts';
import { isJsonObject } from '../wire/oauth-error.ts';
import type { TokenBinding } from './token-set.ts';

/** RFC 6749 section 5.1 with the types that it gives its members. */
export interface TokenWire {
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
export interface AskedGrant {
  readonly grant: 'authorization_code' | 'refresh_token' | 'client_credentials' | 'device_code';
  readonly stage: Stage;
  /** The key that went with it. */
  readonly binding?: Pick<TokenBinding, 'isDemanded'> | undefined;
}

/**
 * A token answer reduced to the members that we use, each of the right type, with notes on what was tolerated.
 * Everything else (`id_token`, display names) is dropped here.
 * Errors: TOKEN_RESPONSE_INVALID, TOKEN_CHARSET, TOKEN_TYPE, SCHEMA_INVALID for an oversized token.
 */
export function normaliseTokenResponse(
  answer: Readonly<Record<string, unknown>>,
  { stage, binding }: AskedGrant,
): { wire: TokenWire; notes: CompatibilityNote[] } {
  const document = asStandard(answer);
  const notes: CompatibilityNote[] = [];
  const fail = (code: ErrorCode) => new PosternError(code, { stage });

  const accessToken = document['access_token'];
  if (typeof accessToken !== 'string' || accessToken === '') throw fail('TOKEN_RESPONSE_INVALID');
  if (accessToken.length > accessTokenLength) throw fail('SCHEMA_INVALID');
  if (!headerSafe.test(accessToken)) throw fail('TOKEN_CHARSET');

  const tokenType = document['token_type'];
  if (tokenType === undefined || tokenType === null) notes.push('token-type-missing');
  const type = readType(tokenType ?? 'bearer');
  // RFC 9449 section 5: bound to a key that is not ours, it is of no use, and must not be sent as a bearer token.
  if (type === undefined || (type === 'dpop' && !binding)) throw fail('TOKEN_TYPE');
  if (type === 'bearer' && binding?.isDemanded)
    throw new PosternError('TOKEN_TYPE', { stage, detail: { unbound: 1 }, remedy: askForBinding });
  if (type === 'bearer' && binding) notes.push('token-not-bound');

  // Empty is absent: at a refresh the old one stays (RFC 6749 section 6).
  const refreshToken = document['refresh_token'] === '' ? undefined : (document['refresh_token'] ?? undefined);
  if (refreshToken === undefined && 'refresh_token' in document) notes.push('refresh-token-empty');
  if (refreshToken !== undefined && typeof refreshToken !== 'string') throw fail('TOKEN_RESPONSE_INVALID');
  if (refreshToken !== undefined && refreshToken.length > accessTokenLength) throw fail('SCHEMA_INVALID');
  if (refreshToken !== undefined && !visible.test(refreshToken)) throw fail('TOKEN_CHARSET');

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

/**
 * Slack's answer in the form of RFC 6749: the token of the user is in `authed_user`, beside one of a bot or none, and its
 * type says whose it is. Any other answer as it came.
 */
function asStandard(answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
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

/** Case-insensitive (RFC 6749 section 5.1). */
function readType(told: unknown): TokenWire['token_type'] | undefined {
  const type = typeof told === 'string' ? told.toLowerCase() : '';
  return type === 'bearer' || type === 'dpop' ? type : undefined;
}

/**
 * Seconds, from a whole number or a string of digits, 1 to a year; anything else is unknown. Never zero and never
 * infinite: both end in a storm of refreshes, by a timer that fires at once.
 */
function readLifetime(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) return undefined;
  return seconds >= 1 && seconds <= longestTokenLifetime ? seconds : undefined;
}

/** A list, or commas instead of spaces (GitHub, Slack), are understood too. A comma within a scope of several is one. */
function readGrantedScope(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const hasOwnSpaces = /\s/u.test(value.replaceAll(/,\s+/gu, ','));
    return readScope(hasOwnSpaces ? value : value.replaceAll(/[,\s]+/gu, ' '));
  }
  if (!Array.isArray(value)) return undefined;
  return readScope(value.filter((scope) => typeof scope === 'string').join(' '));
}
