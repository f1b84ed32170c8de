import { noteIf } from '../../../shared/compatibility-notes.ts';
import { waitAsTold } from '../../../shared/error-catalogue/catalogue-entry.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import { RequestError } from '../../errors/request-error.ts';
import { retryAfter } from '../../limits.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { UnmetDemand } from '../discovery/unmet-demand.ts';
import { isSuccess } from '../wire/http-fetch.ts';
import { isPassing, readErrorAnswer } from '../wire/oauth-error.ts';
import type { OAuthErrorName } from '../wire/oauth-error.ts';
import { parseRetryAfter } from '../wire/response-headers.ts';
import type { ClientKey } from './client-credentials.ts';
import { keyForRegistration, sendRegistration } from './registration-request.ts';
import type { LeftOut, RegistrationRequest } from './registration-request.ts';
import { ExpiredSecret, readRegistrationResponse } from './registration-response.ts';
import type { ClientRegistration } from './registration-response.ts';

/**
 * What came of a registration, with the error that tells a person of it.
 * - `passing`: a fault of the service, or on the way to it, that may end by itself.
 * - `refused`: it would be the same the next time.
 */
export type RegistrationAnswer =
  | { readonly kind: 'registered'; readonly registration: ClientRegistration }
  /** `wantsToken`: the service registers only who shows a token for that, and it was shown none or a wrong one. */
  | { readonly kind: 'refused'; readonly error: PosternError; readonly wantsToken?: boolean }
  | {
      readonly kind: 'passing';
      readonly error: PosternError;
      /** What helps meanwhile. */
      readonly first: NetworkRemedy;
      /** Milliseconds since 1970 before which asking again is of no use. */
      readonly until?: number;
    };

/**
 * Registers Postern (RFC 7591 section 3, spec 2.4). A refusal of the request itself is answered with a request that
 * goes without what servers refuse, as `furtherAttempts` lists; what the service may have obeyed is never followed by
 * another one, so that no orphan is left.
 * Its failures: those of `Http.exchange`, DCR_REJECTED (detail `error`, `status`), REG_UNAVAILABLE (detail `retryAt` in
 * milliseconds since 1970, `status`), DCR_RESPONSE_INVALID, DCR_REDIRECT_CHANGED, DCR_SECRET_EXPIRED; DCR_UNSUPPORTED
 * when the metadata names no registration endpoint. Errors: USER_CANCELLED, and DEMAND_UNMET, which a person is told as
 * such.
 */
export async function registerClient(
  ports: { readonly http: Http; readonly clock: Clock },
  request: RegistrationRequest,
): Promise<RegistrationAnswer> {
  try {
    return await register(ports, request);
  } catch (error) {
    if (!isOutcome(error) || error instanceof UnmetDemand) throw error;
    if (error instanceof ExpiredSecret) return { kind: 'passing', error, first: waitAsTold() };
    if (!(error instanceof RequestError) || !mayEndByItself(error)) return { kind: 'refused', error };
    return { kind: 'passing', error, first: error.faultRemedy ?? waitAsTold() };
  }
}

function mayEndByItself(error: RequestError): boolean {
  return isAbout(error, 'unanswered') && !isAbout(error, 'tls') && !error.isLasting;
}

async function register(
  ports: { readonly http: Http; readonly clock: Clock },
  request: RegistrationRequest,
): Promise<RegistrationAnswer> {
  const { registration_endpoint: endpoint } = request.metadata;
  if (endpoint === undefined) throw new PosternError('DCR_UNSUPPORTED', { stage: 'registration' });
  const clientKey = await keyForRegistration(request.metadata);
  let leftOut: LeftOut = {};
  const attemptWithout = () => attemptRegistration(ports.http, endpoint, request, leftOut, clientKey);
  let attempt = await attemptWithout();
  for (leftOut of furtherAttempts(attempt, request.scope !== undefined)) {
    attempt = await attemptWithout();
    if (!refusesRequest(attempt)) break;
  }
  const { answer } = attempt;
  if (!isSuccess(answer.status)) return refusalOf(attempt, ports.clock);
  const registration = await readRegistrationResponse(answer, ports.clock, request, clientKey);
  const notes = [
    ...noteIf(leftOut.scope === true, 'registered-without-scope'),
    ...noteIf(leftOut.extras === true, 'registered-with-five-members'),
  ];
  return { kind: 'registered', registration: { ...registration, notes: [...notes, ...registration.notes] } };
}

interface Attempt {
  readonly answer: HttpResponse;
  /** What a refusal says; `unknown` where it says nothing. */
  readonly error: OAuthErrorName;
}

async function attemptRegistration(
  http: Http,
  endpoint: CheckedAddress,
  request: RegistrationRequest,
  leftOut: LeftOut,
  clientKey: ClientKey | undefined,
): Promise<Attempt> {
  const answer = await sendRegistration(http, endpoint, request, leftOut, clientKey);
  return { answer, error: isSuccess(answer.status) ? 'unknown' : readErrorAnswer(answer).error };
}

/**
 * 400 (RFC 7591 section 3.2.2), and 422 of frameworks that check a body before anybody reads it. `server_error` may be
 * all that a service says of a request that it did not expect.
 */
function refusesRequest({ answer: { status }, error }: Attempt): boolean {
  return (status === 400 || status === 422) && (error === 'server_error' || !isPassing(error));
}

/**
 * What is sent after a first answer, each once and in this order while the answer is a refusal of the request: the
 * five members of spec 2.4 alone, all but `scope` (servers refuse scopes that they do not list), the five without it.
 * A refusal that names its reason shortens the list. 500 with `server_error` is how the proxy of the official SDK
 * wraps its upstream's refusal: the scope alone is left out then, and once.
 */
function furtherAttempts(attempt: Attempt, hasScope: boolean): readonly LeftOut[] {
  const { answer, error } = attempt;
  const attempts: readonly LeftOut[] = [{ extras: true }, { scope: true }, { extras: true, scope: true }];
  const possible = hasScope ? attempts : attempts.slice(0, 1);
  if (answer.status === 500 && error === 'server_error') return possible.filter(({ extras }) => extras !== true);
  if (!refusesRequest(attempt)) return [];
  // `application_type` decides which redirect URIs are taken (OpenID Connect Dynamic Client Registration section 2).
  if (error === 'invalid_redirect_uri') return possible.slice(0, 1);
  return error === 'invalid_scope' ? possible.filter(({ scope }) => scope === true) : possible;
}

/**
 * By its code, by what it asks for, or by its status (RFC 9110 sections 15.5.9 and 15.6, RFC 6585 section 4); a service
 * that has no such function (501) will not have it later.
 */
function mayPass({ answer: { status, headers }, error }: Attempt): boolean {
  if (isPassing(error) || (error === 'unknown' && headers.has('retry-after'))) return true;
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function refusalOf(attempt: Attempt, clock: Clock): RegistrationAnswer {
  const { answer, error: name } = attempt;
  const { status, headers } = answer;
  const stage = 'registration';
  if (!mayPass(attempt))
    return {
      kind: 'refused',
      error: new PosternError('DCR_REJECTED', { stage, detail: { error: name, status } }),
      // RFC 6750 section 3.1: none, or none that is good, and one that does not reach so far.
      wantsToken: status === 401 || status === 403,
    };
  const wait = parseRetryAfter(headers.get('retry-after'), clock.now()) ?? retryAfter.fallback;
  const first = waitAsTold(wait);
  const until = Math.trunc(clock.now()) + wait * 1_000;
  const detail = { retryAt: until, status };
  return {
    kind: 'passing',
    error: new PosternError('REG_UNAVAILABLE', { stage, detail, remedy: first }),
    first,
    until,
  };
}
