import type { ErrorCode } from './error-codes.ts';

/**
 * What only a person can do, so that a call goes through again. `try-or-sign-in`: trying again may be enough. `key`:
 * there is nobody to sign in.
 */
export type WayOut = 'sign-in' | 'try-or-sign-in' | 'permissions' | 'key';

/** By code, since a window, a program and a script that reads the exit code have no more of an error. */
const waysOut: Readonly<Partial<Record<ErrorCode, WayOut>>> = {
  SIGN_IN_REQUIRED: 'sign-in',
  SCOPE_REQUIRED: 'permissions',
  TOKEN_REJECTED: 'sign-in',
  REFRESH_REVOKED: 'sign-in',
  REFRESH_UNCERTAIN: 'try-or-sign-in',
  REFRESH_ISSUER_CHANGED: 'sign-in',
  ADDRESS_CHANGED: 'sign-in',
  CLIENT_REJECTED: 'sign-in',
  API_KEY_REFUSED: 'key',
  API_KEY_MISSING: 'key',
  API_KEY_ADDRESS_CHANGED: 'key',
};

/** `undefined`: a person can do nothing, or it is not theirs alone to do. */
export function wayOutOf({ code }: { readonly code: ErrorCode }): WayOut | undefined {
  return waysOut[code];
}

/** Whether only a person can help: by signing in (again), or by granting more. */
export function wantsSignIn(error: { readonly code: ErrorCode }): boolean {
  const way = wayOutOf(error);
  return way !== undefined && way !== 'key';
}
