import { checkAddress, checkDowngrade } from '../../address/check-address.ts';
import { isSuccess } from '../http/send-request.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { sameRegistrableDomain } from '../../address/domain-owner.ts';
import { parseAddress } from '../../address/parse-address.ts';
import { isExpectedError } from '../../errors/postern-error.ts';
import { addressOfKey, isSubdomainException } from '../../issuer-key.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import type { Clock, Http } from '../../ports.ts';
import { describeClient } from './registration-request.ts';
import type { RegistrationRequest } from './registration-request.ts';
import { readRegistrationResponse } from './registration-response.ts';
import type { ClientRegistration } from './registration-response.ts';

/**
 * Updates our registration to match `request` (RFC 7592 section 2.2), so that the service does not accumulate one
 * client per callback address. `undefined` if the service gave no means to, refuses, or responds unusably; the caller
 * then registers again.
 * Errors: USER_CANCELLED.
 */
export async function updateRegistration(
  { http, clock }: { readonly http: Http; readonly clock: Clock },
  registration: ClientRegistration,
  request: RegistrationRequest,
): Promise<ClientRegistration | undefined> {
  const { registrationAccessToken: token, credentials } = registration;
  const url = managementAddress(registration, request);
  if (url === undefined || token === undefined) return undefined;
  const ours = describeClient(request, {}, credentials.clientKey);
  const client = {
    ...(registration.metadata ?? ours),
    client_id: credentials.clientId,
    ...(credentials.clientSecret && { client_secret: credentials.clientSecret.reveal() }),
    redirect_uris: [request.redirectUri],
    grant_types: [...new Set([...grantsOf(registration), ...ours.grant_types])],
  };
  try {
    const response = await http.exchange({
      purpose: 'registration-update',
      stage: 'registration',
      method: 'PUT',
      url,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token.reveal()}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(client),
      policy: request.policy,
      redirects: 'none',
      deadline: deadline.registration,
      bodyLimit: bodyLimit.registration,
      signal: request.signal,
    });
    if (!isSuccess(response.status)) return undefined;
    const updated = await readRegistrationResponse(response, clock, request, credentials.clientKey, registration);
    // Another client would lose the sign-ins of this one.
    if (updated.credentials.clientId !== credentials.clientId) return undefined;
    const forDevices = registration.forDevices === true || request.forDevices === true;
    return {
      ...updated,
      ...(forDevices && { forDevices }),
      notes: [...new Set([...registration.notes, ...updated.notes])],
    };
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    return undefined;
  }
}

/**
 * Registration management address, if it is on the origin of the registration endpoint: the token sent there allows
 * taking over the client.
 */
function managementAddress(
  { registrationClientUri }: ClientRegistration,
  { metadata, policy }: RegistrationRequest,
): CheckedAddress | undefined {
  const { registration_endpoint: endpoint } = metadata;
  if (registrationClientUri === undefined || endpoint === undefined) return undefined;
  try {
    const url = parseAddress(registrationClientUri, 'registration');
    return url.origin === new URL(endpoint).origin ? checkAddress(url, policy, 'registration') : undefined;
  } catch (error) {
    if (!isExpectedError(error)) throw error;
    return undefined;
  }
}

function grantsOf({ metadata }: ClientRegistration): readonly string[] {
  const grants = metadata?.['grant_types'];
  return Array.isArray(grants) ? grants.filter((grant) => typeof grant === 'string') : [];
}

/** `not-offered`: the server gave no usable management address. `refused`: clients may not delete registrations. */
export type RegistrationDeletionOutcome = 'deleted' | 'nothing-to-delete' | 'not-offered' | 'refused' | 'failed';

interface RegistrationDeletion {
  readonly registration: ClientRegistration;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Deletes our registration at its authorization server (RFC 7592 section 2.3). Best effort, never throws. The
 * configuration address is only the server's claim, so it must belong to the owner of the issuer.
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
    const isSameOwner = isSubdomainException(credentials.issuerKey)
      ? url.hostname === issuer.hostname
      : sameRegistrableDomain(issuer.hostname, url.hostname);
    if (!isSameOwner) return 'not-offered';
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
    return deletionOutcome(status);
  } catch {
    return 'failed';
  }
}

/** RFC 7592 section 2.3: 204; 401 if the client or its token no longer exists, 403 and 405 for a refusal. */
function deletionOutcome(status: number): RegistrationDeletionOutcome {
  if (isSuccess(status)) return 'deleted';
  if (status === 401 || status === 404) return 'nothing-to-delete';
  return status === 403 || status === 405 || status === 501 ? 'refused' : 'failed';
}
