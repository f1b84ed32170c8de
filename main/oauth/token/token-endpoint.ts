import { clientCredentialsGrantRequest, genericTokenEndpointRequest } from 'oauth4webapi';
import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import type { Stage } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import { checkAddress, checkPublishedAddress } from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { parseAddress, UnencryptedAddress } from '../../address/parse-address.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import type { Clock, Http, HttpResponse } from '../../ports.ts';
import type { Secret } from '../../secret.ts';
import { exchangeProven } from '../wire/http-fetch.ts';
import type { ProvenOptions } from '../wire/http-fetch.ts';
import type { ProofKey } from '../wire/proof-key.ts';
import { renewLater } from './refresh-failure.ts';
import type { TokenSet } from './token-set.ts';

interface TokenEndpoint {
  readonly tokenEndpoint: string;
  readonly issuerKey: IssuerKey;
  readonly policy: AddressPolicy;
  /** What the request shows that the access is, or is to be, bound to. */
  readonly key: ProofKey | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One request at a token endpoint, whatever it asks for: `request` makes it for the address that was checked.
 * Errors: those of `checkTokenEndpoint` and `exchangeProven`.
 */
export async function exchangeAtTokenEndpoint(
  ports: { readonly http: Http; readonly clock: Clock },
  { tokenEndpoint, issuerKey, policy, key, signal }: TokenEndpoint,
  stage: 'token' | 'refresh',
  request: (endpoint: CheckedAddress, options: ProvenOptions) => Promise<unknown>,
): Promise<HttpResponse> {
  const endpoint = checkTokenEndpoint(tokenEndpoint, issuerKey, policy, stage);
  const limits = { deadline: deadline.token, bodyLimit: bodyLimit.token };
  return await exchangeProven(ports, endpoint, { purpose: stage, stage, policy, ...limits, signal, key }, (options) =>
    request(endpoint, options),
  );
}

/**
 * Checks an address that is about to receive a code, token or secret at the moment of use: it may have been stored, and
 * the policy may have changed since discovery.
 * Errors: TOKEN_ENDPOINT_INSECURE when it is not encrypted and not allowed to be, HOST_BLOCKED, URL_*.
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

/** What the client asks for. With an assertion for whom that is of (RFC 7523 section 2.1), else for itself. */
export interface ClientGrant {
  readonly scope?: string | undefined;
  readonly resource?: string | undefined;
  readonly assertion?: Secret | undefined;
}

/** One request of a client without a person's sign-in (RFC 6749 section 4.4.2, RFC 7521 section 4.1, RFC 8707 2.2). */
export async function sendClientGrant(
  server: AuthorizationServer,
  client: Client,
  proof: ClientAuth,
  { scope, resource, assertion }: ClientGrant,
  options: ProvenOptions,
): Promise<Response> {
  const asked = { ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) };
  if (!assertion) return await clientCredentialsGrantRequest(server, client, proof, asked, options);
  const shown = { ...asked, assertion: assertion.reveal() };
  return await genericTokenEndpointRequest(server, client, proof, jwtBearerGrant, shown, options);
}

/** A gateway answers them in place of a server that it cannot reach (RFC 9110 sections 15.6.3 to 15.6.5). */
const silentStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * Why the token endpoint cannot be asked now, or `undefined` when it answers. A GET without any parameter is refused
 * by every token endpoint (RFC 6749 section 3.2) and changes nothing, so an outage does not cost the last sending
 * that a refresh token has left. However it is refused, with 500 too, shows that somebody is there.
 * The result is REFRESH_TRANSIENT; errors of the address rule are thrown.
 */
export async function findSilence(
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
    return silentStatuses.has(status) ? renewLater(url, { status }) : undefined;
  } catch (error) {
    if (!(error instanceof PosternError) || isAbout(error, 'forbidden-host')) throw error;
    // Whatever else went wrong with the answer, there was one.
    if (!isAbout(error, 'unanswered')) return undefined;
    return renewLater(url, { cause: error });
  }
}
