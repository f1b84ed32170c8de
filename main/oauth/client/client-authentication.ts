import { ClientSecretPost, None, PrivateKeyJwt } from 'oauth4webapi';
import type { AuthorizationServer, ClientAuth } from 'oauth4webapi';
import type { ClientAuthenticationMethod, SecretMethod } from '../../../shared/choices.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { LostRequest } from '../../errors/request-error.ts';
import { addressOfKey, isUnderException } from '../../issuer-key.ts';
import { Secret } from '../../secret.ts';
import type { AuthorizationServerMetadata, SigningAlgorithm } from '../wire/messages.ts';
import type { ErrorAnswer, OAuthErrorName } from '../wire/oauth-error.ts';
import { algorithmOf, importClientKey } from './client-credentials.ts';
import type { ClientCredentials } from './client-credentials.ts';

/** One way to authenticate at the token endpoint. */
export type ClientAuthentication =
  | {
      readonly method: ClientAuthenticationMethod;
      /** Basic without form encoding, for servers that compare the decoded header as it is. */
      readonly raw: boolean;
    }
  /** With an assertion that the client signs (RFC 7523 section 2.2). */
  | { readonly method: 'private_key_jwt'; readonly algorithm: SigningAlgorithm };

const post: ClientAuthentication = { method: 'client_secret_post', raw: false };
const basic = (raw: boolean): ClientAuthentication => ({ method: 'client_secret_basic', raw });

type Listed = Pick<
  AuthorizationServerMetadata,
  'token_endpoint_auth_methods_supported' | 'token_endpoint_auth_signing_alg_values_supported'
>;

/**
 * How this client authenticates: with its key, if it has one; as its registration answered (or as was learned); else
 * what the metadata lists, form fields before Basic; else form fields (spec 4.4). Without a secret the `client_id`
 * stands alone (RFC 6749 section 3.2.1).
 */
export function chooseClientAuthentication(credentials: ClientCredentials, metadata?: Listed): ClientAuthentication {
  const { clientKey } = credentials;
  if (clientKey) return { method: 'private_key_jwt', algorithm: algorithmOf(clientKey, metadata) };
  if (credentials.clientSecret === undefined) return { method: 'none', raw: false };
  const method = credentials.authentication ?? listedMethod(metadata) ?? 'client_secret_post';
  return { method, raw: method === 'client_secret_basic' && credentials.rawBasic === true };
}

/**
 * What else may be tried, in this order and each once, when `first` is refused as the client's: Basic without
 * encoding where encoding changes the id or the secret, then the other method. A client with a key has no other way.
 */
export function alternativesTo(
  first: ClientAuthentication,
  credentials: ClientCredentials,
  metadata?: Listed,
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
      return [listedMethod(metadata) === 'client_secret_basic' ? basic(false) : post];
  }
}

/**
 * The one other method to try after a request whose client may not have been seen: servers that read form fields alone
 * do not see a Basic header, and the other way round (spec 4.4 and 5.3).
 */
export function otherMethod(
  others: readonly ClientAuthentication[],
  { method }: ClientAuthentication,
): ClientAuthentication[] {
  return others.filter((other) => other.method !== method).slice(0, 1);
}

/** The server closed the connection on a request that it had received. */
export function isClosed(error: unknown): error is LostRequest {
  return error instanceof LostRequest && (error.fault === 'closed' || error.fault === 'cut-off');
}

interface AnswerToClient {
  readonly kind: string;
  readonly name?: OAuthErrorName;
  readonly body?: ErrorAnswer['body'];
  readonly retryAfter?: number;
}

/** Whether an answer speaks of the client; `unread`: the client may not have been seen. */
export function doubtOf({ kind, name, body, retryAfter }: AnswerToClient): 'client' | 'unread' | undefined {
  if (kind === 'busy') return retryAfter === undefined ? 'unread' : undefined;
  if (name === 'invalid_client') return 'client';
  return name === 'invalid_request' || (name === 'unknown' && body !== 'json') ? 'unread' : undefined;
}

/**
 * Asks in the first way; while the client itself is refused (`invalid_client`, RFC 6749 section 5.2) in each other one
 * once; and, unless the way is `settled`, once with the other method where the client may not have been seen. Only for
 * what a refusal does not use up. Answers what first came of it besides, else what says most.
 */
export async function askInTurn<Answer extends AnswerToClient>(
  ways: readonly [ClientAuthentication, ...ClientAuthentication[]],
  { settled }: Pick<ClientCredentials, 'settled'>,
  ask: (way: ClientAuthentication) => Promise<Answer>,
): Promise<{ readonly way: ClientAuthentication; readonly answer: Answer }> {
  const [first, ...others] = ways;
  const told = { way: first, answer: await askOrLose(ask, first) };
  const doubt = told.answer instanceof LostRequest ? 'unread' : doubtOf(told.answer);
  const mayAsk = doubt === 'client' ? others : doubt === 'unread' && !settled ? otherMethod(others, first) : [];
  for (const way of mayAsk) {
    const answer = await askOrLose(ask, way);
    if (answer instanceof LostRequest) {
      if (doubt === 'client') throw answer;
      continue;
    }
    const again = doubtOf(answer);
    if (again === undefined || (doubt === 'client' && again === 'unread')) return { way, answer };
  }
  const { way, answer } = told;
  if (answer instanceof LostRequest) throw answer;
  return { way, answer };
}

async function askOrLose<Answer>(
  ask: (way: ClientAuthentication) => Promise<Answer>,
  way: ClientAuthentication,
): Promise<Answer | LostRequest> {
  try {
    return await ask(way);
  } catch (error) {
    if (isClosed(error)) return error;
    throw error;
  }
}

/** The same client, which is known to authenticate in this way. */
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

/** The same client with the way to send its secret that the user chose: that is in doubt no more. */
export function withChosenMethod(credentials: ClientCredentials, method: SecretMethod | undefined): ClientCredentials {
  if (method === undefined || credentials.clientSecret === undefined || credentials.clientKey) return credentials;
  const { rawBasic, ...rest } = credentials;
  const isSame = credentials.authentication === method;
  return { ...rest, ...(isSame && rawBasic && { rawBasic }), authentication: method, settled: true };
}

/** The library's form of it. */
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
  // Ours and not the library's: its `%2D` for `-` is refused by servers that decode only what must be encoded.
  const form = authentication.raw ? (text: string) => text : encode;
  return (_server, client, _body, headers) => {
    const pair = `${form(client.client_id)}:${form(clientSecret.reveal())}`;
    headers.set('authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`);
  };
}

/**
 * Whom an assertion is for: the issuer alone, so that it is of no use at another one (draft-ietf-oauth-rfc7523bis
 * section 4, FAPI 2.0 section 5.3.3.1), or the typed token endpoint, whose issuer nobody has proved. Under the
 * sub-domain exception the issuer is another host than the one that gets it, and could be shown it; there it is for the
 * very address that it is sent to (RFC 7523 section 3).
 */
function audienceOf(issuerKey: IssuerKey, server: AuthorizationServer): string {
  if (!isUnderException(issuerKey)) return addressOfKey(issuerKey);
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

function listedMethod(metadata: Listed | undefined): ClientAuthenticationMethod | undefined {
  const listed = metadata?.token_endpoint_auth_methods_supported ?? [];
  return (['client_secret_post', 'client_secret_basic', 'none'] as const).find((method) => listed.includes(method));
}
