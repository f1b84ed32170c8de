import { clientCredentialsGrantRequest, genericTokenEndpointRequest } from 'oauth4webapi';
import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import type { Stage } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import { checkAddress, checkPublishedAddress } from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { parseAddress, UnencryptedAddress } from '../../address/parse-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import type { Secret } from '../../secret.ts';
import { sendRequestWithProof } from '../http/send-request.ts';
import type { ProofOptions } from '../http/send-request.ts';
import type { ProofKey } from '../http/proof-key.ts';
import { transientRefreshError } from './refresh-failure.ts';
import type { TokenSet } from './token-set.ts';

interface TokenEndpoint {
  readonly tokenEndpoint: string;
  readonly issuerKey: IssuerKey;
  readonly policy: AddressPolicy;
  /** Key that the access token is, or will be, bound to. */
  readonly key: ProofKey | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends one request to a token endpoint; `request` builds it for the checked address.
 * Errors: those of `checkTokenEndpoint` and `sendRequestWithProof`.
 */
export async function exchangeAtTokenEndpoint(
  ports: { readonly http: Http; readonly clock: Clock },
  { tokenEndpoint, issuerKey, policy, key, signal }: TokenEndpoint,
  stage: 'token' | 'refresh',
  request: (endpoint: CheckedAddress, options: ProofOptions) => Promise<unknown>,
): Promise<HttpResponse> {
  const endpoint = checkTokenEndpoint(tokenEndpoint, issuerKey, policy, stage);
  const limits = { deadline: deadline.token, bodyLimit: bodyLimit.token };
  return await sendRequestWithProof(
    ports,
    endpoint,
    { purpose: stage, stage, policy, ...limits, signal, key },
    (options) => request(endpoint, options),
  );
}

/**
 * Checks an address right before it gets a code, token or secret: it may come from storage, and the policy may have
 * changed since discovery.
 * Errors: TOKEN_ENDPOINT_INSECURE if it is unencrypted and may not be, HOST_BLOCKED, URL_*.
 */
export function checkTokenEndpoint(
  endpoint: string,
  issuerKey: IssuerKey,
  policy: AddressPolicy,
  stage: Stage,
): CheckedAddress {
  try {
    const publisher = URL.parse(issuerKey);
    if (publisher === null) return checkAddress(parseAddress(endpoint, stage), policy, stage);
    return checkPublishedAddress(endpoint, { member: 'token_endpoint', publisher }, policy, stage);
  } catch (error) {
    if (!(error instanceof UnencryptedAddress)) throw error;
    throw new PosternError('TOKEN_ENDPOINT_INSECURE', { stage, cause: error, detail: error.detail });
  }
}

const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What the client requests: for the subject of the assertion (RFC 7523 section 2.1), or for itself without one. */
export interface ClientGrant {
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
  readonly assertion?: Secret | undefined;
}

/** One client grant request, without a user's sign-in (RFC 6749 section 4.4.2, RFC 7521 section 4.1, RFC 8707 2.2). */
export async function sendClientGrant(
  server: AuthorizationServer,
  client: Client,
  clientAuth: ClientAuth,
  { scope, resource, assertion }: ClientGrant,
  options: ProofOptions,
): Promise<Response> {
  const parameters = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) };
  if (!assertion) return await clientCredentialsGrantRequest(server, client, clientAuth, parameters, options);
  const withAssertion = { ...parameters, assertion: assertion.reveal() };
  return await genericTokenEndpointRequest(server, client, clientAuth, jwtBearerGrant, withAssertion, options);
}

/** Sent by a gateway that cannot reach the server (RFC 9110 sections 15.6.3 to 15.6.5). */
const gatewayOutageStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Why the token endpoint is unreachable, or `undefined` if it responds. Every token endpoint refuses a GET without
 * parameters (RFC 6749 section 3.2), and it changes nothing, so an outage does not cost a refresh token its last
 * attempt. Any refusal, even a 500, shows that the endpoint is up.
 * Returns REFRESH_TRANSIENT; throws errors of the address rule.
 */
export async function findTokenEndpointOutage(
  http: Http,
  { tokenEndpoint, issuerKey }: Pick<TokenSet, 'tokenEndpoint' | 'issuerKey'>,
  policy: AddressPolicy,
): Promise<PosternError | undefined> {
  const url = checkTokenEndpoint(tokenEndpoint, issuerKey, policy, 'refresh');
  try {
    const { status } = await http.exchange({
      purpose: 'refresh',
      stage: 'refresh',
      method: 'GET',
      url,
      policy,
      redirects: 'none',
      deadline: deadline.revocation,
      bodyLimit: bodyLimit.token,
    });
    return gatewayOutageStatuses.has(status) ? transientRefreshError(url, { status }) : undefined;
  } catch (error) {
    if (!(error instanceof PosternError) || hasTrait(error, 'forbidden-host')) throw error;
    // Any other failure still means that there was a response.
    if (!hasTrait(error, 'unanswered')) return undefined;
    return transientRefreshError(url, { cause: error });
  }
}
