import type { PlainError } from '../../shared/error-codes.ts';

/** The part of the dialog that an error is about. */
export type ErrorPlace = 'clientId' | 'callback' | 'scopes' | 'advanced';

/** Where the fault most likely lies, so that the error stands on the field and a closed part opens. */
export function placeOf({ code, cause }: Pick<PlainError, 'code' | 'cause'>): ErrorPlace | undefined {
  switch (cause ?? code) {
    case 'CLIENT_REJECTED':
    // Of all that a token endpoint refuses, a mistyped id or secret is the most frequent.
    case 'TOKEN_ERROR':
      return 'clientId';
    case 'PKCE_UNSUPPORTED':
    case 'AS_ERROR':
    case 'TOKEN_TYPE':
      return 'advanced';
    case 'SCOPE_REDUCED':
      return 'scopes';
    default:
      return undefined;
  }
}
