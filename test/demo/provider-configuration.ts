import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { errors } from 'oidc-provider';
import type { Client, Context } from 'oidc-provider';
import { accounts } from './accounts.ts';
import type { AuthorizationServerOptions } from './authorization-server-options.ts';
import { isLoopbackRedirect } from './loopback-redirect.ts';
import { renderErrorPage } from './pages/error-page.ts';
import type { RecordStore } from './record-store.ts';
import { supportedScopes } from './scopes.ts';

const days = 24 * 60 * 60;
const usual = ['authorization_code', 'refresh_token'];

export interface ProviderInput {
  readonly options: AuthorizationServerOptions;
  readonly store: RecordStore;
  readonly issuerPath: string;
  /** Scopes by resource; grows while the server runs. */
  readonly resources: ReadonlyMap<string, readonly string[]>;
  readonly introspectionClient: { readonly clientId: string; readonly clientSecret: string };
}

/** Configures oidc-provider as the authorization server of a small company. */
export function buildProviderConfiguration(input: ProviderInput): object {
  const { options, store, issuerPath, resources, introspectionClient } = input;
  const scopes = [...(options.scopesSupported ?? supportedScopes)];
  const accessTokenSeconds = options.accessTokenSeconds ?? 60 * 60;
  return {
    adapter: (model: string) => store.adapter(model),
    clients: [
      {
        client_id: introspectionClient.clientId,
        client_secret: introspectionClient.clientSecret,
        redirect_uris: [],
        response_types: [],
        grant_types: [],
      },
      ...(options.typedClients ?? []).map((client) => ({
        client_id: client.id,
        client_name: 'Postern MCP Client',
        application_type: client.applicationType ?? 'native',
        redirect_uris: [...client.redirectUris],
        ...(client.redirectUris.length === 0 && { grant_types: ['client_credentials'], response_types: [] }),
        ...(client.grantTypes && { grant_types: [...client.grantTypes] }),
        ...(client.jwks
          ? { jwks: client.jwks, token_endpoint_auth_method: 'private_key_jwt' }
          : client.secret === undefined
            ? { token_endpoint_auth_method: 'none' }
            : { client_secret: client.secret, token_endpoint_auth_method: 'client_secret_basic' }),
      })),
    ],
    // Spec 4.2: default for registrations.
    clientDefaults: {
      grant_types: options.deviceSignIn ? [...usual, 'urn:ietf:params:oauth:grant-type:device_code'] : usual,
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'ES256',
    },
    extraClientMetadata: { properties: ['loopback_only'], validator: validateClient(scopes) },
    clientAuthMethods: [...(options.tokenEndpointAuthMethods ?? ['client_secret_basic', 'client_secret_post', 'none'])],
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256'],
      clientAuthSigningAlgValues: [...(options.clientSigningAlgorithms ?? ['ES256', 'RS256'])],
    },
    jwks: { keys: [store.secret('signing-key', makeSigningKey)] },
    cookies: { keys: [store.secret('cookie-key', () => randomBytes(32).toString('base64url'))] },
    clockTolerance: 0,
    responseTypes: ['code'],
    scopes,
    features: {
      devInteractions: { enabled: false },
      dPoP: {
        enabled: options.dpop !== undefined,
        ...(options.dpop === 'nonces' && { nonceSecret: randomBytes(32), requireNonce: () => true }),
      },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: options.deviceSignIn !== undefined },
      pushedAuthorizationRequests: {
        enabled: options.pushedRequests !== undefined,
        requirePushedAuthorizationRequests: options.pushedRequests === 'required',
      },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: { enabled: options.registration !== 'off', initialAccessToken: options.registrationToken ?? false },
      registrationManagement: {
        enabled: options.registration !== 'off',
        rotateRegistrationAccessToken: options.rotateRegistrationTokens ?? false,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_: Context, client: Client, token: TokenOwner) => token.clientId === client.clientId,
      },
      introspection: {
        enabled: true,
        allowedPolicy: (_: Context, client: Client) => client.clientId === introspectionClient.clientId,
      },
      ...(options.readClientDocument && {
        clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      }),
      resourceIndicators: resourceIndicators(resources, options.resourceRequired ?? true, accessTokenSeconds),
    },
    ...(options.readClientDocument && { fetch: options.readClientDocument }),
    pkce: { required: () => options.pkceRequired ?? true },
    rotateRefreshToken: options.rotateRefreshTokens ?? true,
    issueRefreshToken: (_: Context, client: Client, code: { readonly scopes: ReadonlySet<string> }) => {
      const wanted = options.issueRefreshTokens ?? true;
      const isDue = wanted === 'offline-access' ? code.scopes.has('offline_access') : wanted;
      return isDue && client.grantTypeAllowed('refresh_token');
    },
    expiresWithSession: () => false,
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: 60,
      ClientCredentials: accessTokenSeconds,
      DeviceCode: options.deviceSignIn?.seconds ?? 600,
      Grant: 14 * days,
      IdToken: 60 * 60,
      Interaction: 10 * 60,
      RefreshToken: 14 * days,
      Session: 14 * days,
    },
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      revocation: '/revoke',
      introspection: '/introspect',
      jwks: '/jwks',
      pushed_authorization_request: '/push',
      device_authorization: '/device/code',
      code_verification: '/device',
    },
    interactions: {
      url: (_: Context, interaction: { uid: string }) => `${issuerPath}/interaction/${interaction.uid}`,
    },
    findAccount: (_: Context, id: string) => {
      const account = accounts.find(({ username }) => username === id);
      return account && { accountId: id, claims: async () => ({ sub: id, name: account.name }) };
    },
    clientBasedCORS: () => false,
    renderError: (context: Context, out: { error: string; error_description?: string }) => {
      context.type = 'html';
      context.set(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'",
      );
      context.body = renderErrorPage({ stylePath: `${issuerPath}/style.css`, ...out });
    },
  };
}

interface TokenOwner {
  readonly clientId: string;
}

/**
 * Redirect URIs must be loopback. A `scope` must be known to the server, but does not limit the client: it can later
 * request another scope with the same registration (MCP step-up).
 */
function validateClient(scopes: readonly string[]) {
  return (_context: unknown, _key: string, _value: unknown, metadata: Record<string, unknown>): void => {
    const redirectUris = metadata['redirect_uris'];
    if (Array.isArray(redirectUris) && !redirectUris.every(isLoopbackRedirect)) {
      throw new errors.InvalidClientMetadata(
        'redirect_uris must be http URLs of this computer (127.0.0.1 or localhost)',
      );
    }
    const scope = metadata['scope'];
    if (typeof scope !== 'string') return;
    if (!scope.split(' ').every((name) => scopes.includes(name))) {
      throw new errors.InvalidClientMetadata('scope must only contain scopes that this server supports');
    }
    metadata['scope'] = scopes.join(' ');
  };
}

/** RFC 8707: an access token is for one resource, which is its audience. */
function resourceIndicators(
  resources: ReadonlyMap<string, readonly string[]>,
  required: boolean,
  accessTokenTTL: number,
): object {
  return {
    enabled: true,
    defaultResource: (_: Context, __: Client, oneOf?: unknown) => {
      if (oneOf !== undefined) return oneOf;
      if (required) throw new errors.InvalidTarget('resource is missing');
      return [...resources.keys()][0];
    },
    // RFC 8707 2.2: a token request may omit `resource`; the token is then for the granted one.
    useGrantedResource: () => true,
    getResourceServerInfo: (_: Context, resource: string) => {
      const scopes = resources.get(resource);
      if (scopes === undefined) throw new errors.InvalidTarget('resource is not known here');
      return { scope: scopes.join(' '), audience: resource, accessTokenTTL, accessTokenFormat: 'opaque' };
    },
  };
}

function makeSigningKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: randomBytes(8).toString('hex') };
}
