import { addressErrors } from './error-catalogue/address-errors.ts';
import { apiKeyErrors } from './error-catalogue/api-key-errors.ts';
import { appErrors } from './error-catalogue/app-errors.ts';
import { assertionErrors } from './error-catalogue/assertion-errors.ts';
import { callErrors } from './error-catalogue/call-errors.ts';
import type { CatalogueDetail, CatalogueEntry } from './error-catalogue/catalogue-entry.ts';
import { connectionErrors } from './error-catalogue/connection-errors.ts';
import { discoveryErrors } from './error-catalogue/discovery-errors.ts';
import { gatewayErrors } from './error-catalogue/gateway-errors.ts';
import { identityErrors } from './error-catalogue/identity-errors.ts';
import { localErrors } from './error-catalogue/local-errors.ts';
import { keyringErrors } from './error-catalogue/keyring-errors.ts';
import { networkErrors } from './error-catalogue/network-errors.ts';
import { programErrors } from './error-catalogue/program-errors.ts';
import { registryErrors } from './error-catalogue/registry-errors.ts';
import { signInErrors } from './error-catalogue/sign-in-errors.ts';
import { storageErrors } from './error-catalogue/storage-errors.ts';
import { tokenErrors } from './error-catalogue/token-errors.ts';
import type { ErrorCode } from './error-codes.ts';
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

/**
 * The sentence with its gaps filled from `detail`; what a person can do and whether to try again, as far as the code
 * tells.
 */
export function describeError(
  code: ErrorCode,
  detail: CatalogueDetail,
): { message: string; remedy: Remedy; retryable: boolean } {
  const { message, remedy, retryable } = errorCatalogue[code];
  return { message: typeof message === 'function' ? message(detail) : message, remedy, retryable };
}
