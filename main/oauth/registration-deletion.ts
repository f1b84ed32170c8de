import type { ErrorCode } from '../../shared/error-codes.ts';
import type { AddressPolicy } from '../address/address-policy.ts';
import { checkAddress, checkDowngrade } from '../address/check-address.ts';
import { parseAddress } from '../address/parse-address.ts';
import { sameRegistrableDomain } from '../address/registrable-domain.ts';
import { bodyLimit, deadline } from '../limits.ts';
import { PosternError } from '../postern-error.ts';
import type { Http } from '../ports.ts';
import type { ClientRegistration } from './client-registration.ts';

/** `unsupported`: the server gave no means, or does not accept its own. */
export type RegistrationDeletionOutcome =
  { readonly outcome: 'deleted' | 'unsupported' } | { readonly outcome: 'failed'; readonly code: ErrorCode };

/**
 * Deletes our registration at its authorization server (RFC 7592 section 2.3). Best effort, never throws.
 * The configuration address is the server's own claim, so it must belong to the owner of the issuer.
 */
export async function deleteRegistration(
  http: Http,
  registration: ClientRegistration,
  { policy, signal }: { readonly policy: AddressPolicy; readonly signal?: AbortSignal | undefined },
): Promise<RegistrationDeletionOutcome> {
  const { registrationClientUri, registrationAccessToken, credentials } = registration;
  if (registrationClientUri === undefined || registrationAccessToken === undefined) return { outcome: 'unsupported' };
  try {
    const url = parseAddress(registrationClientUri, 'connection');
    const issuer = parseAddress(credentials.issuer, 'connection');
    if (!sameRegistrableDomain(issuer.hostname, url.hostname)) return { outcome: 'failed', code: 'HOST_BLOCKED' };
    checkDowngrade(issuer, url, 'connection');
    checkAddress(url, policy, 'connection');
    const { status } = await http.exchange({
      purpose: 'registration-deletion',
      stage: 'connection',
      method: 'DELETE',
      url: url.href,
      headers: { authorization: `Bearer ${registrationAccessToken.reveal()}` },
      policy,
      redirects: 'none',
      deadline: deadline.revocation,
      bodyLimit: bodyLimit.registration,
      signal,
    });
    return judgeStatus(status);
  } catch (error) {
    return { outcome: 'failed', code: error instanceof PosternError ? error.code : 'INTERNAL' };
  }
}

/** RFC 7592 section 2.3: 204 is success, 403 and 405 say that the server does not let clients do this. */
function judgeStatus(status: number): RegistrationDeletionOutcome {
  if (status >= 200 && status <= 299) return { outcome: 'deleted' };
  if (status === 403 || status === 405 || status === 501) return { outcome: 'unsupported' };
  return { outcome: 'failed', code: status >= 500 || status === 429 ? 'REG_UNAVAILABLE' : 'DCR_REJECTED' };
}
