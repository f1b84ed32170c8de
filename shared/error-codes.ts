import { addressErrors } from './error-catalogue/address-errors.ts';
import { appErrors } from './error-catalogue/app-errors.ts';
import { callErrors, localErrors } from './error-catalogue/call-errors.ts';
import { advise, waitAsTold } from './error-catalogue/catalogue-entry.ts';
import type { CatalogueEntry, DetailOf } from './error-catalogue/catalogue-entry.ts';
import { apiKeyErrors, connectionErrors, registryErrors } from './error-catalogue/connection-errors.ts';
import { discoveryErrors } from './error-catalogue/discovery-errors.ts';
import { checkConnection, networkErrors, tellOwner } from './error-catalogue/network-errors.ts';
import { gatewayErrors, programErrors } from './error-catalogue/program-errors.ts';
import { assertionErrors, identityErrors, signInErrors, tokenErrors } from './error-catalogue/sign-in-errors.ts';
import { keyringErrors, storageErrors } from './error-catalogue/storage-errors.ts';
import type { CatalogueDetail } from './error-detail.ts';
import { checksInput } from './error-facts.ts';
import type { Blame, ErrorFact } from './error-facts.ts';
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

/** One of ours, and not a number or a word of a server. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCatalogue, code);

/** Where in the work it stopped, so that a person can see "it stopped in discovery, therefore no popup". */
// prettier-ignore
export const stages = [
  'address', 'probe', 'discovery', 'registration', 'credentials', 'authorization', 'callback', 'token',
  'install', 'connection', 'refresh', 'gateway', 'local', 'storage', 'settings', 'programs', 'app',
] as const;

export type Stage = (typeof stages)[number];

/** What a server said in a JSON-RPC error, cleaned and cut: and not our words. */
export interface ServerWords {
  /** Absent: none was sent. */
  readonly code?: number | undefined;
  /** Empty: none was sent. */
  readonly message: string;
}

/** Them in a sentence: the message in quotation marks, and the code. Empty where the server said nothing. */
export function quoteServerWords({ code, message }: ServerWords): string {
  if (message === '') return code === undefined ? '' : `code ${code}`;
  return code === undefined ? `“${message}”` : `“${message}” (code ${code})`;
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

/** What helps after any other mistake than the user's, where nothing better is known. */
const stepsOf: Readonly<Record<Exclude<Blame, 'input'>, Remedy>> = {
  document: tellOwner,
  answer: tellOwner,
  network: checkConnection,
  computer: advise('report', 'tryAgainOrReport'),
  command: { kind: 'see-output' },
  nobody: waitAsTold(),
};

/** What helps, by whose mistake it is. `given`: what the maker of the error knows better than the catalogue. */
export function remedyFor(code: ErrorCode, blame: Blame, given?: Remedy): Remedy {
  const { remedy, otherwise, blame: usual }: CatalogueEntry = errorCatalogue[code];
  const isUsual = (blame === 'input') === (usual === 'input');
  const known = [given, ...(isUsual ? [remedy, otherwise] : [otherwise, remedy])];
  if (blame === 'input') return known.find((step) => step !== undefined) ?? remedy;
  return known.find((step) => step !== undefined && !checksInput(step)) ?? stepsOf[blame];
}

/**
 * The sentence with its gaps filled from `detail`, and what was probably meant by a name that is not there; what a person can do and whether to try again, as far as the code
 * and whose mistake it is tell.
 */
export function describeError(
  code: ErrorCode,
  detail: CatalogueDetail,
  blame: Blame = errorCatalogue[code].blame,
): { message: string; blame: Blame; about?: readonly ErrorFact[]; remedy: Remedy; retryable: boolean } {
  const { message, retryable, about }: CatalogueEntry = errorCatalogue[code];
  const sentence = typeof message === 'function' ? message(detail) : message;
  return {
    message: detail.meant === undefined ? sentence : `${sentence} Did you mean “${detail.meant}”?`,
    blame,
    ...(about && { about }),
    remedy: remedyFor(code, blame),
    retryable,
  };
}
