import { oauthErrors } from '../../../shared/oauth-errors.ts';
import type { OAuthError } from '../../../shared/oauth-errors.ts';
import type { HttpResponse } from '../../ports.ts';
import { AmbiguousJson, readJson } from './json-document.ts';

/** An error code of an authorization server as we name it. */
export type OAuthErrorName = OAuthError | 'unknown';

/** What servers send instead of `invalid_grant` and `invalid_client`, GitHub's and Slack's spellings among them. */
const otherSpellings = new Map<string, OAuthError>([
  ['bad_refresh_token', 'invalid_grant'],
  ['bad_verification_code', 'invalid_grant'],
  ['expired_token', 'invalid_grant'],
  ['invalid_refresh_token', 'invalid_grant'],
  ['invalid_token', 'invalid_grant'],
  ['token_expired', 'invalid_grant'],
  ['token_revoked', 'invalid_grant'],
  ['incorrect_client_credentials', 'invalid_client'],
  ['bad_client_secret', 'invalid_client'],
  ['invalid_client_id', 'invalid_client'],
]);

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
  const name = otherSpellings.get(error) ?? sentOAuthError(error);
  if (!inexact.has(name) || typeof description !== 'string') return name;
  const words = description
    .slice(0, describedLength)
    .toLowerCase()
    .replaceAll(/[\s-]+/gu, '_');
  const [described, ...more] = describedErrors.filter((code) =>
    new RegExp(`(?<![a-z])${code}s?(?![a-z])`, 'u').test(words),
  );
  return described === undefined || more.length > 0 ? name : described;
}

/** The `error` member of a JSON answer, with its `error_description`. */
export function readError(error: string, description?: unknown): ErrorAnswer {
  return { error: nameOAuthError(error, description), sent: sentOAuthError(error), body: 'json' };
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
    const error = errorMember(document);
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
 * A body of form fields, as GitHub answers by itself, where it says anything of tokens or errors. `undefined`: it is
 * none. Errors: JSON_DUPLICATE_KEY.
 */
export function readForm({ headers, body }: HttpResponse): Record<string, unknown> | undefined {
  if (!/^(?:application\/x-www-form-urlencoded|text\/plain)\b/iu.test(headers.get('content-type') ?? ''))
    return undefined;
  const text = Buffer.from(body).toString('latin1').trim();
  if (!/^[\w.-]+=[\x21-\x7e]*$/u.test(text)) return undefined;
  const fields = [...new URLSearchParams(text)];
  const names = new Set(fields.map(([name]) => name));
  if (!names.has('access_token') && !names.has('error')) return undefined;
  if (names.size < fields.length) throw new AmbiguousJson('JSON_DUPLICATE_KEY', { stage: 'token' });
  return Object.fromEntries(fields);
}

/** The `error` member of a JSON object, when it says something. */
export function errorMember(document: unknown): string | undefined {
  if (!isJsonObject(document)) return undefined;
  return typeof document['error'] === 'string' && document['error'] !== '' ? document['error'] : undefined;
}

/** Its `error_description`, for `nameOAuthError` alone. */
export function descriptionMember(document: unknown): unknown {
  return isJsonObject(document) ? document['error_description'] : undefined;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
