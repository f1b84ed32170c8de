import { noteIf } from '../../../shared/compatibility-notes.ts';
import { waitRetryAfter } from '../../../shared/error-catalog/catalog-entry.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { NetworkRemedy } from '../../../shared/remedy.ts';
import type { CheckedAddress } from '../../address/check-address.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import { RequestError } from '../../errors/request-error.ts';
import { retryAfter } from '../../limits.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { UnmetDemand } from '../discovery/unmet-demand.ts';
import { isSuccess } from '../http/send-request.ts';
import { isTransient, readErrorResponse } from '../http/oauth-error.ts';
import type { OAuthErrorName } from '../http/oauth-error.ts';
import { parseRetryAfter } from '../http/response-headers.ts';
import type { ClientKey } from './client-credentials.ts';
import { keyForRegistration, sendRegistration } from './registration-request.ts';
import type { OmittedMembers, RegistrationRequest } from './registration-request.ts';
import { ExpiredSecret, readRegistrationResponse } from './registration-response.ts';
import type { ClientRegistration } from './registration-response.ts';

/**
 * Result of a registration, with an error for the user.
 * - `passing`: a temporary failure of the service or the network.
 * - `refused`: it would be refused again.
 */
export type RegistrationResult =
  | { readonly kind: 'registered'; readonly registration: ClientRegistration }
  /** `wantsToken`: registration needs an initial access token, and none or a wrong one was sent. */
  | { readonly kind: 'refused'; readonly error: PosternError; readonly wantsToken?: boolean }
  | {
      readonly kind: 'passing';
      readonly error: PosternError;
      /** The remedy for now. */
      readonly first: NetworkRemedy;
      /** No retry before then; milliseconds since 1970. */
      readonly until?: number;
    };

/**
 * Registers Postern (RFC 7591 section 3, spec 2.4). If the request itself is refused, it is retried without members
 * that servers refuse, as `furtherAttempts` lists. A request that the service may have obeyed is never repeated, so
 * that no orphan is left.
 * Failures: those of `Http.exchange`, DCR_REJECTED (detail `error`, `status`), REG_UNAVAILABLE (detail `retryAt` in
 * milliseconds since 1970, `status`), DCR_RESPONSE_INVALID, DCR_REDIRECT_CHANGED, DCR_SECRET_EXPIRED; DCR_UNSUPPORTED
 * if the metadata names no registration endpoint. Throws USER_CANCELLED, and DEMAND_UNMET, which is reported to the
 * user as such.
 */
export async function registerClient(
  ports: { readonly http: Http; readonly clock: Clock },
  request: RegistrationRequest,
): Promise<RegistrationResult> {
  try {
    return await register(ports, request);
  } catch (error) {
    if (!isExpectedError(error) || error instanceof UnmetDemand) throw error;
    if (error instanceof ExpiredSecret) return { kind: 'passing', error, first: waitRetryAfter() };
    if (!(error instanceof RequestError) || !isTransientFault(error)) return { kind: 'refused', error };
    return { kind: 'passing', error, first: error.faultRemedy ?? waitRetryAfter() };
  }
}

function isTransientFault(error: RequestError): boolean {
  return hasTrait(error, 'unanswered') && !hasTrait(error, 'tls') && !error.isPermanent;
}

async function register(
  ports: { readonly http: Http; readonly clock: Clock },
  request: RegistrationRequest,
): Promise<RegistrationResult> {
  const { registration_endpoint: endpoint } = request.metadata;
  if (endpoint === undefined) throw new PosternError('DCR_UNSUPPORTED', { stage: 'registration' });
  const clientKey = await keyForRegistration(request.metadata);
  let omitted: OmittedMembers = {};
  const attemptWithout = () => attemptRegistration(ports.http, endpoint, request, omitted, clientKey);
  let attempt = await attemptWithout();
  for (omitted of furtherAttempts(attempt, request.scope !== undefined)) {
    attempt = await attemptWithout();
    if (!isRequestRefused(attempt)) break;
  }
  const { response } = attempt;
  if (!isSuccess(response.status)) return refusalOf(attempt, ports.clock);
  const registration = await readRegistrationResponse(response, ports.clock, request, clientKey);
  const notes = [
    ...noteIf(omitted.scope === true, 'registered-without-scope'),
    ...noteIf(omitted.extras === true, 'registered-with-five-members'),
  ];
  return { kind: 'registered', registration: { ...registration, notes: [...notes, ...registration.notes] } };
}

interface Attempt {
  readonly response: HttpResponse;
  /** Error code of a refusal; `unknown` if it has none. */
  readonly error: OAuthErrorName;
}

async function attemptRegistration(
  http: Http,
  endpoint: CheckedAddress,
  request: RegistrationRequest,
  omitted: OmittedMembers,
  clientKey: ClientKey | undefined,
): Promise<Attempt> {
  const response = await sendRegistration(http, endpoint, request, omitted, clientKey);
  return { response, error: isSuccess(response.status) ? 'unknown' : readErrorResponse(response).error };
}

/**
 * 400 (RFC 7591 section 3.2.2), and 422 from frameworks that validate the body first. `server_error` may be all a
 * service says about an unexpected request.
 */
function isRequestRefused({ response: { status }, error }: Attempt): boolean {
  return (status === 400 || status === 422) && (error === 'server_error' || !isTransient(error));
}

/**
 * Retries after a refusal of the request, in order, each once: only the five members of spec 2.4, all but `scope`
 * (servers refuse scopes they do not list), the five without it. A refusal with a reason shortens the list. 500 with
 * `server_error` is how the proxy of the official SDK wraps its upstream's refusal: then only the scope is dropped,
 * once.
 */
function furtherAttempts(attempt: Attempt, hasScope: boolean): readonly OmittedMembers[] {
  const { response, error } = attempt;
  const attempts: readonly OmittedMembers[] = [{ extras: true }, { scope: true }, { extras: true, scope: true }];
  const possible = hasScope ? attempts : attempts.slice(0, 1);
  if (response.status === 500 && error === 'server_error') return possible.filter(({ extras }) => extras !== true);
  if (!isRequestRefused(attempt)) return [];
  // `application_type` decides which redirect URIs are allowed (OpenID Connect Dynamic Client Registration section 2).
  if (error === 'invalid_redirect_uri') return possible.slice(0, 1);
  return error === 'invalid_scope' ? possible.filter(({ scope }) => scope === true) : possible;
}

/** By code, Retry-After or status (RFC 9110 sections 15.5.9 and 15.6, RFC 6585 section 4); 501 is permanent. */
function isTransientFailure({ response: { status, headers }, error }: Attempt): boolean {
  if (isTransient(error) || (error === 'unknown' && headers.has('retry-after'))) return true;
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function refusalOf(attempt: Attempt, clock: Clock): RegistrationResult {
  const { response, error: name } = attempt;
  const { status, headers } = response;
  const stage = 'registration';
  if (!isTransientFailure(attempt))
    return {
      kind: 'refused',
      error: new PosternError('DCR_REJECTED', { stage, detail: { error: name, status } }),
      // RFC 6750 section 3.1: no token, an invalid one, or one with insufficient scope.
      wantsToken: status === 401 || status === 403,
    };
  const wait = parseRetryAfter(headers.get('retry-after'), clock.now()) ?? retryAfter.fallback;
  const first = waitRetryAfter(wait);
  const until = Math.trunc(clock.now()) + wait * 1_000;
  const detail = { retryAt: until, status };
  return {
    kind: 'passing',
    error: new PosternError('REG_UNAVAILABLE', { stage, detail, remedy: first }),
    first,
    until,
  };
}
