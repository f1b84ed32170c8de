import { addressErrors } from './error-catalog/address-errors.ts';
import { posternErrors } from './error-catalog/postern-errors.ts';
import { callErrors, localErrors } from './error-catalog/call-errors.ts';
import { advise, waitRetryAfter } from './error-catalog/catalog-entry.ts';
import type { CatalogEntry, DetailOf } from './error-catalog/catalog-entry.ts';
import { apiKeyErrors, connectionErrors, registryErrors } from './error-catalog/connection-errors.ts';
import { discoveryErrors } from './error-catalog/discovery-errors.ts';
import { checkConnection, networkErrors, contactOwner } from './error-catalog/network-errors.ts';
import { gatewayErrors, appErrors } from './error-catalog/app-errors.ts';
import { assertionErrors, identityErrors, signInErrors, tokenErrors } from './error-catalog/sign-in-errors.ts';
import { keyringErrors, storageErrors } from './error-catalog/storage-errors.ts';
import type { CatalogDetail } from './error-detail.ts';
import { checksInput } from './error-traits.ts';
import type { Blame, ErrorTrait } from './error-traits.ts';
import type { Remedy } from './remedy.ts';

/**
 * Every error of Postern, as a closed list: its message, whose mistake it usually is, and the remedy, in our own words
 * for users who have never heard of OAuth. They never contain server text, except names of hosts and scopes.
 */
export const errorCatalog = {
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
  ...appErrors,
  ...registryErrors,
  ...posternErrors,
};

export type ErrorCode = keyof typeof errorCatalog;

/** The facts in the message of `Code`, and when to try again; any may be unknown. */
export type Details<Code extends ErrorCode> = DetailOf<(typeof errorCatalog)[Code]> & Pick<CatalogDetail, 'retryAt'>;

export const errorCodes = Object.keys(errorCatalog) as [ErrorCode, ...ErrorCode[]];

/** True for Postern's own codes, not for a server's. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalog, code);

/** Where it stopped, so that users can tell why, for example, no sign-in page opened. */
// prettier-ignore
export const stages = [
  'address', 'probe', 'discovery', 'registration', 'credentials', 'authorization', 'callback', 'token',
  'install', 'connection', 'refresh', 'gateway', 'local', 'storage', 'settings', 'apps', 'postern',
] as const;

export type Stage = (typeof stages)[number];

/** The server's own text in a JSON-RPC error, sanitized and truncated. */
export interface ServerWords {
  /** Absent if none was sent. */
  readonly code?: number | undefined;
  /** Empty if none was sent. */
  readonly message: string;
}

/** Formats the server's words: the quoted message and the code. Empty if the server sent neither. */
export function quoteServerWords({ code, message }: ServerWords): string {
  if (message === '') return code === undefined ? '' : `code ${code}`;
  return code === undefined ? `“${message}”` : `“${message}” (code ${code})`;
}

/** An error that crosses a process boundary or is shown: plain data, our own words only. */
export interface PlainError {
  readonly code: ErrorCode;
  /** The specific code when `code` is an outer one (`DCR_UNSUPPORTED` caused by `DEADLINE`). */
  readonly cause?: ErrorCode | undefined;
  readonly stage: Stage;
  readonly blame: Blame;
  readonly traits?: readonly ErrorTrait[] | undefined;
  /** In English. */
  readonly message: string;
  /** The facts in that message, for a window in another language. Never a secret. */
  readonly detail?: CatalogDetail | undefined;
  /** What the user can do; each surface words it itself. */
  readonly remedy: Remedy;
  readonly retryable: boolean;
  /** Shown next to our message, marked as the server's. */
  readonly serverWords?: ServerWords | undefined;
  /** Retrying before this is useless. Milliseconds since 1970. */
  readonly retryAt?: number | undefined;
}

/** Fallback remedies when the user is not to blame. */
const fallbackRemedies: Readonly<Record<Exclude<Blame, 'input'>, Remedy>> = {
  document: contactOwner,
  answer: contactOwner,
  network: checkConnection,
  computer: advise('report', 'tryAgainOrReport'),
  command: { kind: 'see-output' },
  nobody: waitRetryAfter(),
};

/** The remedy, depending on whose mistake it is. `specific`: preferred to the catalog's. */
export function remedyFor(code: ErrorCode, blame: Blame, specific?: Remedy): Remedy {
  const { remedy, otherwise, blame: usual }: CatalogEntry = errorCatalog[code];
  const isUsual = (blame === 'input') === (usual === 'input');
  const candidates = [specific, ...(isUsual ? [remedy, otherwise] : [otherwise, remedy])];
  if (blame === 'input') return candidates.find((step) => step !== undefined) ?? remedy;
  return candidates.find((step) => step !== undefined && !checksInput(step)) ?? fallbackRemedies[blame];
}

/**
 * The message with the facts of `detail` and the suggested name, and the remedy and retryability that follow from the
 * code and the blame.
 */
export function describeError(
  code: ErrorCode,
  detail: CatalogDetail,
  blame: Blame = errorCatalog[code].blame,
): { message: string; blame: Blame; traits?: readonly ErrorTrait[]; remedy: Remedy; retryable: boolean } {
  const { message, retryable, traits }: CatalogEntry = errorCatalog[code];
  const sentence = typeof message === 'function' ? message(detail) : message;
  return {
    message: detail.meant === undefined ? sentence : `${sentence} Did you mean “${detail.meant}”?`,
    blame,
    ...(traits && { traits }),
    remedy: remedyFor(code, blame),
    retryable,
  };
}
