import { ClientSecretPost, None } from 'oauth4webapi';
import type { ClientAuth } from 'oauth4webapi';
import type { ClientAuthenticationMethod } from '../../../shared/choices.ts';
import type { Secret } from '../../secret.ts';
import type { ClientCredentials } from './client-credentials.ts';
import type { AuthorizationServerMetadata } from '../wire/messages.ts';

/** One way to authenticate at the token endpoint. */
export interface ClientAuthentication {
  readonly method: ClientAuthenticationMethod;
  /** Basic without form encoding, for servers that compare the decoded header as it is. */
  readonly raw: boolean;
}

const post: ClientAuthentication = { method: 'client_secret_post', raw: false };
const basic = (raw: boolean): ClientAuthentication => ({ method: 'client_secret_basic', raw });

type Listed = Pick<AuthorizationServerMetadata, 'token_endpoint_auth_methods_supported'>;

/**
 * How this client authenticates: as its registration answered (or as was learned); else what the metadata lists,
 * form fields before Basic; else form fields (spec 4.4). Without a secret the `client_id` stands alone
 * (RFC 6749 section 3.2.1).
 */
export function chooseClientAuthentication(credentials: ClientCredentials, metadata?: Listed): ClientAuthentication {
  if (credentials.clientSecret === undefined) return { method: 'none', raw: false };
  const method = credentials.authentication ?? listedMethod(metadata) ?? 'client_secret_post';
  return { method, raw: method === 'client_secret_basic' && credentials.rawBasic === true };
}

/**
 * What else may be tried, in this order and each once, when `first` is refused as the client's: Basic without
 * encoding where encoding changes the id or the secret, then the other method.
 */
export function alternativesTo(
  first: ClientAuthentication,
  credentials: ClientCredentials,
  metadata?: Listed,
): ClientAuthentication[] {
  const { clientId, clientSecret } = credentials;
  if (clientSecret === undefined) return [];
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

/** The same client, which is known to authenticate in this way. */
export function withAuthentication(
  credentials: ClientCredentials,
  { method, raw }: ClientAuthentication,
): ClientCredentials {
  const { rawBasic: _, ...rest } = credentials;
  return { ...rest, authentication: method, ...(raw && { rawBasic: true }) };
}

/** The library's form of it. */
export function applyClientAuthentication(
  authentication: ClientAuthentication,
  clientSecret: Secret | undefined,
): ClientAuth {
  if (clientSecret === undefined || authentication.method === 'none') return None();
  if (authentication.method === 'client_secret_post') return ClientSecretPost(clientSecret.reveal());
  // Ours and not the library's: its `%2D` for `-` is refused by servers that decode only what must be encoded.
  const form = authentication.raw ? (text: string) => text : encode;
  return (_server, client, _body, headers) => {
    const pair = `${form(client.client_id)}:${form(clientSecret.reveal())}`;
    headers.set('authorization', `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`);
  };
}

/** RFC 6749 section 2.3.1, appendix B. A lone surrogate has no UTF-8 form and would throw. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function listedMethod(metadata: Listed | undefined): ClientAuthenticationMethod | undefined {
  const listed = metadata?.token_endpoint_auth_methods_supported ?? [];
  return (['client_secret_post', 'client_secret_basic', 'none'] as const).find((method) => listed.includes(method));
}
