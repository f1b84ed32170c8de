import type { IssuerKey } from '../../../shared/issuer-key.ts';
import type { Stage } from '../../../shared/error-codes.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { checkAddress, checkPublishedAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { parseAddress, UnencryptedAddress } from '../../address/parse-address.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { exchangeProven } from '../wire/proven-exchange.ts';
import type { ProvenOptions } from '../wire/proven-exchange.ts';
import type { ProofKey } from '../wire/proof-key.ts';

export interface TokenEndpoint {
  readonly tokenEndpoint: string;
  readonly issuerKey: IssuerKey;
  readonly policy: AddressPolicy;
  /** What the request shows that the access is, or is to be, bound to. */
  readonly key: ProofKey | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One request at a token endpoint, whatever it asks for: `request` makes it for the address that was checked.
 * Errors: those of `checkTokenEndpoint` and `exchangeProven`.
 */
export async function exchangeAtTokenEndpoint(
  ports: { readonly http: Http; readonly clock: Clock },
  { tokenEndpoint, issuerKey, policy, key, signal }: TokenEndpoint,
  stage: 'token' | 'refresh',
  request: (endpoint: CheckedAddress, options: ProvenOptions) => Promise<unknown>,
): Promise<HttpResponse> {
  const endpoint = checkTokenEndpoint(tokenEndpoint, issuerKey, policy, stage);
  const limits = { deadline: deadline.token, bodyLimit: bodyLimit.token };
  return await exchangeProven(ports, endpoint, { purpose: stage, stage, policy, ...limits, signal, key }, (options) =>
    request(endpoint, options),
  );
}

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
    const publisher = URL.parse(issuerKey);
    if (publisher === null) return checkAddress(parseAddress(endpoint, stage), policy, stage);
    return checkPublishedAddress(endpoint, { member: 'token_endpoint', publisher }, policy, stage);
  } catch (error) {
    if (!(error instanceof UnencryptedAddress)) throw error;
    throw new PosternError('TOKEN_ENDPOINT_INSECURE', { stage, cause: error, detail: error.detail });
  }
}
