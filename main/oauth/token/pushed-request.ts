import { processPushedAuthorizationResponse, pushedAuthorizationRequest } from 'oauth4webapi';
import { afterAuthorizationRefusal } from '../../../shared/error-catalog/sign-in-errors.ts';
import { isObject } from '../../../shared/json-object.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { displayHostAndPort } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { bodyLimit, deadline, urlLength } from '../../limits.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { withParameters } from '../authorization/authorization-request.ts';
import type { AuthorizationRequest } from '../authorization/authorization-request.ts';
import type { AuthorizationResponse } from '../authorization/authorization-response.ts';
import {
  alternativesTo,
  applyClientAuthentication,
  tryInTurn,
  chooseClientAuthentication,
  withAuthentication,
} from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { UnmetDemand } from '../discovery/unmet-demand.ts';
import { sendRequestWithProof, isSuccess, toLibraryResponse } from '../http/send-request.ts';
import { readJsonDocument } from '../http/json-document.ts';
import type { AuthorizationServerMetadata } from '../http/metadata-schemas.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import { readTokenFailure } from './token-failure.ts';
import type { TokenRefusal } from './token-failure.ts';
import { readLifetime } from './token-response.ts';

/**
 * - `pushed`: the browser opens a reference to the request, before `openBefore` (milliseconds since 1970), when it
 *   expires. `credentials`: with the authentication method that the service accepted.
 * - `authorization-refused`: refused as the sign-in page would have.
 */
type PushResult =
  | {
      readonly kind: 'pushed';
      readonly request: AuthorizationRequest;
      readonly credentials: ClientCredentials;
      readonly openBefore: number;
    }
  | Extract<AuthorizationResponse, { kind: 'authorization-refused' }>;

interface Push {
  readonly request: AuthorizationRequest;
  readonly credentials: ClientCredentials;
  readonly metadata: AuthorizationServerMetadata;
  readonly endpoint: CheckedAddress;
  /** A registration from an earlier sign-in: if refused, it is discarded, and no other method is tried. */
  readonly reused: boolean;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where to push the request: if the service requires it of every client (RFC 9126 section 5) or of this client (section
 * 6), or if the user chose it (`wanted`) and the service supports it. `undefined`: the parameters go in the URL of the
 * sign-in page.
 * Errors: DEMAND_UNMET if it is required and the service names no endpoint.
 */
export function pushEndpoint(
  metadata: AuthorizationServerMetadata,
  { pushesRequests }: Pick<ClientCredentials, 'pushesRequests'>,
  isChosen: boolean,
): CheckedAddress | undefined {
  const endpoint = metadata.pushed_authorization_request_endpoint;
  const isRequired = metadata.require_pushed_authorization_requests === true || pushesRequests === true;
  if (isRequired && endpoint === undefined) {
    const host = URL.parse(metadata.token_endpoint)?.host ?? '';
    throw new UnmetDemand({ stage: 'authorization', detail: { demand: 'pushed-request', host } });
  }
  return isRequired || isChosen ? endpoint : undefined;
}

/**
 * Pushes an authorization request to the service (RFC 9126 section 2), so that the browser carries only a reference.
 * The client authenticates as at the token endpoint; if refused, it tries each other method once.
 * Errors: those of `Http.exchange`, TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED, TOKEN_RESPONSE_INVALID, TOKEN_RATE_LIMITED,
 * TOKEN_SERVER_ERROR, PROOF_REFUSED.
 */
export async function pushAuthorizationRequest(
  ports: { readonly http: Http; readonly clock: Clock },
  push: Push,
): Promise<PushResult> {
  const { credentials, metadata, reused } = push;
  const page = metadata.authorization_endpoint;
  if (page === undefined) throw new PosternError('INTERNAL', { stage: 'authorization' });
  const first = chooseClientAuthentication(credentials, metadata);
  const authentications = [first, ...(reused ? [] : alternativesTo(first, credentials, metadata))] as const;
  const { authentication, result } = await tryInTurn(authentications, credentials, async (each) => {
    const response = await send(ports, push, each);
    if (isSuccess(response.status)) return { kind: 'accepted', response } as const;
    return { ...readTokenFailure(response, ports.clock, 'authorization'), response };
  });
  if (result.kind === 'refused') return toRefusedResult(result, result.response);
  if (result.kind !== 'accepted') throw result.error;
  const { requestUri, lifetime } = await readPushed(result.response, push.request);
  const reference = new Map([
    ['client_id', push.request.clientId],
    ['request_uri', requestUri],
  ]);
  return {
    kind: 'pushed',
    request: { ...push.request, url: withParameters(page, reference) },
    credentials: authentication === first ? credentials : withAuthentication(credentials, authentication),
    openBefore: Math.trunc(ports.clock.now()) + lifetime * 1_000,
  };
}

function send(
  ports: { readonly http: Http; readonly clock: Clock },
  { request, credentials, endpoint, policy, signal }: Push,
  authentication: ClientAuthentication,
): Promise<HttpResponse> {
  const url = checkTokenEndpoint(endpoint, request.issuerKey, policy, 'authorization');
  return sendRequestWithProof(
    ports,
    url,
    {
      purpose: 'pushed-request',
      stage: 'authorization',
      policy,
      deadline: deadline.registration,
      bodyLimit: bodyLimit.token,
      signal,
      key: request.binding?.key,
    },
    (options) =>
      pushedAuthorizationRequest(
        { issuer: request.expectedIss, pushed_authorization_request_endpoint: url },
        { client_id: request.clientId },
        applyClientAuthentication(authentication, credentials),
        Object.fromEntries(request.parameters),
        options,
      ),
  );
}

/**
 * Reports a refusal of the client like the token endpoint's, any other like the sign-in page's (RFC 9126 section 2.3).
 */
function toRefusedResult({ name, error, isAboutResource }: TokenRefusal, { url, status }: HttpResponse): PushResult {
  // Keep the token endpoint's error: its remedy is to retype or re-register the client.
  const isOfClient = name === 'invalid_client' || name === 'unauthorized_client';
  if (isOfClient) return { kind: 'authorization-refused', name, error };
  const detail = { host: displayHostAndPort(new URL(url)), error: name, status };
  const errorOptions = { stage: 'authorization', detail, ...afterAuthorizationRefusal(name, isAboutResource) } as const;
  return { kind: 'authorization-refused', name, error: new PosternError('AS_ERROR', errorOptions) };
}

/** Default lifetime in seconds: what most services use. */
const usualLifetime = 60;

/** Characters allowed in a URL. */
const visible = /^[\u0021-\u007e]+$/;

/** RFC 9126 section 2.2; the library checks only those two members and wants a 201. */
async function readPushed(
  response: HttpResponse,
  { expectedIss, clientId }: AuthorizationRequest,
): Promise<{ readonly requestUri: string; readonly lifetime: number }> {
  const invalid = (cause?: unknown): PosternError =>
    new PosternError('TOKEN_RESPONSE_INVALID', { stage: 'authorization', cause });
  let document: unknown;
  try {
    document = readJsonDocument(response, { stage: 'authorization' });
  } catch (error) {
    throw invalid(error);
  }
  const { request_uri: requestUri, expires_in: expiresIn } = isObject(document) ? document : {};
  const isReference = typeof requestUri === 'string' && visible.test(requestUri);
  if (!isReference || requestUri.length > urlLength.received) throw invalid();
  const lifetime = readLifetime(expiresIn) ?? usualLifetime;
  try {
    const normalized = { request_uri: requestUri, expires_in: lifetime };
    await processPushedAuthorizationResponse(
      { issuer: expectedIss },
      { client_id: clientId },
      toLibraryResponse(normalized, 201),
    );
  } catch {
    // The library's errors include the body, and anyone with the reference can open the page: no cause.
    throw invalid();
  }
  return { requestUri, lifetime };
}
