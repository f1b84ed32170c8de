import { addressErrors } from './error-catalogue/address-errors.ts';
import { apiKeyErrors } from './error-catalogue/api-key-errors.ts';
import { appErrors } from './error-catalogue/app-errors.ts';
import { assertionErrors } from './error-catalogue/assertion-errors.ts';
import { callErrors } from './error-catalogue/call-errors.ts';
import { advise, waitAsTold } from './error-catalogue/catalogue-entry.ts';
import type { CatalogueDetail, CatalogueEntry } from './error-catalogue/catalogue-entry.ts';
import { connectionErrors } from './error-catalogue/connection-errors.ts';
import { discoveryErrors } from './error-catalogue/discovery-errors.ts';
import { gatewayErrors } from './error-catalogue/gateway-errors.ts';
import { identityErrors } from './error-catalogue/identity-errors.ts';
import { localErrors } from './error-catalogue/local-errors.ts';
import { keyringErrors } from './error-catalogue/keyring-errors.ts';
import { checkConnection, networkErrors, tellOwner } from './error-catalogue/network-errors.ts';
import { programErrors } from './error-catalogue/program-errors.ts';
import { registryErrors } from './error-catalogue/registry-errors.ts';
import { signInErrors } from './error-catalogue/sign-in-errors.ts';
import { storageErrors } from './error-catalogue/storage-errors.ts';
import { tokenErrors } from './error-catalogue/token-errors.ts';
import { checksInput, usualBlame } from './blame.ts';
import type { Blame, ErrorCode } from './error-codes.ts';
import type { Remedy } from './remedy.ts';

/**
 * Our own words for every error, for a person who never heard of OAuth. Nothing that a server said is ever in them,
 * except the name of a host, and of a scope.
 */
export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = {
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
  ...gatewayErrors,
  ...localErrors,
  ...storageErrors,
  ...keyringErrors,
  ...programErrors,
  ...registryErrors,
  ...appErrors,
};

/** What helps after any other mistake than the user's, where nothing better is known. */
const stepsOf: Readonly<Record<Exclude<Blame, 'input'>, Remedy>> = {
  document: tellOwner,
  answer: tellOwner,
  network: checkConnection,
  computer: advise(
    'report',
    'Try again. If it happens again, report it with the last lines of the log in the logs folder.',
  ),
  command: { kind: 'see-output' },
  nobody: waitAsTold(),
};

/** What helps, by whose mistake it is. `given`: what the maker of the error knows better than the catalogue. */
export function remedyFor(code: ErrorCode, blame: Blame, given?: Remedy): Remedy {
  const { remedy, otherwise } = errorCatalogue[code];
  const isUsual = (blame === 'input') === (usualBlame(code) === 'input');
  const known = [given, ...(isUsual ? [remedy, otherwise] : [otherwise, remedy])];
  if (blame === 'input') return known.find((step) => step !== undefined) ?? remedy;
  return known.find((step) => step !== undefined && !checksInput(step)) ?? stepsOf[blame];
}

/**
 * The sentence with its gaps filled from `detail`; what a person can do and whether to try again, as far as the code
 * and whose mistake it is tell.
 */
export function describeError(
  code: ErrorCode,
  detail: CatalogueDetail,
  blame: Blame = usualBlame(code),
): { message: string; blame: Blame; remedy: Remedy; retryable: boolean } {
  const { message, retryable } = errorCatalogue[code];
  return {
    message: typeof message === 'function' ? message(detail) : message,
    blame,
    remedy: remedyFor(code, blame),
    retryable,
  };
}
