import type { AddressPolicy } from '../../address/address-policy.ts';
import { checkAddress, checkDowngrade } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { parseAddress } from '../../address/parse-address.ts';
import { sameRegistrableDomain } from '../../address/registrable-domain.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import type { Http } from '../../ports.ts';
import { addressOfKey, isUnderException } from '../../issuer-key.ts';
import type { ClientRegistration } from './registration-response.ts';

/** `not-offered`: the server gave no means, or none that may be used. `refused`: it does not let clients do this. */
export type RegistrationDeletionOutcome = 'deleted' | 'nothing-to-delete' | 'not-offered' | 'refused' | 'failed';

export interface RegistrationDeletion {
  readonly registration: ClientRegistration;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Deletes our registration at its authorization server (RFC 7592 section 2.3). Best effort, never throws.
 * The configuration address is only what the server says, so it must belong to the owner of the issuer.
 */
export async function deleteRegistration(
  http: Http,
  { registration, policy, signal }: RegistrationDeletion,
): Promise<RegistrationDeletionOutcome> {
  const { registrationClientUri, registrationAccessToken, credentials } = registration;
  if (registrationClientUri === undefined || registrationAccessToken === undefined) return 'not-offered';
  let address: CheckedAddress;
  try {
    const url = parseAddress(registrationClientUri, 'connection');
    const issuer = parseAddress(addressOfKey(credentials.issuerKey), 'connection');
    const isItsOwn = isUnderException(credentials.issuerKey)
      ? url.hostname === issuer.hostname
      : sameRegistrableDomain(issuer.hostname, url.hostname);
    if (!isItsOwn) return 'not-offered';
    checkDowngrade(issuer, url, 'connection');
    address = checkAddress(url, policy, 'connection');
  } catch {
    return 'not-offered';
  }
  try {
    const { status } = await http.exchange({
      purpose: 'registration-deletion',
      stage: 'connection',
      method: 'DELETE',
      url: address,
      headers: { authorization: `Bearer ${registrationAccessToken.reveal()}` },
      policy,
      redirects: 'none',
      deadline: deadline.revocation,
      bodyLimit: bodyLimit.registration,
      signal,
    });
    return judgeStatus(status);
  } catch {
    return 'failed';
  }
}

/** RFC 7592 section 2.3: 204; 401 when the client or its token is not there any more, 403 and 405 for a refusal. */
function judgeStatus(status: number): RegistrationDeletionOutcome {
  if (status >= 200 && status <= 299) return 'deleted';
  if (status === 401 || status === 404) return 'nothing-to-delete';
  return status === 403 || status === 405 || status === 501 ? 'refused' : 'failed';
}
