import { dynamicClientRegistrationRequest } from 'oauth4webapi';
import { clientAuthenticationMethods } from '../../../shared/choices.ts';
import type { ClientAuthenticationMethod } from '../../../shared/choices.ts';
import type { IssuerKey } from '../../../shared/integration.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { bodyLimit, deadline } from '../../limits.ts';
import type { Http, HttpResponse } from '../../ports.ts';
import type { Secret } from '../../secret.ts';
import { deviceGrant } from '../discovery/discovery.ts';
import { sendRequest } from '../http/send-request.ts';
import { chooseClientKeyAlgorithm } from '../http/metadata-schemas.ts';
import type { AuthorizationServerMetadata } from '../http/metadata-schemas.ts';
import { createClientKey, publicJwks } from './client-credentials.ts';
import type { ClientKey } from './client-credentials.ts';

/** How Postern describes itself to authorization servers, in the spelling of RFC 7591 section 2. */
export const clientIdentity = {
  client_name: 'Postern MCP Client',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  // Some servers refuse a loopback redirect URI without it (OpenID Connect Dynamic Client Registration section 2).
  application_type: 'native',
} as const;

/**
 * Whether a text can be the URL of a client ID metadata document: https, with a path, no user info, no fragment, no dot
 * segments, and already in the form that both sides compare as a string (OAuth Client ID Metadata Document, client
 * identifier).
 */
export function isClientMetadataUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || url.href !== text) return false;
  return url.pathname !== '/' && url.username === '' && url.password === '' && !text.includes('#');
}

export interface RegistrationRequest {
  readonly metadata: Pick<
    AuthorizationServerMetadata,
    | 'issuer'
    | 'registration_endpoint'
    | 'token_endpoint_auth_methods_supported'
    | 'token_endpoint_auth_signing_alg_values_supported'
    | 'pushed_authorization_request_endpoint'
    | 'dpop_signing_alg_values_supported'
  >;
  /** Key the client is stored under. */
  readonly issuerKey: IssuerKey;
  readonly redirectUri: string;
  readonly scope?: string | undefined;
  /** The client also uses the device grant (RFC 8628). */
  readonly forDevices?: boolean | undefined;
  /** Initial access token that the service gave the user (RFC 7591 section 3). */
  readonly initialAccessToken?: Secret | undefined;
  readonly policy: AddressPolicy;
  readonly signal?: AbortSignal | undefined;
}

/** Members left out of a request. `extras`: those beyond the five of spec 2.4. */
export interface OmittedMembers {
  readonly extras?: boolean;
  readonly scope?: boolean;
}

/**
 * Sends one client registration request (RFC 7591 section 3.1, spec 2.4), with the public half of `clientKey`, if any.
 * Errors: those of `Http.exchange`.
 */
export function sendRegistration(
  http: Http,
  endpoint: CheckedAddress,
  request: RegistrationRequest,
  omitted: OmittedMembers,
  clientKey?: ClientKey,
): Promise<HttpResponse> {
  const { metadata, initialAccessToken, policy, signal } = request;
  const body = describeClient(request, omitted, clientKey);
  return sendRequest(
    http,
    endpoint,
    {
      purpose: 'registration',
      stage: 'registration',
      policy,
      deadline: deadline.registration,
      bodyLimit: bodyLimit.registration,
      signal,
    },
    (options) =>
      dynamicClientRegistrationRequest({ issuer: metadata.issuer, registration_endpoint: endpoint }, body, {
        ...options,
        ...(initialAccessToken && { initialAccessToken: initialAccessToken.reveal() }),
      }),
  );
}

type ClientMember = string | string[] | ReturnType<typeof publicJwks>;

/** Client metadata (RFC 7591 section 2). */
export function describeClient(
  { metadata, redirectUri, scope, forDevices }: RegistrationRequest,
  omitted: OmittedMembers,
  clientKey?: ClientKey,
): Readonly<Record<string, ClientMember>> & { readonly grant_types: string[] } {
  return {
    client_name: clientIdentity.client_name,
    redirect_uris: [redirectUri],
    grant_types: [...clientIdentity.grant_types, ...(forDevices === true ? [deviceGrant] : [])],
    ...(clientKey
      ? { token_endpoint_auth_method: 'private_key_jwt', jwks: publicJwks(clientKey) }
      : { token_endpoint_auth_method: requestedAuthentication(metadata) }),
    ...(omitted.extras !== true && {
      response_types: [...clientIdentity.response_types],
      application_type: clientIdentity.application_type,
    }),
    ...(omitted.scope !== true && scope !== undefined && { scope }),
  };
}

/**
 * A key to register the client with, if the service accepts signed assertions but no method without a key. Otherwise
 * `undefined`.
 */
export async function keyForRegistration(metadata: RegistrationRequest['metadata']): Promise<ClientKey | undefined> {
  const listed = metadata.token_endpoint_auth_methods_supported ?? [];
  const algorithm = chooseClientKeyAlgorithm(metadata);
  if (!listed.includes('private_key_jwt') || algorithm === undefined) return undefined;
  const isNeeded = !clientAuthenticationMethods.some((method) => listed.includes(method));
  return isNeeded ? await createClientKey(algorithm) : undefined;
}

/**
 * `client_secret_basic` (spec 2.4), unless the metadata lists methods without it: then the first listed one that
 * Postern supports.
 */
function requestedAuthentication(
  metadata: Pick<AuthorizationServerMetadata, 'token_endpoint_auth_methods_supported'>,
): ClientAuthenticationMethod {
  const listed = metadata.token_endpoint_auth_methods_supported ?? [];
  if (listed.includes('client_secret_basic')) return 'client_secret_basic';
  const first = listed.find((method) => method === 'client_secret_post' || method === 'none');
  return first ?? 'client_secret_basic';
}
