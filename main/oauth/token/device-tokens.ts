import { deviceCodeGrantRequest } from 'oauth4webapi';
import { noteIf } from '../../../shared/compatibility-notes.ts';
import { isOneOf, unansweredCodes } from '../../../shared/error-codes.ts';
import type { IssuerKey } from '../../../shared/issuer-key.ts';
import type { AddressPolicy } from '../../address/address-policy.ts';
import { displayPlace } from '../../address/display-place.ts';
import { expectedIssuer } from '../../issuer-key.ts';
import { bodyLimit, devicePoll } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import type { Secret } from '../../secret.ts';
import type { AskedBinding } from '../authorization/authorization-request.ts';
import { SignInEnd } from '../authorization/sign-in-end.ts';
import {
  alternativesTo,
  applyClientAuthentication,
  chooseClientAuthentication,
} from '../client/client-authentication.ts';
import { doubtOf, isClosed, otherMethod, withAuthentication } from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { readJson } from '../wire/json-document.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import { errorMember } from '../wire/oauth-error.ts';
import { exchangeAtTokenEndpoint } from './token-endpoint.ts';
import { bindTokens, otherAuthenticationNote } from './token-request.ts';
import { readTokenResponse } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

export interface DevicePoll {
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
    response = await send(ports, poll, way);
  } catch (error) {
    // By its code, as the port tells it. The address rule and a person end it; what is unanswered may pass.
    if (!(error instanceof PosternError) || !isOneOf(unansweredCodes, error)) throw error;
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
    const { retryAfter } = answer;
    return { kind: 'away', retryAfter: (retryAfter ?? 0) * 1_000, isOfServer: retryAfter === undefined };
  }
  if (answer.kind === 'refused' && doubtOf(answer)) return { kind: 'ended', error: answer.error };
  if (answer.kind !== 'granted') throw answer.error;
  const asked = { issuerKey, tokenEndpoint: metadata.token_endpoint, ...(binding && { binding }) };
  const request = { ...asked, ...(resource !== undefined && { resource }) };
  return { kind: 'granted', tokens: bindTokens(answer.grant, request, metadata.revocation_endpoint) };
}

function send(
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
    return errorMember(readJson(body, { stage: 'token', stringLimit: bodyLimit.token }));
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
