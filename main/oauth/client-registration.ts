import { retryAfter } from '../limits.ts';
import type { Clock, Http, HttpResponse } from '../ports.ts';
import { PosternError } from '../postern-error.ts';
import { readErrorAnswer } from './oauth-error.ts';
import type { RegistrationRequest } from './registration-request.ts';
import { sendRegistration } from './registration-request.ts';
import type { ClientRegistration } from './registration-response.ts';
import { readRegistrationResponse } from './registration-response.ts';
import { parseRetryAfter } from './retry-after.ts';

/**
 * Registers Postern (RFC 7591 section 3, spec 2.4). A 400 is answered once with the same request without `scope`,
 * since servers refuse scopes that they do not list; nothing else is sent twice, so that no orphan is left.
 * Errors: those of `Http.exchange`, DCR_REJECTED (detail `error`, `status`), REG_UNAVAILABLE (detail `retryAfter` in
 * seconds, `retryAt` in milliseconds since 1970, `status`), DCR_RESPONSE_INVALID, DCR_REDIRECT_CHANGED, DCR_SECRET_EXPIRED; DCR_UNSUPPORTED when the
 * metadata names no registration endpoint.
 */
export async function registerClient(
  ports: { readonly http: Http; readonly clock: Clock },
  request: RegistrationRequest,
): Promise<ClientRegistration> {
  if (request.metadata.registration_endpoint === undefined) {
    throw new PosternError('DCR_UNSUPPORTED', { stage: 'registration' });
  }
  const notes: string[] = [];
  let answer = await sendRegistration(ports.http, request, request.scope);
  if (answer.status === 400 && request.scope !== undefined) {
    notes.push('registered-without-scope');
    answer = await sendRegistration(ports.http, request, undefined);
  }
  refuseErrorStatus(answer, ports.clock);
  const { issuer } = request.metadata;
  const registration = await readRegistrationResponse(answer, ports.clock, {
    issuer,
    redirectUri: request.redirectUri,
  });
  return { ...registration, notes: [...notes, ...registration.notes] };
}

function refuseErrorStatus(answer: HttpResponse, clock: Clock): void {
  const { status, headers } = answer;
  if (status >= 200 && status <= 299) return;
  if (status === 429 || status >= 500) {
    const wait = parseRetryAfter(headers.get('retry-after'), clock.now()) ?? retryAfter.fallback;
    const retryAt = Math.trunc(clock.now()) + wait * 1_000;
    throw new PosternError('REG_UNAVAILABLE', { stage: 'registration', detail: { retryAfter: wait, retryAt, status } });
  }
  const { error } = readErrorAnswer(answer);
  throw new PosternError('DCR_REJECTED', { stage: 'registration', detail: { error, status } });
}
