import type { ErrorCode, PlainError } from '../../shared/error-codes.ts';

/** What a button under an error does; the place that shows it knows how. */
export type ErrorAction =
  | 'retry'
  | 'local'
  | 'allowHost'
  | 'allowHttp'
  | 'legacy'
  | 'apiKey'
  | 'pkceWhenListed'
  | 'withoutResource'
  | 'editAddress'
  | 'port'
  | 'storage'
  | 'logs'
  | 'signIn'
  | 'grant'
  | 'remove'
  | 'settings';

const remedies: Readonly<Partial<Record<ErrorCode, readonly ErrorAction[]>>> = {
  URL_INVALID: ['editAddress'],
  URL_USERINFO: ['editAddress'],
  URL_FRAGMENT: ['editAddress'],
  URL_TOO_LONG: ['editAddress'],
  URL_PORT: ['editAddress'],
  HOST_CONFUSABLE: ['editAddress'],
  DNS_FAIL: ['retry', 'editAddress'],
  DNS_REBIND: ['editAddress'],
  RESOURCE_MISMATCH: ['editAddress'],
  CONTENT_TYPE: ['editAddress', 'retry'],
  PRM_MISSING: ['legacy', 'apiKey', 'settings'],
  ASM_MISSING: ['legacy', 'apiKey', 'settings'],
  ASM_UNAVAILABLE: ['retry'],
  PKCE_UNSUPPORTED: ['pkceWhenListed'],
  AS_ERROR: ['retry', 'withoutResource'],
  TOKEN_ERROR: ['retry', 'withoutResource'],
  USER_DENIED: ['retry'],
  USER_CANCELLED: ['retry'],
  STATE_EXPIRED: ['retry'],
  FLOW_SUPERSEDED: ['retry'],
  CALLBACK_INVALID: ['retry'],
  ISS_MISSING: ['retry'],
  TICKET_INVALID: ['retry'],
  TOKEN_RATE_LIMITED: ['retry'],
  TOKEN_SERVER_ERROR: ['retry'],
  PORT_UNAVAILABLE: ['retry', 'port'],
  SIGN_IN_REQUIRED: ['signIn'],
  SCOPE_REQUIRED: ['grant'],
  TOKEN_REJECTED: ['signIn', 'remove'],
  REFRESH_REVOKED: ['signIn'],
  REFRESH_UNCERTAIN: ['retry', 'signIn'],
  REFRESH_ISSUER_CHANGED: ['signIn'],
  ADDRESS_CHANGED: ['signIn', 'remove'],
  API_KEY_REFUSED: ['remove'],
  API_KEY_MISSING: ['remove'],
  API_KEY_ADDRESS_CHANGED: ['remove'],
  API_KEY_INVALID: ['editAddress'],
  KC_UNAVAILABLE: ['storage'],
  KC_LOCKED: ['retry', 'storage'],
  KC_DENIED: ['retry', 'storage'],
  KC_TIMEOUT: ['retry', 'storage'],
  KC_TOO_LARGE: ['storage', 'logs'],
  KC_CORRUPT: ['signIn', 'storage'],
  KC_WRITE_UNVERIFIED: ['storage', 'retry'],
  CFG_CORRUPT: ['storage'],
  CFG_NEWER: ['storage'],
  CFG_DISK_FULL: ['retry', 'storage'],
  CFG_READONLY: ['storage', 'retry'],
  CFG_CONFLICT: ['retry'],
  INTERNAL: ['retry', 'logs'],
};

/** The ways out of an error, best first. There is always at least one. */
export function listErrorActions({ code, remedy }: Pick<PlainError, 'code' | 'remedy'>): readonly ErrorAction[] {
  switch (remedy) {
    case 'local':
      return ['local', 'editAddress'];
    case 'allow-host':
      return ['allowHost', 'editAddress'];
    case 'allow-http':
      return ['allowHttp', 'editAddress'];
    case 'https':
    case 'none':
      return ['editAddress'];
    case undefined:
      return remedies[code] ?? ['retry', 'editAddress'];
  }
}
