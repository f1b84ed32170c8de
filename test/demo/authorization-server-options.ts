import type { IncomingMessage, ServerResponse } from 'node:http';

export interface TypedClient {
  readonly id: string;
  /** Absent: a public client. */
  readonly secret?: string;
  /** Authenticates with one of these keys instead of a secret. */
  readonly jwks?: object;
  /**
   * Exact, except for the port of a loopback address (RFC 8252 7.3). Empty: a client that acts for itself (RFC 6749
   * 4.4).
   */
  readonly redirectUris: readonly string[];
  /** Default: those of a client that acts for itself. */
  readonly grantTypes?: readonly string[];
  /** `web` compares redirect URIs byte by byte, including the port. */
  readonly applicationType?: 'native' | 'web';
}

/** Metadata locations: RFC 8414, OIDC with the path inserted, OIDC with the path first. */
export type MetadataForm = 'oauth' | 'oidc-inserted' | 'oidc-appended';

export type Metadata = Record<string, unknown>;

/** A response body: a JSON document, or any text. */
export interface EndpointResponse {
  readonly status: number;
  readonly body: unknown;
  /** The content type if it is not JSON. */
  readonly type?: string;
}

export interface AuthorizationServerOptions {
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Host name in its URLs instead of 127.0.0.1, where it still listens. */
  readonly hostname?: string;
  /** `''`, or a path such as `/tenant1` without a trailing slash. */
  readonly issuerPath?: string;
  readonly metadataForms?: readonly MetadataForm[];
  /** Changes the metadata before it is served. */
  readonly metadata?: (document: Metadata) => Metadata;
  /** `refuse`: the endpoint is listed and answers 403. */
  readonly registration?: 'open' | 'off' | 'refuse';
  /** The initial access token that registration requires (RFC 7591 section 3). */
  readonly registrationToken?: string;
  /** Rotates with each update of a registration (RFC 7592 section 2.2). */
  readonly rotateRegistrationTokens?: boolean;
  /** Accepts the URL of a client metadata document as client ID, and fetches it with this. */
  readonly readClientDocument?: (url: string) => Promise<Response>;
  readonly typedClients?: readonly TypedClient[];
  /** Absent: nothing survives the process. */
  readonly storeFile?: string;
  readonly scopesSupported?: readonly string[];
  readonly tokenEndpointAuthMethods?: readonly (
    'client_secret_basic' | 'client_secret_post' | 'none' | 'private_key_jwt'
  )[];
  /** Algorithms of signed client assertions (RFC 7523). Default: ES256 and RS256. */
  readonly clientSigningAlgorithms?: readonly string[];
  /** RFC 9126, at `/push`; absent: neither supported nor required. */
  readonly pushedRequests?: 'offered' | 'required';
  /** RFC 9449. `nonces`: each proof must contain a server nonce. Absent: not supported. */
  readonly dpop?: 'offered' | 'nonces';
  /** RFC 8628, at `/device/code`, with its page at `/device`. `interval`: required seconds between two polls. */
  readonly deviceSignIn?: { readonly interval?: number; readonly seconds?: number };
  readonly rotateRefreshTokens?: boolean;
  /** `offline-access`: only if requested together with consent (OpenID Connect Core 1.0 section 11). */
  readonly issueRefreshTokens?: boolean | 'offline-access';
  readonly accessTokenSeconds?: number;
  readonly pkceRequired?: boolean;
  /** RFC 8707: whether to reject an authorization request without `resource`. */
  readonly resourceRequired?: boolean;
  /** Signs this account in and consents automatically, without a page. */
  readonly autoApprove?: string;
  /** This account is signed in already, as in a browser that was used before: only consent is asked. */
  readonly signedInAs?: string;
  /** Which requested scopes the user grants. Default: all. */
  readonly grantScopes?: (requested: readonly string[]) => readonly string[];
  /** Accepts assertions instead of a sign-in (RFC 7523 section 2.1): whether this client's assertion is valid. */
  readonly assertions?: (assertion: string, clientId: string) => boolean | Promise<boolean>;
  /** Exchanges its own ID tokens (RFC 8693): returns the issued token for a request and the token's subject. */
  readonly exchange?: (
    asked: Readonly<Record<string, string | undefined>>,
    subject: string,
  ) => EndpointResponse | undefined;
  /** Changes the responses of `token`, `registration` and `device_authorization` after processing. */
  readonly answer?: (
    route: string,
    response: EndpointResponse,
    request: RecordedRequest | undefined,
  ) => EndpointResponse;
  /** Sees every request first; returns true if it answered. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
}

export interface RecordedRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The parsed form or JSON, if there was one. */
  body?: Record<string, unknown>;
  status?: number;
}

export interface AuthorizationServer {
  readonly issuer: string;
  readonly origin: string;
  readonly port: number;
  /** All requests, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Registers a resource that tokens may be issued for, with its scopes. */
  addResource(resource: string, scopes: readonly string[]): void;
  /** Where a resource server checks a token (RFC 7662). */
  readonly introspection: { readonly endpoint: string; readonly clientId: string; readonly clientSecret: string };
  close(): Promise<void>;
}
