import { ClientSecretPost, None, PrivateKeyJwt } from 'oauth4webapi';
import type { AuthorizationServer, ClientAuth } from 'oauth4webapi';
import type { ClientAuthenticationMethod, SecretMethod } from '../../../shared/choices.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest } from '../../errors/request-error.ts';
import { addressOfKey, isSubdomainException } from '../../issuer-key.ts';
import { Secret } from '../../secret.ts';
import type { AuthorizationServerMetadata, SigningAlgorithm } from '../http/metadata-schemas.ts';
import type { ErrorResponse, OAuthErrorName } from '../http/oauth-error.ts';
import { algorithmOf, importClientKey } from './client-credentials.ts';
import type { ClientCredentials } from './client-credentials.ts';

/** One client authentication method at the token endpoint. */
export type ClientAuthentication =
  | {
      readonly method: ClientAuthenticationMethod;
      /** Basic without form encoding, for servers that do not decode the header. */
      readonly raw: boolean;
    }
  /** With a client-signed assertion (RFC 7523 section 2.2). */
  | { readonly method: 'private_key_jwt'; readonly algorithm: SigningAlgorithm };

const post: ClientAuthentication = { method: 'client_secret_post', raw: false };
const basic = (raw: boolean): ClientAuthentication => ({ method: 'client_secret_basic', raw });

type SupportedMethods = Pick<
  AuthorizationServerMetadata,
  'token_endpoint_auth_methods_supported' | 'token_endpoint_auth_signing_alg_values_supported'
>;

/**
 * Client authentication: with the client's key, if any; as its registration said (or as learned); else as the metadata
 * lists, form fields before Basic; else form fields (spec 4.4). Without a secret only `client_id` is sent (RFC 6749
 * section 3.2.1).
 */
export function chooseClientAuthentication(
  credentials: ClientCredentials,
  metadata?: SupportedMethods,
): ClientAuthentication {
  const { clientKey } = credentials;
  if (clientKey) return { method: 'private_key_jwt', algorithm: algorithmOf(clientKey, metadata) };
  if (credentials.clientSecret === undefined) return { method: 'none', raw: false };
  const method = credentials.authentication ?? pickSupportedMethod(metadata) ?? 'client_secret_post';
  return { method, raw: method === 'client_secret_basic' && credentials.rawBasic === true };
}

/**
 * What else to try if `first` is refused, in order, each once: Basic without encoding if encoding changes the ID or
 * secret, then the other method. A client with a key has no alternative.
 */
export function alternativesTo(
  first: ClientAuthentication,
  credentials: ClientCredentials,
  metadata?: SupportedMethods,
): ClientAuthentication[] {
  const { clientId, clientSecret } = credentials;
  if (clientSecret === undefined || first.method === 'private_key_jwt') return [];
  const encodingMatters = [clientId, clientSecret.reveal()].some((text) => encode(text) !== text);
  switch (first.method) {
    case 'client_secret_post':
      return encodingMatters ? [basic(false), basic(true)] : [basic(false)];
    case 'client_secret_basic':
      return encodingMatters ? [basic(!first.raw), post] : [post];
    case 'none':
      return [pickSupportedMethod(metadata) === 'client_secret_basic' ? basic(false) : post];
  }
}

/**
 * The other method to try if the client may not have been seen: servers that read only form fields ignore a Basic
 * header, and the other way around (spec 4.4 and 5.3).
 */
export function otherMethod(
  others: readonly ClientAuthentication[],
  { method }: ClientAuthentication,
): ClientAuthentication[] {
  return others.filter((other) => other.method !== method).slice(0, 1);
}

/** The server closed the connection after it got the request. */
export function isClosedConnection(error: unknown): error is LostRequest {
  return error instanceof LostRequest && (error.fault === 'closed' || error.fault === 'cut-off');
}

interface ClientResponse {
  readonly kind: string;
  readonly name?: OAuthErrorName;
  readonly body?: ErrorResponse['body'];
  readonly retryAfter?: number;
}

/** Whether a response is about the client; `unread`: the client may not have been seen. */
export function clientDoubt({ kind, name, body, retryAfter }: ClientResponse): 'client' | 'unread' | undefined {
  if (kind === 'busy') return retryAfter === undefined ? 'unread' : undefined;
  if (name === 'invalid_client') return 'client';
  return name === 'invalid_request' || (name === 'unknown' && body !== 'json') ? 'unread' : undefined;
}

/**
 * Tries the first method; while the client itself is refused (`invalid_client`, RFC 6749 section 5.2), each other one
 * once; and, unless the method is `settled`, the other method once if the client may not have been seen. Only for
 * requests that a refusal does not use up. Returns the first response that is not about the client, otherwise the most
 * specific one.
 */
export async function tryInTurn<Result extends ClientResponse>(
  authentications: readonly [ClientAuthentication, ...ClientAuthentication[]],
  { settled }: Pick<ClientCredentials, 'settled'>,
  send: (authentication: ClientAuthentication) => Promise<Result>,
): Promise<{ readonly authentication: ClientAuthentication; readonly result: Result }> {
  const [first, ...others] = authentications;
  const firstTry = { authentication: first, result: await tryOnce(send, first) };
  const doubt = firstTry.result instanceof LostRequest ? 'unread' : clientDoubt(firstTry.result);
  const remaining = doubt === 'client' ? others : doubt === 'unread' && !settled ? otherMethod(others, first) : [];
  for (const authentication of remaining) {
    const result = await tryOnce(send, authentication);
    if (result instanceof LostRequest) {
      if (doubt === 'client') throw result;
      continue;
    }
    const nextDoubt = clientDoubt(result);
    if (nextDoubt === undefined || (doubt === 'client' && nextDoubt === 'unread')) return { authentication, result };
  }
  const { authentication, result } = firstTry;
  if (result instanceof LostRequest) throw result;
  return { authentication, result };
}

async function tryOnce<Result>(
  send: (authentication: ClientAuthentication) => Promise<Result>,
  authentication: ClientAuthentication,
): Promise<Result | LostRequest> {
  try {
    return await send(authentication);
  } catch (error) {
    if (isClosedConnection(error)) return error;
    throw error;
  }
}

/** The client, with the authentication method that worked. */
export function withAuthentication(
  credentials: ClientCredentials,
  authentication: ClientAuthentication,
): ClientCredentials {
  const { rawBasic: _, clientKey, ...rest } = credentials;
  if (authentication.method !== 'private_key_jwt') {
    const { method, raw } = authentication;
    return { ...rest, authentication: method, ...(raw && { rawBasic: true }), settled: true };
  }
  return {
    ...rest,
    ...(clientKey && { clientKey: new Secret({ ...clientKey.reveal(), alg: authentication.algorithm }) }),
  };
}

/** The client, with the method the user chose for its secret: no longer in doubt. */
export function withChosenMethod(credentials: ClientCredentials, method: SecretMethod | undefined): ClientCredentials {
  if (method === undefined || credentials.clientSecret === undefined || credentials.clientKey) return credentials;
  const { rawBasic, ...rest } = credentials;
  const isSame = credentials.authentication === method;
  return { ...rest, ...(isSame && rawBasic && { rawBasic }), authentication: method, settled: true };
}

/** In the library's form. */
export function applyClientAuthentication(
  authentication: ClientAuthentication,
  { clientSecret, clientKey, issuerKey }: Pick<ClientCredentials, 'clientSecret' | 'clientKey' | 'issuerKey'>,
): ClientAuth {
  if (authentication.method === 'private_key_jwt') {
    if (clientKey === undefined) throw new PosternError('INTERNAL', { stage: 'token' });
    return async (server, client, body, headers) => {
      const key = await importClientKey(clientKey, authentication.algorithm);
      const issuer = audienceOf(issuerKey, server);
      await PrivateKeyJwt(key)({ ...server, issuer }, client, body, headers);
    };
  }
  if (clientSecret === undefined || authentication.method === 'none') return None();
  if (authentication.method === 'client_secret_post') return ClientSecretPost(clientSecret.reveal());
  // Not the library's: servers that decode only reserved characters reject its `%2D` for `-`.
  const encodeForm = authentication.raw ? (text: string) => text : encode;
  return (_server, client, _body, headers) => {
    const pair = `${encodeForm(client.client_id)}:${encodeForm(clientSecret.reveal())}`;
    headers.set('authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`);
  };
}

/**
 * Audience of a client assertion: only the issuer, so that it is useless elsewhere (draft-ietf-oauth-rfc7523bis section
 * 4, FAPI 2.0 section 5.3.3.1), or the typed token endpoint, whose issuer is unproven. Under the subdomain exception
 * the issuer is on another host than the recipient, which could replay the assertion there; so the audience is the
 * recipient's own address (RFC 7523 section 3).
 */
function audienceOf(issuerKey: IssuerKey, server: AuthorizationServer): string {
  if (!isSubdomainException(issuerKey)) return addressOfKey(issuerKey);
  const { token_endpoint, revocation_endpoint, pushed_authorization_request_endpoint } = server;
  const other = pushed_authorization_request_endpoint ?? server.device_authorization_endpoint;
  const endpoint = token_endpoint ?? revocation_endpoint ?? other;
  if (endpoint === undefined) throw new PosternError('INTERNAL', { stage: 'token' });
  return endpoint;
}

/** RFC 6749 section 2.3.1, appendix B. A lone surrogate has no UTF-8 form and would throw. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function pickSupportedMethod(metadata: SupportedMethods | undefined): ClientAuthenticationMethod | undefined {
  const listed = metadata?.token_endpoint_auth_methods_supported ?? [];
  return (['client_secret_post', 'client_secret_basic', 'none'] as const).find((method) => listed.includes(method));
}
