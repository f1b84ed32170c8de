import type { IncomingMessage, ServerResponse } from 'node:http';

export interface TypedClient {
  readonly id: string;
  /** Absent: a public client. */
  readonly secret?: string;
  /** It proves who it is with one of these keys, in place of a secret. */
  readonly jwks?: object;
  /** Exact, except for the port of a loopback address (RFC 8252 7.3). None: a client that asks for itself (RFC 6749 4.4). */
  readonly redirectUris: readonly string[];
  /** Those of a client that asks for itself, unless named. */
  readonly grantTypes?: readonly string[];
  /** `web` compares redirect URIs byte for byte, port and all. */
  readonly applicationType?: 'native' | 'web';
}

/** Where metadata can be read: RFC 8414, OIDC with the path inserted, OIDC with the path in front. */
export type MetadataForm = 'oauth' | 'oidc-inserted' | 'oidc-appended';

export type Metadata = Record<string, unknown>;

/** What an endpoint is about to send: a JSON document, or any text. */
export interface EndpointAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The content type, where it is not JSON. */
  readonly type?: string;
}

export interface AuthorizationServerOptions {
  /** 0, the default: any free port. */
  readonly port?: number;
  /** What it calls itself instead of 127.0.0.1; it listens there all the same. */
  readonly hostname?: string;
  /** `''`, or a path such as `/tenant1` without a terminating slash. */
  readonly issuerPath?: string;
  readonly metadataForms?: readonly MetadataForm[];
  /** Changes the metadata before it is served. */
  readonly metadata?: (document: Metadata) => Metadata;
  /** `refuse`: the endpoint is listed and answers 403. */
  readonly registration?: 'open' | 'off' | 'refuse';
  /** Registers whoever shows it (RFC 7591 section 3). */
  readonly registrationToken?: string;
  /** With each update of a registration (RFC 7592 section 2.2). */
  readonly rotateRegistrationTokens?: boolean;
  /** Takes a client id that is the address of a client metadata document, which it reads with this. */
  readonly readClientDocument?: (url: string) => Promise<Response>;
  readonly typedClients?: readonly TypedClient[];
  /** Absent: nothing survives the process. */
  readonly storeFile?: string;
  readonly scopesSupported?: readonly string[];
  readonly tokenEndpointAuthMethods?: readonly (
    'client_secret_basic' | 'client_secret_post' | 'none' | 'private_key_jwt'
  )[];
  /** Of signed assertions of clients (RFC 7523); ES256 and RS256 when absent. */
  readonly clientSigningAlgorithms?: readonly string[];
  /** RFC 9126, at `/push`; absent: neither offered nor required. */
  readonly pushedRequests?: 'offered' | 'required';
  /** RFC 9449. `nonces`: each proof has to carry one of its own. Absent: not known here. */
  readonly dpop?: 'offered' | 'nonces';
  /** RFC 8628, at `/device/code`, with its page at `/device`. `interval`: seconds that it asks for between two polls. */
  readonly deviceSignIn?: { readonly interval?: number; readonly seconds?: number };
  readonly rotateRefreshTokens?: boolean;
  /** `offline-access`: only for a sign-in that asked for it and for consent (OpenID Connect Core 1.0 section 11). */
  readonly issueRefreshTokens?: boolean | 'offline-access';
  readonly accessTokenSeconds?: number;
  readonly pkceRequired?: boolean;
  /** RFC 8707: whether an authorization request without `resource` is refused. */
  readonly resourceRequired?: boolean;
  /** Signs this account in and consents by itself, without a page. */
  readonly autoApprove?: string;
  /** Which of the requested scopes the person grants; all when absent. */
  readonly grantScopes?: (requested: readonly string[]) => readonly string[];
  /** Takes assertions in place of a sign-in (RFC 7523 section 2.1): whether this one is good, of that client. */
  readonly assertions?: (assertion: string, clientId: string) => boolean | Promise<boolean>;
  /** Exchanges its own ID tokens (RFC 8693): for what, by what was asked and whose the token is. */
  readonly exchange?: (
    asked: Readonly<Record<string, string | undefined>>,
    subject: string,
  ) => EndpointAnswer | undefined;
  /** Changes what `token`, `registration` and `device_authorization` answer, after they have done their work. */
  readonly answer?: (route: string, answer: EndpointAnswer, request: RecordedRequest | undefined) => EndpointAnswer;
  /** Sees every request first; answers true when it has answered itself. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;
}

export interface RecordedRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The parsed form or JSON, where there was one. */
  body?: Record<string, unknown>;
  status?: number;
}

export interface AuthorizationServer {
  readonly issuer: string;
  readonly origin: string;
  readonly port: number;
  /** Everything that arrived, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Names a resource that tokens may be issued for, and the scopes that it knows. */
  addResource(resource: string, scopes: readonly string[]): void;
  /** How a resource server asks about a token (RFC 7662). */
  readonly introspection: { readonly endpoint: string; readonly clientId: string; readonly clientSecret: string };
  close(): Promise<void>;
}
