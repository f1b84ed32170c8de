import type { ErrorCode } from './error-codes.ts';

const endings: ReadonlySet<ErrorCode> = new Set([
  'SIGN_IN_REQUIRED',
  'SCOPE_REQUIRED',
  'TOKEN_REJECTED',
  'REFRESH_REVOKED',
  'REFRESH_UNCERTAIN',
  'REFRESH_ISSUER_CHANGED',
  'ADDRESS_CHANGED',
  'CLIENT_REJECTED',
]);

/** Whether only a person can help: by signing in (again), or by granting more. */
export function wantsSignIn({ code }: { readonly code: ErrorCode }): boolean {
  return endings.has(code);
}
