import { deviceAuthorizationRequest } from 'oauth4webapi';
import { afterAuthorizationRefusal } from '../../../shared/error-catalogue/sign-in-errors.ts';
import type { IssuerKey } from '../../../shared/issuer-key.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { checkPublishedAddress } from '../../address/check-address.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { displayPlace } from '../../address/display-place.ts';
import { bodyLimit, deadline, deviceCode as deviceCodeLimit, devicePoll } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import { alternativesTo, applyClientAuthentication, askInTurn } from '../client/client-authentication.ts';
import { chooseClientAuthentication, withAuthentication } from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { exchangeThrough } from '../wire/http-fetch.ts';
import { readJsonDocument } from '../wire/json-document.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import { isJsonObject } from '../wire/oauth-error.ts';
import type { OAuthErrorName } from '../wire/oauth-error.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import { readRefusal } from './token-refusal.ts';
import type { TokenRefusal } from './token-refusal.ts';

export interface DeviceCodeRequest {
  readonly credentials: ClientCredentials;
  readonly metadata: AuthorizationServerMetadata;
  readonly endpoint: CheckedAddress;
  readonly issuerKey: IssuerKey;
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
  /** A registration from an earlier sign-in: when it is refused it is forgotten, and no other way is tried. */
  readonly reused: boolean;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/** A sign-in that a person finishes on any device (RFC 8628 section 3.2). */
export interface DeviceCode {
  /** What the tokens are asked for with. */
  readonly deviceCode: Secret;
  /** What the person types: printable, and no longer than `deviceCodeLimit.length`. */
  readonly userCode: string;
  /** The page where they type it. */
  readonly page: CheckedAddress;
  /** The same page, which has the code already. */
  readonly pageWithCode?: CheckedAddress;
  /** Milliseconds. */
  readonly lifetime: number;
  /** Milliseconds between two polls. */
  readonly interval: number;
}

/** `credentials`: with the way of authenticating that the service took. */
export type DeviceCodeAnswer =
  | { readonly kind: 'given'; readonly code: DeviceCode; readonly credentials: ClientCredentials }
  | { readonly kind: 'refused'; readonly name: OAuthErrorName; readonly error: PosternError };

/**
 * Asks for a code to sign in with on another device (RFC 8628 section 3.1). The client authenticates as at the token
 * endpoint, and where it is refused in each other way once.
 * Errors: those of `Http.exchange`, TOKEN_ENDPOINT_INSECURE, DEVICE_RESPONSE_INVALID, TOKEN_RATE_LIMITED,
 * TOKEN_SERVER_ERROR, PROOF_REFUSED; those of the address rule for the page.
 */
export async function requestDeviceCode(
  ports: { readonly http: Http; readonly clock: Clock },
  request: DeviceCodeRequest,
): Promise<DeviceCodeAnswer> {
  const { credentials, metadata, reused } = request;
  const first = chooseClientAuthentication(credentials, metadata);
  const ways = [first, ...(reused ? [] : alternativesTo(first, credentials, metadata))] as const;
  const { way, answer } = await askInTurn(ways, credentials, async (each) => {
    const response = await send(ports.http, request, each);
    if (response.status >= 200 && response.status <= 299) return { kind: 'accepted', response } as const;
    return { ...readRefusal(response, ports.clock, 'authorization'), response };
  });
  if (answer.kind === 'refused') return refused(answer, answer.response);
  if (answer.kind !== 'accepted') throw answer.error;
  const code = readDeviceCode(answer.response, request.policy);
  // Many do not look at the client here: only another way than the agreed one has been seen to work.
  return { kind: 'given', code, credentials: way === first ? credentials : withAuthentication(credentials, way) };
}

function send(
  http: Http,
  { credentials, endpoint, metadata, issuerKey, scope, resource, policy, signal }: DeviceCodeRequest,
  way: ClientAuthentication,
): Promise<HttpResponse> {
  const url = checkTokenEndpoint(endpoint, issuerKey, policy, 'authorization');
  return exchangeThrough(
    http,
    url,
    {
      purpose: 'device-authorization',
      stage: 'authorization',
      policy,
      deadline: deadline.registration,
      bodyLimit: bodyLimit.token,
      signal,
    },
    (options) =>
      deviceAuthorizationRequest(
        { issuer: metadata.issuer, device_authorization_endpoint: url },
        { client_id: credentials.clientId },
        applyClientAuthentication(way, credentials),
        { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) },
        options,
      ),
  );
}

function refused({ name }: TokenRefusal, { url, status }: HttpResponse): DeviceCodeAnswer {
  const detail = { host: displayPlace(new URL(url)), error: name, status };
  const remedy = afterAuthorizationRefusal(name);
  return { kind: 'refused', name, error: new PosternError('AS_ERROR', { stage: 'authorization', detail, remedy }) };
}

/** VSCHAR (RFC 6749 appendix A), as of an authorization code. */
const visible = /^[\u0020-\u007e]+$/;
/** For a person to read and type: no control character, nothing that turns or hides text, no space at either end. */
const typeable = /^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/;

/** RFC 8628 section 3.2. The library's own rules are about the same members, and say less of them. */
function readDeviceCode(answer: HttpResponse, policy: AddressPolicy): DeviceCode {
  const from = new URL(answer.url);
  const invalid = (cause?: unknown): PosternError =>
    new PosternError('DEVICE_RESPONSE_INVALID', {
      stage: 'authorization',
      detail: { host: displayPlace(from) },
      cause,
    });
  let document: unknown;
  try {
    document = readJsonDocument(answer, { stage: 'authorization' });
  } catch (error) {
    throw invalid(error);
  }
  if (!isJsonObject(document)) throw invalid();
  const { device_code: deviceCode, user_code: userCode, expires_in: expiresIn } = document;
  // Google called it otherwise before the RFC, and still does.
  const page = document['verification_uri'] ?? document['verification_url'];
  if (typeof deviceCode !== 'string' || !visible.test(deviceCode)) throw invalid();
  if (typeof userCode !== 'string' || userCode.length > deviceCodeLimit.length || !typeable.test(userCode))
    throw invalid();
  if (typeof page !== 'string' || typeof expiresIn !== 'number' || !(expiresIn > 0)) throw invalid();
  const url = checkPage(page, from, policy);
  const pageWithCode = findPageWithCode(document['verification_uri_complete'], url, policy);
  return {
    deviceCode: new Secret(deviceCode),
    userCode,
    page: url,
    ...(pageWithCode !== undefined && { pageWithCode }),
    lifetime: Math.min(expiresIn * 1_000, deviceCodeLimit.longest),
    interval: readInterval(document['interval']),
  };
}

/** The same rules as for any page that a person is sent to (MCP security best practices, URL validation). */
function checkPage(text: string, from: URL, policy: AddressPolicy): CheckedAddress {
  return checkPublishedAddress(text, { member: 'verification_uri', publisher: from }, policy, 'authorization');
}

/** It saves typing and no more (RFC 8628 section 3.3.1): one that leads elsewhere is left out. */
function findPageWithCode(text: unknown, page: CheckedAddress, policy: AddressPolicy): CheckedAddress | undefined {
  if (typeof text !== 'string') return undefined;
  const from = new URL(page);
  if (URL.parse(text)?.origin !== from.origin) return undefined;
  try {
    return checkPage(text, from, policy);
  } catch {
    return undefined;
  }
}

/** Seconds on the wire, 5 where none are given (RFC 8628 section 3.2). */
function readInterval(told: unknown): number {
  const { shortest, usual, longest } = devicePoll;
  const asked = typeof told === 'number' && Number.isFinite(told) ? told * 1_000 : usual;
  return Math.min(Math.max(asked, shortest), longest);
}
