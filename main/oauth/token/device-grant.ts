import { deviceAuthorizationRequest, deviceCodeGrantRequest } from 'oauth4webapi';
import { noteIf } from '../../../shared/compatibility-notes.ts';
import { afterAuthorizationRefusal } from '../../../shared/error-catalog/sign-in-errors.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import { isObject } from '../../../shared/json-object.ts';
import { checkPublishedAddress } from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { expectedIssuer } from '../../issuer-key.ts';
import { bodyLimit, deadline, deviceCode as deviceCodeLimit, devicePoll, jsonLimit } from '../../limits.ts';
import { SignInEnd } from '../../ports.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import type { RequestedBinding } from '../authorization/authorization-request.ts';
import {
  alternativesTo,
  applyClientAuthentication,
  tryInTurn,
  chooseClientAuthentication,
  clientDoubt,
  isClosedConnection,
  otherMethod,
  withAuthentication,
} from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { sendRequest, isSuccess } from '../http/send-request.ts';
import { readJson, readJsonDocument } from '../http/json-document.ts';
import type { AuthorizationServerMetadata } from '../http/metadata-schemas.ts';
import { errorMember } from '../http/oauth-error.ts';
import type { OAuthErrorName } from '../http/oauth-error.ts';
import { checkTokenEndpoint, exchangeAtTokenEndpoint } from './token-endpoint.ts';
import { readTokenFailure } from './token-failure.ts';
import type { TokenRefusal } from './token-failure.ts';
import { toTokenSet, otherAuthenticationNote } from './code-exchange.ts';
import { readLifetime, readTokenResponse } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

interface DeviceCodeRequest {
  readonly credentials: ClientCredentials;
  readonly metadata: AuthorizationServerMetadata;
  readonly endpoint: CheckedAddress;
  readonly issuerKey: IssuerKey;
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
  /** A registration from an earlier sign-in: if refused, it is discarded, and no other method is tried. */
  readonly reused: boolean;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/** A sign-in that the user completes on any device (RFC 8628 section 3.2). */
interface DeviceCode {
  /** Sent to the token endpoint. */
  readonly deviceCode: Secret;
  /** What the user types: printable, at most `deviceCodeLimit.length`. */
  readonly userCode: string;
  /** The page where the user enters it. */
  readonly page: CheckedAddress;
  /** The same page with the code filled in. */
  readonly pageWithCode?: CheckedAddress;
  /** Milliseconds. */
  readonly lifetime: number;
  /** Milliseconds between two polls. */
  readonly interval: number;
}

/** `credentials`: with the authentication method that the service accepted. */
export type DeviceCodeResult =
  | { readonly kind: 'given'; readonly code: DeviceCode; readonly credentials: ClientCredentials }
  | { readonly kind: 'refused'; readonly name: OAuthErrorName; readonly error: PosternError };

/**
 * Requests a device code and user code (RFC 8628 section 3.1). The client authenticates as at the token endpoint; if
 * refused, it tries each other method once.
 * Errors: those of `Http.exchange`, TOKEN_ENDPOINT_INSECURE, DEVICE_RESPONSE_INVALID, TOKEN_RATE_LIMITED,
 * TOKEN_SERVER_ERROR, PROOF_REFUSED; those of the address rule for the page.
 */
export async function requestDeviceCode(
  ports: { readonly http: Http; readonly clock: Clock },
  request: DeviceCodeRequest,
): Promise<DeviceCodeResult> {
  const { credentials, metadata, reused } = request;
  const first = chooseClientAuthentication(credentials, metadata);
  const authentications = [first, ...(reused ? [] : alternativesTo(first, credentials, metadata))] as const;
  const { authentication, result } = await tryInTurn(authentications, credentials, async (each) => {
    const response = await sendCodeRequest(ports.http, request, each);
    if (isSuccess(response.status)) return { kind: 'accepted', response } as const;
    return { ...readTokenFailure(response, ports.clock, 'authorization'), response };
  });
  if (result.kind === 'refused') return toRefusedResult(result, result.response);
  if (result.kind !== 'accepted') throw result.error;
  const code = readDeviceCode(result.response, request.policy);
  // Many do not check the client here: only another method than the agreed one is known to work.
  return {
    kind: 'given',
    code,
    credentials: authentication === first ? credentials : withAuthentication(credentials, authentication),
  };
}

function sendCodeRequest(
  http: Http,
  { credentials, endpoint, metadata, issuerKey, scope, resource, policy, signal }: DeviceCodeRequest,
  authentication: ClientAuthentication,
): Promise<HttpResponse> {
  const url = checkTokenEndpoint(endpoint, issuerKey, policy, 'authorization');
  return sendRequest(
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
        applyClientAuthentication(authentication, credentials),
        { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) },
        options,
      ),
  );
}

function toRefusedResult({ name, isAboutResource }: TokenRefusal, { url, status }: HttpResponse): DeviceCodeResult {
  const detail = { host: displayHostAndPort(new URL(url)), error: name, status };
  const after = afterAuthorizationRefusal(name, isAboutResource);
  return { kind: 'refused', name, error: new PosternError('AS_ERROR', { stage: 'authorization', detail, ...after }) };
}

/** VSCHAR (RFC 6749 appendix A), as for an authorization code. */
const visible = /^[\u0020-\u007e]+$/;
/**
 * For the user to read and type: no control characters, nothing that reorders or hides text, no space at either end.
 */
const typeable = /^[\u0021-\u007e](?:[\u0020-\u007e]*[\u0021-\u007e])?$/;

/** RFC 8628 section 3.2. Stricter than the library's checks of the same members. */
function readDeviceCode(response: HttpResponse, policy: AddressPolicy): DeviceCode {
  const from = new URL(response.url);
  const invalid = (cause?: unknown): PosternError =>
    new PosternError('DEVICE_RESPONSE_INVALID', {
      stage: 'authorization',
      detail: { host: displayHostAndPort(from) },
      cause,
    });
  let document: unknown;
  try {
    document = readJsonDocument(response, { stage: 'authorization' });
  } catch (error) {
    throw invalid(error);
  }
  if (!isObject(document)) throw invalid();
  const { device_code: deviceCode, user_code: userCode } = document;
  const expiresIn = readSeconds(document['expires_in']);
  // Google's name from before the RFC, still in use.
  const page = document['verification_uri'] ?? document['verification_url'];
  if (typeof deviceCode !== 'string' || deviceCode.length > jsonLimit.text || !visible.test(deviceCode))
    throw invalid();
  if (typeof userCode !== 'string' || userCode.length > deviceCodeLimit.length || !typeable.test(userCode))
    throw invalid();
  if (typeof page !== 'string' || expiresIn === undefined || !(expiresIn > 0)) throw invalid();
  const url = checkVerificationPage(page, from, policy);
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

/** The same rules as for any page we send the user to (MCP security best practices, URL validation). */
function checkVerificationPage(text: string, from: URL, policy: AddressPolicy): CheckedAddress {
  return checkPublishedAddress(text, { member: 'verification_uri', publisher: from }, policy, 'authorization');
}

/** Only saves typing (RFC 8628 section 3.3.1): dropped if it leads elsewhere. */
function findPageWithCode(text: unknown, page: CheckedAddress, policy: AddressPolicy): CheckedAddress | undefined {
  if (typeof text !== 'string') return undefined;
  const from = new URL(page);
  if (URL.parse(text)?.origin !== from.origin) return undefined;
  try {
    return checkVerificationPage(text, from, policy);
  } catch {
    return undefined;
  }
}

/** Also accepts a numeric string, as token endpoints do. */
function readSeconds(value: unknown): number | undefined {
  return typeof value === 'number' ? value : readLifetime(value);
}

/** Milliseconds; the response has seconds, default 5 (RFC 8628 section 3.2). */
function readInterval(value: unknown): number {
  const { shortest, standard, longest } = devicePoll;
  const seconds = readSeconds(value);
  const milliseconds = seconds === undefined ? standard : seconds * 1_000;
  return Math.min(Math.max(milliseconds, shortest), longest);
}

interface DevicePoll {
  readonly credentials: ClientCredentials;
  readonly metadata: AuthorizationServerMetadata;
  readonly issuerKey: IssuerKey;
  readonly deviceCode: Secret;
  /** Milliseconds: between two polls, until the code expires, and how long the user wanted to wait. */
  readonly interval: number;
  readonly lifetime: number;
  readonly timeout?: number | undefined;
  readonly resource?: string | undefined;
  /** Key to bind the access token to. */
  readonly binding?: RequestedBinding | undefined;
  readonly policy: AddressPolicy;
  readonly signal: AbortSignal;
}

/**
 * Polls for the tokens of a device sign-in (RFC 8628 sections 3.4 and 3.5): no more often than the service wants, 5
 * seconds slower after each `slow_down`, and with backoff while the service is unreachable or busy. Until the service
 * has shown that it knows the client, one response that may be due to client authentication (spec 5.3) is followed by a
 * poll with the other method. Returns the credentials with the method that worked.
 * Errors: USER_DENIED, STATE_EXPIRED, USER_CANCELLED, TOKEN_ERROR, PROOF_REFUSED, those of `readTokenResponse` and
 * non-temporary ones of `Http.exchange`.
 */
export async function pollForTokens(
  ports: { readonly http: Http; readonly clock: Clock },
  poll: DevicePoll,
): Promise<{ readonly tokens: TokenSet; readonly credentials: ClientCredentials }> {
  const { clock } = ports;
  const { credentials, metadata } = poll;
  const first = chooseClientAuthentication(credentials, metadata);
  let others = credentials.settled ? [] : otherMethod(alternativesTo(first, credentials, metadata), first);
  let authentication = first;
  const lifetime = Math.min(poll.lifetime, poll.timeout ?? Number.POSITIVE_INFINITY);
  const startedAt = { wall: clock.now(), monotonic: clock.monotonic() };
  // Either clock ends it: users can set the wall clock back, and sleep stops the monotonic clock on some systems.
  const remaining = (): number =>
    lifetime - Math.max(clock.now() - startedAt.wall, clock.monotonic() - startedAt.monotonic);
  const { longest } = devicePoll;
  let { interval } = poll;
  let pause = interval;
  for (;;) {
    await wait(clock, Math.max(0, Math.min(pause, remaining())), poll.signal);
    if (remaining() <= 0) throw expiredError(lifetime, lifetime < poll.lifetime);
    const result = await pollOnce(ports, poll, authentication);
    const [other] = others;
    others = [];
    const isDoubtful = result.kind === 'ended' || (result.kind === 'away' && result.isServerFault);
    const isSwitch = other !== undefined && isDoubtful;
    if (isSwitch) authentication = other;
    switch (result.kind) {
      case 'granted': {
        const notes = [...result.tokens.notes, ...noteIf(authentication !== first, otherAuthenticationNote)];
        return { tokens: { ...result.tokens, notes }, credentials: withAuthentication(credentials, authentication) };
      }
      case 'slower':
        interval += devicePoll.slowDown;
        pause = interval;
        break;
      case 'pending':
        pause = interval;
        break;
      case 'away':
        pause = Math.max(Math.min(pause * 2, longest), result.retryAfter);
        // The other method did no better.
        if (!isSwitch && result.isServerFault) authentication = first;
        break;
      case 'ended':
        if (!isSwitch) throw result.error;
        pause = interval;
    }
  }
}

type PollResult =
  | { readonly kind: 'granted'; readonly tokens: TokenSet }
  | { readonly kind: 'pending' | 'slower' }
  /**
   * `retryAfter` in milliseconds. `isServerFault`: 5xx or a closed connection; may also mean that the client was not
   * seen.
   */
  | { readonly kind: 'away'; readonly retryAfter: number; readonly isServerFault: boolean }
  /** The code or the client is not accepted. */
  | { readonly kind: 'ended'; readonly error: PosternError };

async function pollOnce(
  ports: { readonly http: Http; readonly clock: Clock },
  poll: DevicePoll,
  authentication: ClientAuthentication,
): Promise<PollResult> {
  const { credentials, metadata, issuerKey, resource, binding } = poll;
  let response: HttpResponse;
  try {
    response = await sendPoll(ports, poll, authentication);
  } catch (error) {
    // The address rule or the user ends it; a missing response may be temporary.
    if (!(error instanceof PosternError) || !hasTrait(error, 'unanswered')) throw error;
    return { kind: 'away', retryAfter: 0, isServerFault: isClosedConnection(error) };
  }
  // Read before the status: services return these with 200 too.
  const host = displayHostAndPort(new URL(response.url));
  switch (errorOf(response)) {
    case 'authorization_pending':
      return { kind: 'pending' };
    case 'slow_down':
      return { kind: 'slower' };
    case 'access_denied':
    // Entra's word for it.
    case 'authorization_declined':
      throw new SignInEnd('refused', { stage: 'authorization', detail: { host } });
    case 'expired_token':
      throw expiredError(poll.lifetime, false);
    // Only we have this code: a service that does not know it has let it expire.
    case 'invalid_grant':
      return { kind: 'ended', error: expiredError(poll.lifetime, false) };
    default:
  }
  const result = await readTokenResponse(response, ports.clock, {
    grant: 'device_code',
    stage: 'token',
    issuer: expectedIssuer(issuerKey, metadata.issuer),
    clientId: credentials.clientId,
    binding,
  });
  if (result.kind === 'busy') {
    const { retryAfter, status } = result;
    const isServerFault = status >= 500 && retryAfter === undefined;
    return { kind: 'away', retryAfter: (retryAfter ?? 0) * 1_000, isServerFault };
  }
  if (result.kind === 'refused' && clientDoubt(result)) return { kind: 'ended', error: result.error };
  if (result.kind !== 'granted') throw result.error;
  const target = { issuerKey, tokenEndpoint: metadata.token_endpoint, ...(binding && { binding }) };
  const request = { ...target, ...(resource !== undefined && { resource }) };
  return { kind: 'granted', tokens: toTokenSet(result.grant, request, metadata.revocation_endpoint) };
}

function sendPoll(
  ports: { readonly http: Http; readonly clock: Clock },
  { credentials, metadata, issuerKey, deviceCode, resource, binding, policy, signal }: DevicePoll,
  authentication: ClientAuthentication,
): Promise<HttpResponse> {
  const { token_endpoint: tokenEndpoint } = metadata;
  return exchangeAtTokenEndpoint(
    ports,
    { tokenEndpoint, issuerKey, policy, key: binding?.key, signal },
    'token',
    (endpoint, options) =>
      deviceCodeGrantRequest(
        { issuer: metadata.issuer, token_endpoint: endpoint },
        { client_id: credentials.clientId },
        applyClientAuthentication(authentication, credentials),
        deviceCode.reveal(),
        { ...options, additionalParameters: resource === undefined ? {} : { resource } },
      ),
  );
}

/** Includes the codes of RFC 8628 section 3.5, which no other response has. */
function errorOf({ body }: HttpResponse): string | undefined {
  try {
    return errorMember(readJson(body, { stage: 'token' }));
  } catch {
    return undefined;
  }
}

function expiredError(lifetime: number, tooShort: boolean): SignInEnd {
  const seconds = Math.round(lifetime / 1_000);
  const remedy = { kind: 'start-again', tooShort } as const;
  return new SignInEnd('expired', { stage: 'authorization', detail: { seconds }, remedy });
}

/** Errors: the reason of `signal`, or USER_CANCELLED. */
async function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const cancel = (): void => {
    const { reason } = signal as { readonly reason: unknown };
    reject(reason instanceof PosternError ? reason : new PosternError('USER_CANCELLED', { stage: 'authorization' }));
  };
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const stop = clock.after(milliseconds, resolve);
  try {
    await promise;
  } finally {
    stop();
    signal.removeEventListener('abort', cancel);
  }
}
