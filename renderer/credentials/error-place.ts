import type { PlainError } from '../../shared/error-codes.ts';

type PlaceableError = Pick<PlainError, 'code' | 'cause' | 'stage' | 'oauthError'>;

/** The part of the dialog that an error is about. `client`: id and secret together. */
export type ErrorPlace = 'client' | 'clientId' | 'scopes' | 'endpoints' | 'advanced';

/**
 * Where the fault lies, as far as the answer tells, so that the error stands there and a closed part opens. A client
 * that Postern came by itself (`isOurs`) was not typed wrongly.
 */
export function placeOf(error: PlaceableError, isOurs = false): ErrorPlace | undefined {
  const place = placeOfFault(error);
  return isOurs && (place === 'client' || place === 'clientId') ? undefined : place;
}

function placeOfFault({ code, cause, stage, oauthError }: PlaceableError): ErrorPlace | undefined {
  // The server's own address was taken long before, so a refused one is an endpoint that was typed.
  if (stage === 'address') return 'endpoints';
  switch (cause ?? code) {
    case 'CLIENT_REJECTED':
      return 'client';
    case 'TOKEN_ERROR':
    case 'AS_ERROR':
      return oauthError === undefined ? undefined : placeOfOAuthError(oauthError);
    case 'PKCE_UNSUPPORTED':
      return 'advanced';
    case 'SCOPE_REDUCED':
      return 'scopes';
    default:
      return undefined;
  }
}

function placeOfOAuthError(error: NonNullable<PlainError['oauthError']>): ErrorPlace | undefined {
  switch (error) {
    case 'invalid_client':
      return 'client';
    // This client is known, and may not sign in like this (RFC 6749 5.2).
    case 'unauthorized_client':
      return 'clientId';
    case 'invalid_scope':
      return 'scopes';
    // PKCE or the resource parameter, most likely.
    case 'invalid_request':
    case 'invalid_target':
      return 'advanced';
    default:
      return undefined;
  }
}
