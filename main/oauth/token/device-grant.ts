import { deviceAuthorizationRequest, deviceCodeGrantRequest } from 'oauth4webapi';
import { noteIf } from '../../../shared/compatibility-notes.ts';
import { afterAuthorizationRefusal } from '../../../shared/error-catalogue/sign-in-errors.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import { checkPublishedAddress } from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { displayPlace } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { expectedIssuer } from '../../issuer-key.ts';
import { bodyLimit, deadline, deviceCode as deviceCodeLimit, devicePoll, json } from '../../limits.ts';
import { SignInEnd } from '../../ports.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { Secret } from '../../secret.ts';
import type { AskedBinding } from '../authorization/authorization-request.ts';
import {
  alternativesTo,
  applyClientAuthentication,
  askInTurn,
  chooseClientAuthentication,
  doubtOf,
  isClosed,
  otherMethod,
  withAuthentication,
} from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { exchangeThrough, isSuccess } from '../wire/http-fetch.ts';
import { readJson, readJsonDocument } from '../wire/json-document.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import { errorMember, isJsonObject } from '../wire/oauth-error.ts';
import type { OAuthErrorName } from '../wire/oauth-error.ts';
import { checkTokenEndpoint, exchangeAtTokenEndpoint } from './token-endpoint.ts';
import { readRefusal } from './token-refusal.ts';
import type { TokenRefusal } from './token-refusal.ts';
import { bindTokens, otherAuthenticationNote } from './token-request.ts';
import { readLifetime, readTokenResponse } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

interface DeviceCodeRequest {
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
interface DeviceCode {
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
    const response = await sendCodeRequest(ports.http, request, each);
    if (isSuccess(response.status)) return { kind: 'accepted', response } as const;
    return { ...readRefusal(response, ports.clock, 'authorization'), response };
  });
  if (answer.kind === 'refused') return refused(answer, answer.response);
  if (answer.kind !== 'accepted') throw answer.error;
  const code = readDeviceCode(answer.response, request.policy);
  // Many do not look at the client here: only another way than the agreed one has been seen to work.
  return { kind: 'given', code, credentials: way === first ? credentials : withAuthentication(credentials, way) };
}

function sendCodeRequest(
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

function refused({ name, isAboutResource }: TokenRefusal, { url, status }: HttpResponse): DeviceCodeAnswer {
  const detail = { host: displayPlace(new URL(url)), error: name, status };
  const after = afterAuthorizationRefusal(name, isAboutResource);
  return { kind: 'refused', name, error: new PosternError('AS_ERROR', { stage: 'authorization', detail, ...after }) };
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
  const { device_code: deviceCode, user_code: userCode } = document;
  const expiresIn = secondsIn(document['expires_in']);
  // Google called it otherwise before the RFC, and still does.
  const page = document['verification_uri'] ?? document['verification_url'];
  if (typeof deviceCode !== 'string' || deviceCode.length > json.text || !visible.test(deviceCode)) throw invalid();
  if (typeof userCode !== 'string' || userCode.length > deviceCodeLimit.length || !typeable.test(userCode))
    throw invalid();
  if (typeof page !== 'string' || expiresIn === undefined || !(expiresIn > 0)) throw invalid();
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

/** Also those that are written as text, as at a token endpoint. */
function secondsIn(told: unknown): number | undefined {
  return typeof told === 'number' ? told : readLifetime(told);
}

/** Seconds on the wire, 5 where none are given (RFC 8628 section 3.2). */
function readInterval(told: unknown): number {
  const { shortest, usual, longest } = devicePoll;
  const seconds = secondsIn(told);
  const asked = seconds === undefined ? usual : seconds * 1_000;
  return Math.min(Math.max(asked, shortest), longest);
}

interface DevicePoll {
  readonly credentials: ClientCredentials;
  readonly metadata: AuthorizationServerMetadata;
  readonly issuerKey: IssuerKey;
  readonly deviceCode: Secret;
  /** Milliseconds: between two polls, until it is over, and how long the person had wanted to wait. */
  readonly interval: number;
  readonly lifetime: number;
  readonly timeout?: number | undefined;
  readonly resource?: string | undefined;
  /** The key that the access is to be bound to. */
  readonly binding?: AskedBinding | undefined;
  readonly policy: AddressPolicy;
  readonly signal: AbortSignal;
}

/**
 * Asks for the tokens of a sign-in on another device until they are there (RFC 8628 sections 3.4 and 3.5): not more
 * often than the service wants, 5 seconds less often each time that it says so, and less and less often while it cannot
 * be reached or is busy. Until the service has shown that it knows the client, one answer that may come of another
 * client authentication (spec 5.3) is followed by a poll with that one. Answers the credentials with the way that worked.
 * Errors: USER_DENIED, STATE_EXPIRED, USER_CANCELLED, TOKEN_ERROR, PROOF_REFUSED, those of `readTokenResponse` and of
 * `Http.exchange` that do not pass by themselves.
 */
export async function pollForTokens(
  ports: { readonly http: Http; readonly clock: Clock },
  poll: DevicePoll,
): Promise<{ readonly tokens: TokenSet; readonly credentials: ClientCredentials }> {
  const { clock } = ports;
  const { credentials, metadata } = poll;
  const first = chooseClientAuthentication(credentials, metadata);
  let others = credentials.settled ? [] : otherMethod(alternativesTo(first, credentials, metadata), first);
  let way = first;
  const lifetime = Math.min(poll.lifetime, poll.timeout ?? Number.POSITIVE_INFINITY);
  const begin = { wall: clock.now(), monotonic: clock.monotonic() };
  // Either clock ends it: a person can set the wall clock back, and sleep stops the monotonic one on some systems.
  const left = (): number => lifetime - Math.max(clock.now() - begin.wall, clock.monotonic() - begin.monotonic);
  const { longest } = devicePoll;
  let { interval } = poll;
  let pause = interval;
  for (;;) {
    await wait(clock, Math.max(0, Math.min(pause, left())), poll.signal);
    if (left() <= 0) throw expired(lifetime, lifetime < poll.lifetime);
    const answer = await ask(ports, poll, way);
    const [other] = others;
    others = [];
    const isDoubtful = answer.kind === 'ended' || (answer.kind === 'away' && answer.isOfServer);
    const isSwitch = other !== undefined && isDoubtful;
    if (isSwitch) way = other;
    switch (answer.kind) {
      case 'granted': {
        const notes = [...answer.tokens.notes, ...noteIf(way !== first, otherAuthenticationNote)];
        return { tokens: { ...answer.tokens, notes }, credentials: withAuthentication(credentials, way) };
      }
      case 'slower':
        interval += devicePoll.slowDown;
        pause = interval;
        break;
      case 'pending':
        pause = interval;
        break;
      case 'away':
        pause = Math.max(Math.min(pause * 2, longest), answer.retryAfter);
        // The other way did no better.
        if (!isSwitch && answer.isOfServer) way = first;
        break;
      case 'ended':
        if (!isSwitch) throw answer.error;
        pause = interval;
    }
  }
}

type PollAnswer =
  | { readonly kind: 'granted'; readonly tokens: TokenSet }
  | { readonly kind: 'pending' | 'slower' }
  /** `retryAfter` in milliseconds. `isOfServer`: 5xx or a closed connection, also for a client that was not seen. */
  | { readonly kind: 'away'; readonly retryAfter: number; readonly isOfServer: boolean }
  /** The code or the client is not accepted. */
  | { readonly kind: 'ended'; readonly error: PosternError };

async function ask(
  ports: { readonly http: Http; readonly clock: Clock },
  poll: DevicePoll,
  way: ClientAuthentication,
): Promise<PollAnswer> {
  const { credentials, metadata, issuerKey, resource, binding } = poll;
  let response: HttpResponse;
  try {
    response = await sendPoll(ports, poll, way);
  } catch (error) {
    // The address rule and a person end it; what is unanswered may pass.
    if (!(error instanceof PosternError) || !isAbout(error, 'unanswered')) throw error;
    return { kind: 'away', retryAfter: 0, isOfServer: isClosed(error) };
  }
  // Before anything is judged by its status: services answer with 200 here as well.
  const host = displayPlace(new URL(response.url));
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
      throw expired(poll.lifetime, false);
    // Nobody else has this code: a service that does not know it has let it expire, and forgotten it.
    case 'invalid_grant':
      return { kind: 'ended', error: expired(poll.lifetime, false) };
    default:
  }
  const answer = await readTokenResponse(response, ports.clock, {
    grant: 'device_code',
    stage: 'token',
    issuer: expectedIssuer(issuerKey, metadata.issuer),
    clientId: credentials.clientId,
    binding,
  });
  if (answer.kind === 'busy') {
    const { retryAfter, status } = answer;
    const isOfServer = status >= 500 && retryAfter === undefined;
    return { kind: 'away', retryAfter: (retryAfter ?? 0) * 1_000, isOfServer };
  }
  if (answer.kind === 'refused' && doubtOf(answer)) return { kind: 'ended', error: answer.error };
  if (answer.kind !== 'granted') throw answer.error;
  const asked = { issuerKey, tokenEndpoint: metadata.token_endpoint, ...(binding && { binding }) };
  const request = { ...asked, ...(resource !== undefined && { resource }) };
  return { kind: 'granted', tokens: bindTokens(answer.grant, request, metadata.revocation_endpoint) };
}

function sendPoll(
  ports: { readonly http: Http; readonly clock: Clock },
  { credentials, metadata, issuerKey, deviceCode, resource, binding, policy, signal }: DevicePoll,
  way: ClientAuthentication,
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
        applyClientAuthentication(way, credentials),
        deviceCode.reveal(),
        { ...options, additionalParameters: resource === undefined ? {} : { resource } },
      ),
  );
}

/** The codes of RFC 8628 section 3.5 among them, which no other answer has. */
function errorOf({ body }: HttpResponse): string | undefined {
  try {
    return errorMember(readJson(body, { stage: 'token' }));
  } catch {
    return undefined;
  }
}

function expired(lifetime: number, tooShort: boolean): SignInEnd {
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
