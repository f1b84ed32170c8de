import { noteIf } from '../../../shared/compatibility-notes.ts';
import { tellOfRegistration } from '../../../shared/error-catalogue/token-errors.ts';
import { displayPlace } from '../../address/display-place.ts';
import { PosternError } from '../../postern-error.ts';
import type { Clock, Http } from '../../ports.ts';
import type { AuthorizationRequest } from '../authorization/authorization-request.ts';
import { alternativesTo, chooseClientAuthentication, withAuthentication } from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import type { OAuthErrorName } from '../wire/oauth-error.ts';
import { sendCode } from './send-code.ts';
import type { CodeExchange, ExchangeFailure } from './send-code.ts';
import type { TokenRefusal } from './token-refusal.ts';
import type { TokenGrant } from './token-response.ts';
import type { TokenSet } from './token-set.ts';

/**
 * What came of an exchange, with the error that tells a person of it.
 * - `exchange-refused`: each way to authenticate was; `name` is of the refusal that says most.
 * - `code-lost`: the first, refused way of authenticating had used up the code: the server then knew the client and
 *   answered `invalid_grant`. With these credentials the next exchange begins with the way that was accepted.
 * - `proof-refused`: the proof of the key that the tokens were to be bound to was, as it would be again.
 * - `exchange-failed`: there was neither a grant nor a refusal, and the code is not sent again.
 */
export type CodeAnswer =
  | { readonly kind: 'tokens'; readonly tokens: TokenSet; readonly credentials: ClientCredentials }
  | { readonly kind: 'exchange-refused'; readonly name: OAuthErrorName; readonly error: PosternError }
  | { readonly kind: 'proof-refused'; readonly error: PosternError }
  | { readonly kind: 'code-lost'; readonly credentials: ClientCredentials; readonly error: PosternError }
  | ExchangeFailure;

/** What the tokens, or the client, are noted with where another way of authenticating than the agreed one worked. */
export const otherAuthenticationNote = 'other-client-authentication';

/**
 * Exchanges the code for tokens (RFC 6749 section 4.1.3, RFC 7636 section 4.5, RFC 8707 section 2.2, spec 4.4).
 * The code is sent again only after a refusal other than `invalid_grant`: once with the other method of client
 * authentication, since servers that do not see the client in a Basic header refuse with anything; where the client
 * itself was refused, Basic without encoding once besides.
 * Answers the tokens and the credentials with the way that worked. A reused registration that the server does not know
 * any more is told as CLIENT_REJECTED. What `exchange-failed` tells: the errors of `Http.exchange` and
 * `readTokenResponse`, TOKEN_RATE_LIMITED, TOKEN_SERVER_ERROR, TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED,
 * REG_ISSUER_MISMATCH. Errors: USER_CANCELLED.
 */
export async function exchangeAuthorizationCode(
  ports: { readonly http: Http; readonly clock: Clock },
  exchange: CodeExchange,
): Promise<CodeAnswer> {
  const { request, credentials, metadata } = exchange;
  if (credentials.issuerKey !== request.issuerKey || credentials.clientId !== request.clientId) {
    return { kind: 'exchange-failed', error: new PosternError('REG_ISSUER_MISMATCH', { stage: 'token' }) };
  }
  const first = chooseClientAuthentication(credentials, metadata);
  let others = alternativesTo(first, credentials, metadata);
  let told: Told | undefined;
  for (let authentication: ClientAuthentication | undefined = first; authentication; authentication = others.shift()) {
    const isFirst = authentication === first;
    const answer = await sendCode(ports, exchange, authentication);
    if (answer.kind === 'exchange-failed') {
      if (told?.of === 'request') break;
      return answer;
    }
    if (answer.kind === 'proof-refused') return answer;
    if (answer.kind === 'granted') {
      const { grant } = answer;
      const notes = [...grant.notes, ...noteIf(!isFirst, otherAuthenticationNote)];
      return {
        kind: 'tokens',
        tokens: bindTokens({ ...grant, notes }, request, metadata.revocation_endpoint),
        credentials: withAuthentication(credentials, authentication),
      };
    }
    const of = subjectOf(answer.name);
    // The code may be gone because the first request was understood and refused for what it held.
    if (of === 'code' && told?.of === 'request') break;
    if (of === 'code' && isFirst) return { ...answer, kind: 'exchange-refused' };
    if (of === 'code')
      return { ...answer, kind: 'code-lost', credentials: withAuthentication(credentials, authentication) };
    if (of === 'client' && exchange.reused === true) return rejectedClient(answer);
    if (of !== 'client') others = withOtherMethod(others, authentication);
    if (!told || subjects.indexOf(of) > subjects.indexOf(told.of)) told = { of, refusal: answer };
  }
  if (!told) throw new PosternError('INTERNAL', { stage: 'token' });
  return refusedExchange(told, exchange);
}

/** What a refusal is of; `unclear` and `form` where the client may not have been seen. What says more stands later. */
const subjects = ['unclear', 'client', 'form', 'request', 'code'] as const;

type Subject = (typeof subjects)[number];

interface Told {
  readonly of: Subject;
  readonly refusal: TokenRefusal;
}

/** RFC 6749 section 5.2, RFC 8707 section 2. */
function subjectOf(name: OAuthErrorName): Subject {
  switch (name) {
    case 'invalid_grant':
      return 'code';
    case 'invalid_client':
    case 'unauthorized_client':
      return 'client';
    case 'invalid_request':
      return 'form';
    case 'invalid_target':
    case 'invalid_scope':
    case 'unsupported_grant_type':
      return 'request';
    default:
      return 'unclear';
  }
}

function withOtherMethod(
  others: readonly ClientAuthentication[],
  { method }: ClientAuthentication,
): ClientAuthentication[] {
  return others.filter((other) => other.method !== method);
}

/** What was granted, with the service that it goes back to. */
export function bindTokens(
  grant: TokenGrant,
  request: Pick<AuthorizationRequest, 'issuerKey' | 'resource' | 'tokenEndpoint' | 'binding'>,
  revocationEndpoint: string | undefined,
): TokenSet {
  const { accessToken, isBound, refreshToken, scope, account, holder, person, expiresIn, receivedAt, notes } = grant;
  return {
    accessToken,
    ...(grant.identity && { identity: grant.identity }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(scope !== undefined && { scope }),
    ...(account !== undefined && { account }),
    holder,
    ...(person && { person }),
    ...(expiresIn !== undefined && { expiresAt: receivedAt.wall + expiresIn * 1000 }),
    receivedAt,
    issuerKey: request.issuerKey,
    ...(request.resource !== undefined && { resource: request.resource }),
    tokenEndpoint: request.tokenEndpoint,
    ...(revocationEndpoint !== undefined && { revocationEndpoint }),
    ...(request.binding && { binding: { ...request.binding, bindsAccess: isBound } }),
    notes,
  };
}

function rejectedClient({ name, error: cause }: TokenRefusal): CodeAnswer {
  const error = new PosternError('CLIENT_REJECTED', { stage: 'token', cause, detail: cause.detail });
  return { kind: 'exchange-refused', name, error };
}

/** Nobody has typed a client that the server registered itself, so nobody can check it. */
function refusedExchange({ of, refusal }: Told, { request, credentials }: CodeExchange): CodeAnswer {
  const refused = { ...refusal, kind: 'exchange-refused' } as const;
  if (of !== 'client' || credentials.source !== 'registered') return refused;
  const remedy = tellOfRegistration(displayPlace(new URL(request.tokenEndpoint)));
  return { ...refused, error: refusal.error.with({ remedy }) };
}
