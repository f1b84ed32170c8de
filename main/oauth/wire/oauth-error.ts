import { oauthErrors } from '../../../shared/oauth.ts';
import type { OAuthError } from '../../../shared/oauth.ts';
import type { HttpResponse } from '../../ports.ts';
import { AmbiguousJson, readJson } from './json-document.ts';

/** An error code of an authorization server as we name it. */
export type OAuthErrorName = OAuthError | 'unknown';

/** What servers send instead of a code of a registry, GitHub's, Slack's and Amazon's among them. */
const otherSpellings = new Map<string, OAuthError>([
  ['bad_refresh_token', 'invalid_grant'],
  ['bad_verification_code', 'invalid_grant'],
  ['expired_token', 'invalid_grant'],
  ['invalid_refresh_token', 'invalid_grant'],
  ['token_expired', 'invalid_grant'],
  ['token_revoked', 'invalid_grant'],
  // Of a user who said no: Entra's, Facebook's and LinkedIn's among them.
  ...['authorization_declined', 'cancelled', 'canceled', 'consent_denied', 'user_denied'].map(named('access_denied')),
  ...['user_cancelled', 'user_canceled', 'user_cancelled_authorize', 'user_cancelled_login'].map(
    named('access_denied'),
  ),
  ['incorrect_client_credentials', 'invalid_client'],
  ['bad_client_secret', 'invalid_client'],
  ['invalid_client_id', 'invalid_client'],
  ...['rate_limit', 'rate_limited', 'ratelimited', 'rate_limit_exceeded', 'too_many_requests'].map(named('slow_down')),
  ...['too_many_requests_exception', 'throttled', 'throttling', 'throttling_exception'].map(named('slow_down')),
  ...['service_unavailable', 'try_again_later', 'timeout', 'overloaded'].map(named('temporarily_unavailable')),
  ...['internal_error', 'internal_server_error'].map(named('server_error')),
]);

function named(name: OAuthError) {
  return (spelling: string): readonly [string, OAuthError] => [spelling, name];
}

/** `Invalid_Grant`, `invalid grant` and `InvalidGrant` are one code. */
function plainCode(error: string): string {
  return error
    .trim()
    .replaceAll(/(?<=[a-z])(?=[A-Z])/gu, '_')
    .replaceAll(/[\s-]+/gu, '_')
    .toLowerCase();
}

/**
 * Codes that services such as Amazon Cognito put into the description of a less exact one. None that ends a sign-in or
 * gives a client up: for that the `error` itself has to say so.
 */
const describedErrors = ['invalid_scope', 'invalid_target', 'unsupported_response_type'] as const;
const inexact: ReadonlySet<OAuthErrorName> = new Set(['invalid_request', 'server_error', 'unknown']);
/** Characters of a description that are looked at. */
const describedLength = 1_000;

/**
 * The `error` of a server as one of the codes that we know, else `unknown`: server text is never shown. Of its
 * description nothing counts but the one code of a closed list that it holds, where `error` is less exact.
 */
export function nameOAuthError(error: string, description?: unknown): OAuthErrorName {
  const plain = plainCode(error);
  const name = otherSpellings.get(plain) ?? sentOAuthError(plain);
  if (!inexact.has(name) || typeof description !== 'string') return name;
  const words = plainWords(description);
  const [described, ...more] = describedErrors.filter((code) =>
    new RegExp(`(?<![a-z])${code}s?(?![a-z])`, 'u').test(words),
  );
  return described === undefined || more.length > 0 ? name : described;
}

function plainWords(description: string): string {
  return description
    .slice(0, describedLength)
    .toLowerCase()
    .replaceAll(/[\s-]+/gu, '_');
}

/** The parameter of RFC 8707 and what older services have in its place, but no owner or server of a resource. */
const resourceWords = /(?<![a-z])(?:invalid_target|audiences?|resources?(?!_(?:owner|server)))(?![a-z])/u;

/** Whether a description is about `resource`; `undefined`: there is none. */
export function isAboutResource(description: unknown): boolean | undefined {
  return typeof description === 'string' && description.trim() !== ''
    ? resourceWords.test(plainWords(description))
    : undefined;
}

/** Whether an error passes by itself: it is no verdict on the client, the user or what was sent. */
export function isPassing(error: OAuthErrorName): boolean {
  return error === 'server_error' || error === 'temporarily_unavailable' || error === 'slow_down';
}

/** The `error` member of a JSON answer, with its `error_description`. */
export function readError(error: string, description?: unknown): ErrorAnswer {
  const about = isAboutResource(description);
  return {
    error: nameOAuthError(error, description),
    sent: sentOAuthError(error),
    ...(about !== undefined && { isAboutResource: about }),
    body: 'json',
  };
}

/** The code if that is what was sent, for naming it to a user; `unknown` for another spelling. */
function sentOAuthError(error: string): OAuthErrorName {
  return oauthErrors.find((name) => name === error) ?? 'unknown';
}

export interface ErrorAnswer {
  /** As `nameOAuthError` names it; `unknown` when the body says nothing. */
  readonly error: OAuthErrorName;
  /** The same, where it was sent in this spelling; else `unknown`. */
  readonly sent: OAuthErrorName;
  /** Of its description; absent where it has none. */
  readonly isAboutResource?: boolean;
  /** `json`: an object with an `error`; `empty`: no byte but white space; `page`: HTML; `other`: anything else. */
  readonly body: 'json' | 'empty' | 'page' | 'other';
}

/**
 * The error of an answer whose status is not 2xx (RFC 6749 section 5.2). Never throws: servers send errors with
 * empty bodies, as pages, and under any content type.
 */
export function readErrorAnswer(answer: HttpResponse): ErrorAnswer {
  if (answer.body.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))) {
    return { error: 'unknown', sent: 'unknown', body: 'empty' };
  }
  try {
    const document = readJson(answer.body, { stage: 'token' });
    const error = errorMember(document) ?? otherErrorMember(document);
    if (error !== undefined) return readError(error, descriptionMember(document));
  } catch {
    // Not a JSON document that we accept.
  }
  try {
    const error = errorMember(readForm(answer));
    if (error !== undefined) return readError(error);
  } catch {
    // Nor fields: the status alone speaks.
  }
  const isPage = /\bhtml\b/iu.test(answer.headers.get('content-type') ?? '') || startsMarkup(answer.body);
  return { error: 'unknown', sent: 'unknown', body: isPage ? 'page' : 'other' };
}

function startsMarkup(body: HttpResponse['body']): boolean {
  return Buffer.from(body.subarray(0, 64)).toString('latin1').trimStart().startsWith('<');
}

/**
 * A body of form fields, as GitHub answers by itself, where it says anything of tokens or errors, whatever its type.
 * `undefined`: it is none. Errors: JSON_DUPLICATE_KEY.
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

/** The code in `error`, or in an object there or in the first of `errors`, as many frameworks write it. */
export function errorMember(document: unknown): string | undefined {
  if (!isJsonObject(document)) return undefined;
  const { error, errors } = document;
  return [error, errors].map(codeIn).find((code) => code !== undefined);
}

function codeIn(error: unknown): string | undefined {
  const told: unknown = Array.isArray(error) ? error[0] : error;
  const codes = isJsonObject(told) ? [told['code'], told['error'], told['type']] : [told];
  return codes.find((code) => typeof code === 'string' && code !== '') as string | undefined;
}

/** Where a refusal has no `error`, another member that holds a code: of a grant it may be anything. */
function otherErrorMember(document: unknown): string | undefined {
  if (!isJsonObject(document)) return undefined;
  const codes = [document['code'], document['error_code'], document['errorCode']];
  return codes.find((code): code is string => typeof code === 'string' && nameOAuthError(code) !== 'unknown');
}

/** Its `error_description`, for `nameOAuthError` alone. */
export function descriptionMember(document: unknown): unknown {
  return isJsonObject(document) ? document['error_description'] : undefined;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
