import { isObject } from '../../../shared/json-object.ts';
import { oauthErrors } from '../../../shared/oauth.ts';
import type { OAuthError } from '../../../shared/oauth.ts';
import type { HttpResponse } from '../../ports.ts';
import { AmbiguousJson, readJson } from './json-document.ts';

/** A known OAuth error code, or `unknown`. */
export type OAuthErrorName = OAuthError | 'unknown';

/** Vendor codes sent in place of registered ones, by GitHub, Slack and Amazon among others. */
const vendorCodes = new Map<string, OAuthError>([
  ['bad_refresh_token', 'invalid_grant'],
  ['bad_verification_code', 'invalid_grant'],
  ['expired_token', 'invalid_grant'],
  ['invalid_refresh_token', 'invalid_grant'],
  ['token_expired', 'invalid_grant'],
  ['token_revoked', 'invalid_grant'],
  // The user declined: Entra, Facebook and LinkedIn among others.
  ...['authorization_declined', 'cancelled', 'canceled', 'consent_denied', 'user_denied'].map(aliasOf('access_denied')),
  ...['user_cancelled', 'user_canceled', 'user_cancelled_authorize', 'user_cancelled_login'].map(
    aliasOf('access_denied'),
  ),
  ['incorrect_client_credentials', 'invalid_client'],
  ['bad_client_secret', 'invalid_client'],
  ['invalid_client_id', 'invalid_client'],
  ...['rate_limit', 'rate_limited', 'ratelimited', 'rate_limit_exceeded', 'too_many_requests'].map(
    aliasOf('slow_down'),
  ),
  ...['too_many_requests_exception', 'throttled', 'throttling', 'throttling_exception'].map(aliasOf('slow_down')),
  ...['service_unavailable', 'try_again_later', 'timeout', 'overloaded'].map(aliasOf('temporarily_unavailable')),
  ...['internal_error', 'internal_server_error'].map(aliasOf('server_error')),
]);

function aliasOf(name: OAuthError) {
  return (spelling: string): readonly [string, OAuthError] => [spelling, name];
}

/** `Invalid_Grant`, `invalid grant` and `InvalidGrant` are the same code. */
function normalizeCode(error: string): string {
  return error
    .trim()
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '_')
    .replaceAll(/[\s-]+/gu, '_')
    .toLowerCase();
}

/**
 * Codes that services such as Amazon Cognito put in the description of a vaguer error. Codes that end a sign-in or
 * discard a client are not taken from a description: `error` itself must contain them.
 */
const describedErrors = ['invalid_scope', 'invalid_target', 'unsupported_response_type'] as const;
const vagueErrors: ReadonlySet<OAuthErrorName> = new Set(['invalid_request', 'server_error', 'unknown']);
/** Characters of a description that are read. */
const describedLength = 1_000;

/**
 * Maps the `error` of a server to a known code, else `unknown`: server text is never shown. If `error` is vague, a code
 * from a closed list counts, provided the description contains exactly one.
 */
export function normalizeOAuthError(error: string, description?: unknown): OAuthErrorName {
  const plain = normalizeCode(error);
  const name = vendorCodes.get(plain) ?? registeredCode(plain);
  if (!vagueErrors.has(name) || typeof description !== 'string') return name;
  const words = normalizeDescription(description);
  const [described, ...more] = describedErrors.filter((code) =>
    new RegExp(`(?<![a-z])${code}s?(?![a-z])`, 'u').test(words),
  );
  return described === undefined || more.length > 0 ? name : described;
}

function normalizeDescription(description: string): string {
  return description
    .slice(0, describedLength)
    .toLowerCase()
    .replaceAll(/[\s-]+/gu, '_');
}

/** The RFC 8707 parameter and its predecessors, but not a resource owner or resource server. */
const resourceWords = /(?<![a-z])(?:invalid_target|audiences?|resources?(?!_(?:owner|server)))(?![a-z])/u;

/** Whether a description is about `resource`; `undefined` if there is no description. */
export function isAboutResource(description: unknown): boolean | undefined {
  return typeof description === 'string' && description.trim() !== ''
    ? resourceWords.test(normalizeDescription(description))
    : undefined;
}

/** True for a temporary error: it says nothing about the client, the user or the request. */
export function isTransient(error: OAuthErrorName): boolean {
  return error === 'server_error' || error === 'temporarily_unavailable' || error === 'slow_down';
}

/** The error of a JSON response, from `error` and `error_description`. */
export function readError(error: string, description?: unknown): ErrorResponse {
  const about = isAboutResource(description);
  return {
    error: normalizeOAuthError(error, description),
    sent: registeredCode(error),
    ...(about !== undefined && { isAboutResource: about }),
    body: 'json',
  };
}

/** The code if it was sent in its registered spelling, to show to a user; otherwise `unknown`. */
function registeredCode(error: string): OAuthErrorName {
  return oauthErrors.find((name) => name === error) ?? 'unknown';
}

export interface ErrorResponse {
  /** From `normalizeOAuthError`; `unknown` if the body has no error. */
  readonly error: OAuthErrorName;
  /** The same code if sent in its registered spelling; otherwise `unknown`. */
  readonly sent: OAuthErrorName;
  /** Whether the description is about `resource`; absent if there is no description. */
  readonly isAboutResource?: boolean;
  /** `json`: an object with an `error`; `empty`: only whitespace; `page`: HTML; `other`: anything else. */
  readonly body: 'json' | 'empty' | 'page' | 'other';
}

/**
 * The error of a response whose status is not 2xx (RFC 6749 section 5.2). Never throws: servers send errors with empty
 * bodies, as pages, and under any content type.
 */
export function readErrorResponse(response: HttpResponse): ErrorResponse {
  if (response.body.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))) {
    return { error: 'unknown', sent: 'unknown', body: 'empty' };
  }
  try {
    const document = readJson(response.body, { stage: 'token' });
    const error = errorMember(document) ?? findOtherErrorMember(document);
    if (error !== undefined) return readError(error, descriptionMember(document));
  } catch {
    // Not JSON that we accept.
  }
  try {
    const error = errorMember(readForm(response));
    if (error !== undefined) return readError(error);
  } catch {
    // No form fields either: only the status is left.
  }
  const isPage = /\bhtml\b/iu.test(response.headers.get('content-type') ?? '') || startsMarkup(response.body);
  return { error: 'unknown', sent: 'unknown', body: isPage ? 'page' : 'other' };
}

function startsMarkup(body: HttpResponse['body']): boolean {
  return Buffer.from(body.subarray(0, 64)).toString('latin1').trimStart().startsWith('<');
}

/**
 * A form-encoded body with tokens or an error, whatever its content type: GitHub's default. `undefined` if it is not
 * one.
 * Errors: JSON_DUPLICATE_KEY.
 */
export function readForm({ body }: HttpResponse): Record<string, unknown> | undefined {
  const text = Buffer.from(body).toString('latin1').trim();
  if (!/^[\w.-]+=[\x21-\x7e]*$/u.test(text)) return undefined;
  const fields = [...new URLSearchParams(text)];
  const names = new Set(fields.map(([name]) => name));
  if (!names.has('access_token') && !names.has('error')) return undefined;
  if (names.size < fields.length) throw new AmbiguousJson('JSON_DUPLICATE_KEY', { stage: 'token' });
  return Object.fromEntries(fields);
}

/** The code in `error`, in an object there, or in the first of `errors`, as many frameworks write it. */
export function errorMember(document: unknown): string | undefined {
  if (!isObject(document)) return undefined;
  const { error, errors } = document;
  return [error, errors].map(findCode).find((code) => code !== undefined);
}

function findCode(error: unknown): string | undefined {
  const value: unknown = Array.isArray(error) ? error[0] : error;
  const codes = isObject(value) ? [value['code'], value['error'], value['type']] : [value];
  return codes.find((code) => typeof code === 'string' && code !== '') as string | undefined;
}

/**
 * A known code from another member, if a refusal has no `error`. In a granted response those members could mean
 * anything.
 */
function findOtherErrorMember(document: unknown): string | undefined {
  if (!isObject(document)) return undefined;
  const codes = [document['code'], document['error_code'], document['errorCode']];
  return codes.find((code): code is string => typeof code === 'string' && normalizeOAuthError(code) !== 'unknown');
}

/** `error_description`, only as input for `normalizeOAuthError`. */
export function descriptionMember(document: unknown): unknown {
  return isObject(document) ? document['error_description'] : undefined;
}
