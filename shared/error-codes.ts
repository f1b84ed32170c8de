import type { Blame } from './blame.ts';
import { addressErrors } from './error-catalogue/address-errors.ts';
import { appErrors } from './error-catalogue/app-errors.ts';
import { callErrors, localErrors } from './error-catalogue/call-errors.ts';
import type { DetailOf } from './error-catalogue/catalogue-entry.ts';
import type { CatalogueDetail } from './error-detail.ts';
import type { ErrorFact } from './error-facts.ts';
import { apiKeyErrors, connectionErrors, registryErrors } from './error-catalogue/connection-errors.ts';
import { discoveryErrors } from './error-catalogue/discovery-errors.ts';
import { networkErrors } from './error-catalogue/network-errors.ts';
import { gatewayErrors, programErrors } from './error-catalogue/program-errors.ts';
import { assertionErrors, identityErrors, signInErrors, tokenErrors } from './error-catalogue/sign-in-errors.ts';
import { keyringErrors, storageErrors } from './error-catalogue/storage-errors.ts';
import type { Remedy } from './remedy.ts';

/**
 * Every way Postern can fail, as a closed list: what fills its sentence, whose mistake it usually is, what happened and
 * what helps, in our own words, for a person who never heard of OAuth. Nothing that a server said is ever in them,
 * except the name of a host, and of a scope.
 */
export const errorCatalogue = {
  ...addressErrors,
  ...networkErrors,
  ...discoveryErrors,
  ...signInErrors,
  ...tokenErrors,
  ...assertionErrors,
  ...identityErrors,
  ...connectionErrors,
  ...callErrors,
  ...apiKeyErrors,
  ...storageErrors,
  ...keyringErrors,
  ...gatewayErrors,
  ...localErrors,
  ...programErrors,
  ...registryErrors,
  ...appErrors,
};

export type ErrorCode = keyof typeof errorCatalogue;

/** What fills the sentence of `Code`, and when to try again; any of it may be unknown. */
export type Details<Code extends ErrorCode> = DetailOf<(typeof errorCatalogue)[Code]> &
  Pick<CatalogueDetail, 'retryAt'>;

export const errorCodes = Object.keys(errorCatalogue) as [ErrorCode, ...ErrorCode[]];

/** The text is no address that anybody could mean, rather than one that must not be contacted. */
// prettier-ignore
export const addressFormCodes = [
  'URL_INVALID', 'URL_SCHEME', 'URL_USERINFO', 'URL_FRAGMENT', 'URL_TOO_LONG', 'URL_PORT', 'URL_COMMAND',
] as const satisfies readonly ErrorCode[];

/** The keychain, and what is sealed with its key. */
// prettier-ignore
export const keychainCodes = [
  'KC_UNAVAILABLE', 'KC_LOCKED', 'KC_DENIED', 'KC_TIMEOUT', 'KC_TOO_LARGE', 'KC_CORRUPT', 'KC_WRITE_UNVERIFIED',
  'KEYRING_WRONG_KEY', 'KEYRING_UNREADABLE', 'KEY_FILE_UNSAFE', 'KEY_FILE_MISSING',
] as const satisfies readonly ErrorCode[];

/** The profile folder and its files: the same for every server in it. */
// prettier-ignore
export const profileCodes = [
  'CFG_CORRUPT', 'CFG_PART_UNREAD', 'CFG_NO_COPY', 'CFG_LINK', 'CFG_SHARED', 'CFG_NEWER', 'CFG_DISK_FULL', 'CFG_READONLY', 'CFG_CONFLICT',
] as const satisfies readonly ErrorCode[];

/** A server on this computer that is not to be started, or does not do what it should. */
// prettier-ignore
export const localCodes = [
  'LOCAL_CONSENT', 'LOCAL_NOT_FOUND', 'LOCAL_EXITED', 'LOCAL_SILENT', 'LOCAL_NOISE', 'LOCAL_INVALID', 'LOCAL_STOPPED',
] as const satisfies readonly ErrorCode[];

/** What a program is told in a server's place: of the program, of Postern or of what the person has allowed. */
// prettier-ignore
export const gatewayCodes = [
  'GATEWAY_HELD', 'GATEWAY_PORT', 'GATEWAY_BUSY', 'GATEWAY_PAUSED', 'PROGRAM_PAUSED', 'PROGRAM_UNKNOWN', 'PROGRAM_REVOKED', 'PROGRAM_SECRET_LOST',
  'ERA_UNSUPPORTED', 'SERVER_OFFLINE', 'SESSION_LOST', 'PIPE_OUTDATED',
  'TOOL_DENIED', 'TOOL_CHANGED', 'OFFER_DENIED', 'MEMBER_GONE', 'APPROVAL_REFUSED', 'APPROVAL_TIMEOUT', 'APPROVAL_IMPOSSIBLE',
] as const satisfies readonly ErrorCode[];

/** One program and its file: another program may fare better. */
// prettier-ignore
export const programFileCodes = [
  'PROGRAM_NOT_FOUND', 'PROGRAM_NAME_TAKEN', 'PROGRAM_FILE_DENIED', 'PROGRAM_FILE_DAMAGED', 'PROGRAM_FILE_LAYOUT',
  'PROGRAM_FILE_CHANGED', 'PROGRAM_COMMAND_FAILED',
] as const satisfies readonly ErrorCode[];

/** One of ours, and not a number or a word of a server. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);

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
  readonly about?: readonly ErrorFact[] | undefined;
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
