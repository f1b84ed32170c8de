import { oauthErrors } from '../../../shared/oauth-errors.ts';
import type { OAuthError } from '../../../shared/oauth-errors.ts';
import type { HttpResponse } from '../../ports.ts';
import { readJson } from './json-document.ts';

/** An error code of an authorization server as we name it. */
export type OAuthErrorName = OAuthError | 'unknown';

/** What servers send instead of `invalid_grant` and `invalid_client`, GitHub's spellings among them. */
const otherSpellings = new Map<string, OAuthError>([
  ['bad_refresh_token', 'invalid_grant'],
  ['bad_verification_code', 'invalid_grant'],
  ['expired_token', 'invalid_grant'],
  ['invalid_refresh_token', 'invalid_grant'],
  ['invalid_token', 'invalid_grant'],
  ['token_expired', 'invalid_grant'],
  ['token_revoked', 'invalid_grant'],
  ['incorrect_client_credentials', 'invalid_client'],
]);

/** The `error` of a server as one of the codes that we know, else `unknown`: server text is never shown. */
export function nameOAuthError(error: string): OAuthErrorName {
  return otherSpellings.get(error) ?? oauthErrors.find((name) => name === error) ?? 'unknown';
}

export interface ErrorAnswer {
  /** As `nameOAuthError` names it; `unknown` when the body says nothing. */
  readonly error: OAuthErrorName;
  /** `json`: an object with an `error`; `empty`: no byte but white space; `other`: a page, or anything else. */
  readonly body: 'json' | 'empty' | 'other';
}

/**
 * The error of an answer whose status is not 2xx (RFC 6749 section 5.2). Never throws: servers send errors with
 * empty bodies, as pages, and under any content type.
 */
export function readErrorAnswer(answer: HttpResponse): ErrorAnswer {
  if (answer.body.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))) {
    return { error: 'unknown', body: 'empty' };
  }
  try {
    const error = errorMember(readJson(answer.body, { stage: 'token' }));
    if (error !== undefined) return { error: nameOAuthError(error), body: 'json' };
  } catch {
    // Not a JSON document that we accept: the status alone speaks.
  }
  return { error: 'unknown', body: 'other' };
}

/** The `error` member of a JSON object, when it says something. */
export function errorMember(document: unknown): string | undefined {
  if (!isJsonObject(document)) return undefined;
  return typeof document['error'] === 'string' && document['error'] !== '' ? document['error'] : undefined;
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
