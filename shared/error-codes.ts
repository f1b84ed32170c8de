import type { CatalogueDetail } from './error-catalogue/catalogue-entry.ts';
import type { Remedy } from './remedy.ts';

/** The text is no address that anybody could mean, rather than one that must not be contacted. */
// prettier-ignore
export const addressFormCodes = [
  'URL_INVALID', 'URL_SCHEME', 'URL_USERINFO', 'URL_FRAGMENT', 'URL_TOO_LONG', 'URL_PORT', 'URL_COMMAND',
] as const;

/** The keychain, and what is sealed with its key. */
// prettier-ignore
export const keychainCodes = [
  'KC_UNAVAILABLE', 'KC_LOCKED', 'KC_DENIED', 'KC_TIMEOUT', 'KC_TOO_LARGE', 'KC_CORRUPT', 'KC_WRITE_UNVERIFIED',
  'KEYRING_WRONG_KEY', 'KEYRING_UNREADABLE', 'KEY_FILE_UNSAFE', 'KEY_FILE_MISSING',
] as const;

/** The profile folder and its files: the same for every server in it. */
// prettier-ignore
export const profileCodes = [
  'CFG_CORRUPT', 'CFG_PART_UNREAD', 'CFG_NO_COPY', 'CFG_LINK', 'CFG_SHARED', 'CFG_NEWER', 'CFG_DISK_FULL', 'CFG_READONLY', 'CFG_CONFLICT',
] as const;

/** A server on this computer that is not to be started, or does not do what it should. */
// prettier-ignore
export const localCodes = [
  'LOCAL_CONSENT', 'LOCAL_NOT_FOUND', 'LOCAL_EXITED', 'LOCAL_SILENT', 'LOCAL_NOISE', 'LOCAL_INVALID', 'LOCAL_STOPPED',
] as const;

/** What a program is told in a server's place: of the program, of Postern or of what the person has allowed. */
// prettier-ignore
export const gatewayCodes = [
  'GATEWAY_HELD', 'GATEWAY_PORT', 'GATEWAY_BUSY', 'GATEWAY_PAUSED', 'PROGRAM_PAUSED', 'PROGRAM_UNKNOWN', 'PROGRAM_REVOKED', 'PROGRAM_SECRET_LOST',
  'ERA_UNSUPPORTED', 'SERVER_OFFLINE', 'SESSION_LOST', 'PIPE_OUTDATED',
  'TOOL_DENIED', 'TOOL_CHANGED', 'OFFER_DENIED', 'MEMBER_GONE', 'APPROVAL_REFUSED', 'APPROVAL_TIMEOUT', 'APPROVAL_IMPOSSIBLE',
] as const;

/** One program and its file: another program may fare better. */
// prettier-ignore
export const programFileCodes = [
  'PROGRAM_NOT_FOUND', 'PROGRAM_NAME_TAKEN', 'PROGRAM_FILE_DENIED', 'PROGRAM_FILE_DAMAGED', 'PROGRAM_FILE_LAYOUT',
  'PROGRAM_FILE_CHANGED', 'PROGRAM_COMMAND_FAILED',
] as const;

/** Every way Postern can fail, as a closed list. `error-catalogue.ts` has the words for each. */
// prettier-ignore
export const errorCodes = [
  // address
  ...addressFormCodes, 'URL_DOWNGRADE',
  'HOST_BLOCKED', 'HOST_CONFUSABLE', 'HOST_NOT_AGREED',
  // network
  'DNS_FAIL', 'DNS_REBIND', 'TLS_FAIL', 'CONNECT_FAIL', 'PROXY_FAIL', 'DEADLINE', 'REDIRECT_REFUSED', 'REDIRECT_LOOP',
  'HEADERS_TOO_LARGE', 'BODY_TOO_LARGE', 'BODY_ENCODING', 'CONTENT_TYPE',
  // documents
  'JSON_INVALID', 'JSON_DEPTH', 'JSON_DUPLICATE_KEY', 'SCHEMA_INVALID',
  // discovery
  'PRM_MISSING', 'ASM_MISSING', 'ASM_UNAVAILABLE', 'RESOURCE_MISMATCH', 'ISSUER_MISMATCH', 'PKCE_UNSUPPORTED',
  'DEMAND_UNMET',
  // registration and client credentials
  'DCR_UNSUPPORTED', 'DCR_REJECTED', 'DCR_RESPONSE_INVALID', 'DCR_REDIRECT_CHANGED', 'DCR_SECRET_EXPIRED',
  'REG_UNAVAILABLE', 'REG_ISSUER_MISMATCH', 'CREDENTIALS_REQUIRED', 'CLIENT_REJECTED',
  'CLIENT_DOCUMENT_REFUSED', 'CLIENT_KEY_INVALID',
  // authorization and callback
  'STATE_UNKNOWN', 'STATE_REUSED', 'STATE_EXPIRED', 'LINK_REUSED', 'CALLBACK_INVALID', 'ISS_MISMATCH', 'ISS_MISSING',
  'USER_DENIED', 'USER_CANCELLED', 'AS_ERROR', 'FLOW_SUPERSEDED', 'TICKET_INVALID', 'PORT_UNAVAILABLE',
  'BROWSER_OPEN_FAILED', 'DEVICE_UNSUPPORTED', 'DEVICE_RESPONSE_INVALID',
  // token
  'TOKEN_RESPONSE_INVALID', 'TOKEN_CHARSET', 'TOKEN_TYPE', 'TOKEN_ERROR', 'TOKEN_RATE_LIMITED',
  'TOKEN_SERVER_ERROR', 'TOKEN_ENDPOINT_INSECURE', 'PROOF_REFUSED', 'SCOPE_REDUCED', 'ASSERTION_INVALID',
  'IDENTITY_REFUSED', 'IDENTITY_INVALID', 'PROVIDER_SIGN_IN', 'PROVIDER_ONLY',
  // connection and refresh
  'SIGN_IN_REQUIRED', 'NO_SIGN_IN', 'SCOPE_REQUIRED', 'TOKEN_REJECTED', 'MCP_FAILED', 'SESSION_ENDED', 'OLD_TRANSPORT',
  'ENDPOINT_REFUSED', 'SERVER_ERROR', 'METHOD_UNSUPPORTED', 'INPUT_REFUSED', 'TOOL_NOT_FOUND', 'RESOURCE_NOT_FOUND',
  'PROMPT_NOT_FOUND', 'TOOL_FAILED', 'RESULT_TOO_LARGE', 'CALL_INTERRUPTED', 'CALL_TIMED_OUT',
  'TASK_CANCELLED', 'NO_SUBSCRIPTIONS',
  'REFRESH_TRANSIENT', 'REFRESH_REFUSED', 'REFRESH_REVOKED', 'REFRESH_ISSUER_CHANGED',
  'ADDRESS_CHANGED',
  // API keys
  'API_KEY_REFUSED', 'API_KEY_MISSING', 'API_KEY_ADDRESS_CHANGED', 'API_KEY_INSTEAD', 'API_KEY_INVALID',
  // storage
  ...keychainCodes,
  ...profileCodes,
  // programs that use servers through Postern
  ...gatewayCodes,
  // servers on this computer
  ...localCodes,
  // files of programs
  ...programFileCodes, 'UNDO_STALE', 'APP_TRANSLOCATED',
  // the MCP registry
  'REGISTRY_OFF', 'REGISTRY_BUSY', 'REGISTRY_UNUSABLE',
  // app
  'IPC_SENDER', 'IPC_SCHEMA', 'NAV_BLOCKED', 'UPD_SIGNATURE', 'UPD_DOWNGRADE', 'UPD_FAILED',
  'CLOCK_WRONG', 'NOT_FOUND', 'NAME_TAKEN', 'LIST_UNREADABLE', 'SIDE_BAR_FULL', 'COLLECTIONS_FULL', 'OUTPUT_FAILED', 'USAGE', 'INTERNAL',
] as const;

/** One of ours, and not a number or a word of a server. */
export const isErrorCode = (code: string): code is ErrorCode => errorCodes.some((each) => each === code);

export type ErrorCode = (typeof errorCodes)[number];

/** Nobody answered. */
export const unansweredCodes = [
  'DNS_FAIL',
  'CONNECT_FAIL',
  'DEADLINE',
  'TLS_FAIL',
  'PROXY_FAIL',
] as const satisfies readonly ErrorCode[];

/** What may pass by itself, and leaves a server what it was: nobody answered, or a renewal failed. */
export const passingCodes = [
  ...unansweredCodes,
  'REFRESH_TRANSIENT',
  'CONTENT_TYPE',
] as const satisfies readonly ErrorCode[];

/** A server that refuses an access token which it may take again: its tokens are kept. */
export const refusedSignIn = ['TOKEN_REJECTED', 'SIGN_IN_REQUIRED'] as const satisfies readonly ErrorCode[];

/** What one operation met, and the next may not: it says nothing of the server. */
// prettier-ignore
export const operationCodes = [
  'METHOD_UNSUPPORTED', 'INPUT_REFUSED', 'TOOL_NOT_FOUND', 'RESOURCE_NOT_FOUND', 'PROMPT_NOT_FOUND', 'TOOL_FAILED',
  'RESULT_TOO_LARGE', 'CALL_INTERRUPTED', 'CALL_TIMED_OUT', 'TASK_CANCELLED', 'NO_SUBSCRIPTIONS', ...gatewayCodes, 'USER_CANCELLED', 'NOT_FOUND', 'INTERNAL',
] as const satisfies readonly ErrorCode[];

/** Whether an error is one of `codes`. */
export function isOneOf(codes: readonly ErrorCode[], { code }: { readonly code: ErrorCode }): boolean {
  return codes.includes(code);
}

/** Where in the work it stopped, so that a person can see "it stopped in discovery, therefore no popup". */
// prettier-ignore
export const stages = [
  'address', 'probe', 'discovery', 'registration', 'credentials', 'authorization', 'callback', 'token',
  'install', 'connection', 'refresh', 'gateway', 'local', 'storage', 'settings', 'programs', 'app',
] as const;

export type Stage = (typeof stages)[number];

/**
 * Whose mistake an error is. Only `input` may be answered with advice to check what was typed.
 * - `input`: what the user typed, pasted or chose.
 * - `document`: what a service publishes about itself, addresses in it included.
 * - `answer`: what a service answered, or that it gave no answer.
 * - `network`: what is between here and a service.
 * - `computer`: this computer, its files, keychain and apps, Postern among them.
 * - `command`: a server on this computer.
 * - `nobody`: a decision of the user, or what ends by itself.
 */
export const blames = ['input', 'document', 'answer', 'network', 'computer', 'command', 'nobody'] as const;

export type Blame = (typeof blames)[number];

/** What a server said in a JSON-RPC error: its code, and its message, cleaned and cut. Not our words. */
export interface ServerWords {
  readonly code: number;
  readonly message: string;
}

/** An error as it crosses a process border or is shown: plain data, our own words only. */
export interface PlainError {
  readonly code: ErrorCode;
  /** The specific code when `code` is an outer one (`DCR_UNSUPPORTED` caused by `DEADLINE`). */
  readonly cause?: ErrorCode | undefined;
  readonly stage: Stage;
  readonly blame: Blame;
  /** In English. */
  readonly message: string;
  /** What fills the gaps of that sentence, for a window that speaks another language. Never a secret. */
  readonly detail?: CatalogueDetail | undefined;
  /** What a person can do, for whoever shows it to say in words that fit there. */
  readonly remedy: Remedy;
  readonly retryable: boolean;
  /** To be shown beside our words, and marked as the server's. */
  readonly serverWords?: ServerWords | undefined;
  /** Milliseconds since 1970 before which trying again is of no use. */
  readonly retryAt?: number | undefined;
}
