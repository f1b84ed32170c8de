import type { IssuerKey } from '../../../shared/issuer-key.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { checkAddress, checkDowngrade } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { parseAddress, UnencryptedAddress } from '../../address/parse-address.ts';
import { PosternError } from '../../postern-error.ts';

/**
 * Checks an address that is about to receive a code, token or secret at the moment of use: it may have been stored, and
 * the policy may have changed since discovery.
 * Errors: TOKEN_ENDPOINT_INSECURE when it is not encrypted and not allowed to be, HOST_BLOCKED, URL_*.
 */
export function checkTokenEndpoint(
  endpoint: string,
  issuerKey: IssuerKey,
  policy: AddressPolicy,
  stage: Stage,
): CheckedAddress {
  try {
    const url = parseAddress(endpoint, stage);
    const from = URL.parse(issuerKey);
    if (from !== null) checkDowngrade(from, url, stage);
    return checkAddress(url, policy, stage);
  } catch (error) {
    if (!(error instanceof UnencryptedAddress)) throw error;
    throw new PosternError('TOKEN_ENDPOINT_INSECURE', { stage, cause: error, detail: error.detail });
  }
}
