import { processPushedAuthorizationResponse, pushedAuthorizationRequest } from 'oauth4webapi';
import { afterAuthorizationRefusal } from '../../../shared/error-catalogue/sign-in-errors.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { displayPlace } from '../../address/display-text.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { bodyLimit, deadline, urlLength } from '../../limits.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import { withParameters } from '../authorization/authorization-request.ts';
import type { AuthorizationRequest } from '../authorization/authorization-request.ts';
import type { AuthorizationResponse } from '../authorization/authorization-response.ts';
import {
  alternativesTo,
  applyClientAuthentication,
  askInTurn,
  chooseClientAuthentication,
  withAuthentication,
} from '../client/client-authentication.ts';
import type { ClientAuthentication } from '../client/client-authentication.ts';
import type { ClientCredentials } from '../client/client-credentials.ts';
import { UnmetDemand } from '../discovery/unmet-demand.ts';
import { exchangeProven, isSuccess, toReadResponse } from '../wire/http-fetch.ts';
import { readJsonDocument } from '../wire/json-document.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';
import { isJsonObject } from '../wire/oauth-error.ts';
import { checkTokenEndpoint } from './token-endpoint.ts';
import { readRefusal } from './token-refusal.ts';
import type { TokenRefusal } from './token-refusal.ts';
import { readLifetime } from './token-response.ts';

/**
 * - `pushed`: the browser opens a reference to the request, before `openBefore` (milliseconds since 1970), after which
 *   the service has forgotten it. `credentials`: with the way of authenticating that the service took.
 * - `authorization-refused`: as its page would have refused it.
 */
export type PushAnswer =
  | {
      readonly kind: 'pushed';
      readonly request: AuthorizationRequest;
      readonly credentials: ClientCredentials;
      readonly openBefore: number;
    }
  | Extract<AuthorizationResponse, { kind: 'authorization-refused' }>;

export interface Push {
  readonly request: AuthorizationRequest;
  readonly credentials: ClientCredentials;
  readonly metadata: AuthorizationServerMetadata;
  readonly endpoint: CheckedAddress;
  /** A registration from an earlier sign-in: when it is refused it is forgotten, and no other way is tried. */
  readonly reused: boolean;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where the request has to be pushed: the service wants it of everybody (RFC 9126 section 5) or of this client (section
 * 6), or the person does (`wanted`) and the service offers it. `undefined`: it stands in the address of the sign-in
 * page. Errors: DEMAND_UNMET where it has to be and the service names no address for it.
 */
export function pushEndpoint(
  metadata: AuthorizationServerMetadata,
  { pushesRequests }: Pick<ClientCredentials, 'pushesRequests'>,
  wanted: boolean,
): CheckedAddress | undefined {
  const endpoint = metadata.pushed_authorization_request_endpoint;
  const must = metadata.require_pushed_authorization_requests === true || pushesRequests === true;
  if (must && endpoint === undefined) {
    const host = URL.parse(metadata.token_endpoint)?.host ?? '';
    throw new UnmetDemand({ stage: 'authorization', detail: { demand: 'pushed-request', host } });
  }
  return must || wanted ? endpoint : undefined;
}

/**
 * Hands an authorization request to the service itself (RFC 9126 section 2), so that the browser carries a reference
 * alone. The client authenticates as at the token endpoint, and where it is refused in each other way once.
 * Errors: those of `Http.exchange`, TOKEN_ENDPOINT_INSECURE, HOST_BLOCKED, TOKEN_RESPONSE_INVALID, TOKEN_RATE_LIMITED,
 * TOKEN_SERVER_ERROR, PROOF_REFUSED.
 */
export async function pushAuthorizationRequest(
  ports: { readonly http: Http; readonly clock: Clock },
  push: Push,
): Promise<PushAnswer> {
  const { credentials, metadata, reused } = push;
  const page = metadata.authorization_endpoint;
  if (page === undefined) throw new PosternError('INTERNAL', { stage: 'authorization' });
  const first = chooseClientAuthentication(credentials, metadata);
  const ways = [first, ...(reused ? [] : alternativesTo(first, credentials, metadata))] as const;
  const { way, answer } = await askInTurn(ways, credentials, async (each) => {
    const response = await send(ports, push, each);
    if (isSuccess(response.status)) return { kind: 'accepted', response } as const;
    return { ...readRefusal(response, ports.clock, 'authorization'), response };
  });
  if (answer.kind === 'refused') return refused(answer, answer.response);
  if (answer.kind !== 'accepted') throw answer.error;
  const { requestUri, lifetime } = await readPushed(answer.response, push.request);
  const reference = new Map([
    ['client_id', push.request.clientId],
    ['request_uri', requestUri],
  ]);
  return {
    kind: 'pushed',
    request: { ...push.request, url: withParameters(page, reference) },
    credentials: way === first ? credentials : withAuthentication(credentials, way),
    openBefore: Math.trunc(ports.clock.now()) + lifetime * 1_000,
  };
}

function send(
  ports: { readonly http: Http; readonly clock: Clock },
  { request, credentials, endpoint, policy, signal }: Push,
  way: ClientAuthentication,
): Promise<HttpResponse> {
  const url = checkTokenEndpoint(endpoint, request.issuerKey, policy, 'authorization');
  return exchangeProven(
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
        applyClientAuthentication(way, credentials),
        Object.fromEntries(request.parameters),
        options,
      ),
  );
}

/** A refusal of the client is told as the token endpoint's; any other as the sign-in page's (RFC 9126 section 2.3). */
function refused({ name, error, isAboutResource }: TokenRefusal, { url, status }: HttpResponse): PushAnswer {
  // What is wrong with the client stays as it was told: that is what is typed or registered anew.
  const isOfClient = name === 'invalid_client' || name === 'unauthorized_client';
  if (isOfClient) return { kind: 'authorization-refused', name, error };
  const detail = { host: displayPlace(new URL(url)), error: name, status };
  const told = { stage: 'authorization', detail, ...afterAuthorizationRefusal(name, isAboutResource) } as const;
  return { kind: 'authorization-refused', name, error: new PosternError('AS_ERROR', told) };
}

/** Seconds for a service that does not tell its own: what most of them use. */
const usualLifetime = 60;

/** What the address of a page may carry. */
const visible = /^[\u0021-\u007e]+$/;

/** RFC 9126 section 2.2; the library's own rules are about those two members, and want a 201. */
async function readPushed(
  answer: HttpResponse,
  { expectedIss, clientId }: AuthorizationRequest,
): Promise<{ readonly requestUri: string; readonly lifetime: number }> {
  const invalid = (cause?: unknown): PosternError =>
    new PosternError('TOKEN_RESPONSE_INVALID', { stage: 'authorization', cause });
  let document: unknown;
  try {
    document = readJsonDocument(answer, { stage: 'authorization' });
  } catch (error) {
    throw invalid(error);
  }
  const { request_uri: requestUri, expires_in: told } = isJsonObject(document) ? document : {};
  const isReference = typeof requestUri === 'string' && visible.test(requestUri);
  if (!isReference || requestUri.length > urlLength.received) throw invalid();
  const lifetime = readLifetime(told) ?? usualLifetime;
  try {
    const wire = { request_uri: requestUri, expires_in: lifetime };
    await processPushedAuthorizationResponse(
      { issuer: expectedIss },
      { client_id: clientId },
      toReadResponse(wire, 201),
    );
  } catch {
    // Its errors carry the body, and whoever has the reference can open the page: no cause.
    throw invalid();
  }
  return { requestUri, lifetime };
}
