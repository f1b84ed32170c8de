import type { ClientAuthenticationMethod } from '../../../shared/choices.ts';
import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { TryAgain } from '../../../shared/connection-view.ts';
import type { IntegrationOptions, IssuerKey } from '../../../shared/integration.ts';
import type { BrowserAddress, CheckedAddress } from '../../address/check-address.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import type { AuthorizationRequest } from '../../oauth/authorization/authorization-request.ts';
import { chooseScope, unionScope } from '../../oauth/authorization/scope.ts';
import type { ChosenScope } from '../../oauth/authorization/scope.ts';
import type { ClientCredentials, ClientKey } from '../../oauth/client/client-credentials.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { CallbackVerdict } from '../../ports.ts';
import type { Secret } from '../../secret.ts';
import type { FlowState } from './flow-state.ts';

/** The OAuth app that a user enters where a service does not register clients (spec 2.11). */
export interface TypedCredentials {
  readonly clientId: string;
  /** Secret and key are absent for a public client. */
  readonly clientSecret?: Secret;
  readonly clientKey?: ClientKey;
  /** Milliseconds since 1970, if the user knows when the secret expires. */
  readonly secretExpiresAt?: number;
  /** Client authentication method at the token endpoint, if the user knows it. */
  readonly authentication?: ClientAuthenticationMethod;
  /** The issuer they were entered for; they are sent to no other. Absent: whichever issuer discovery finds. */
  readonly issuerKey?: IssuerKey;
  /** An attempt with them failed with `error`: the user reviews them before they are used again. */
  readonly toCheck?: { readonly error?: PosternError };
}

/** Contents of the credential form. The callback URL is already bound. */
export interface CredentialsRequest {
  readonly serverUrl: string;
  readonly callbackUrl: string;
  readonly issuerKey: IssuerKey;
  readonly scopes: readonly string[];
  /** Other scopes from `scopes_supported`. */
  readonly otherScopes: readonly string[];
  /** The registration or exchange failure that led here. */
  readonly error?: PosternError;
  /** Absent: the user has to enter a client, or review the one entered. */
  readonly tryAgain?: TryAgain;
  /** Registration is still possible: it was not tried, or did not fail for good. */
  readonly canRegister?: true;
  /** Client of the failed attempt. Its secret stays here and is reused unless the user enters another. */
  readonly earlier?: Pick<TypedCredentials, 'clientId' | 'authentication' | 'secretExpiresAt'> & {
    readonly secretStored: boolean;
  };
}

/** The user's own OAuth app. `ask`: they want to enter one. */
export type OwnOAuthApp = TypedCredentials | 'ask';

/** `try-again`: use the same client. `register`: let Postern register one. */
export type CredentialsReply = TypedCredentials | 'try-again' | 'register';

/** Hosts of a sign-in that are not known to have one owner. Host names are in punycode. */
export interface HostsRequest {
  /** The MCP server, which receives the access token. */
  readonly server: string;
  /** The issuer's host. */
  readonly service: string;
  /** Host of the sign-in page. */
  readonly page: string;
  /** Host of the token endpoint, which receives the code. */
  readonly token: string;
  /** Hosts the user has to consent to. */
  readonly hosts: readonly string[];
}

/** An authorization request whose callback is awaited. */
export interface PendingAuthorization {
  readonly url: CheckedAddress;
  readonly callbackUrl: string;
  /** Its client is the user's own OAuth app. */
  readonly isOwnOAuthApp?: true | undefined;
  /** When the state expires, in milliseconds since 1970. */
  readonly expiresAt: number;
  /**
   * When the service drops the pushed request behind `url`, in milliseconds since 1970; `undefined`: not before the
   * state expires.
   */
  readonly openBefore: number | undefined;
  /**
   * Pushes the request again: the service drops a pushed request once it was opened. `url` and links then lead to the
   * new one (RFC 9126 section 4). Absent: the address is valid as long as the state. Errors: those of
   * `pushAuthorizationRequest`, AS_ERROR.
   */
  renew?(): Promise<void>;
  /**
   * A one-time loopback link to `url`, safe to pass as a process argument: every local user can read arguments, and
   * anyone who has `url` can finish the sign-in as themselves. Errors: those of `browserAddress`.
   */
  browserUrl(): BrowserAddress;
  /** Accepts the pasted callback address, for browsers that cannot reach this machine. */
  submit(address: string): CallbackVerdict;
}

/** Device authorization: where to sign in, with which code (RFC 8628 section 3.3). */
export interface DevicePage {
  readonly page: CheckedAddress;
  /** `verification_uri_complete`: the same page with the code filled in, to be compared there. */
  readonly pageWithCode?: CheckedAddress;
  readonly userCode: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Notes shown during a sign-in. `browser-open-failed`: the link can still be used. */
export type SignInNote =
  | Extract<
      CompatibilityNote,
      'another-account' | 'address-changed' | 'pkce-not-listed' | 'client-document-refused' | 'registered-again'
    >
  | 'same-account'
  | 'browser-open-failed';

export type SignInEvent =
  | { readonly event: 'step'; readonly step: DiscoveryStep }
  | { readonly event: 'method'; readonly discovery: Discovery }
  | { readonly event: 'state'; readonly state: FlowState }
  /** A callback arrived, whether success or error. */
  | { readonly event: 'callback' }
  | { readonly event: 'note'; readonly note: SignInNote };

/** The user's side of a sign-in, implemented by the command line and by the window. */
export interface SignInInteraction {
  onEvent(event: SignInEvent): void;
  /**
   * `undefined`: the user cannot enter credentials here; the sign-in fails with CREDENTIALS_REQUIRED or with the
   * error that led here.
   */
  askCredentials(request: CredentialsRequest, signal: AbortSignal): Promise<CredentialsReply | undefined>;
  /** Whether the user consents to these hosts. `undefined`, or absent: the user cannot be asked here. */
  confirmHosts?(request: HostsRequest, signal: AbortSignal): Promise<boolean | undefined>;
  /** Opens the sign-in page. Errors: BROWSER_OPEN_FAILED, which is not fatal (the link can still be used). */
  open(pending: PendingAuthorization, signal: AbortSignal): Promise<void>;
  /** If present, the user signs in on another device and nothing is opened here. Shows the page and the code. */
  showDevicePage?(page: DevicePage): void;
  /**
   * Waits until the surface presents the ticket to finish the install (spec 2.10): which surface, and the integration's
   * name. Absent: the install finishes at once.
   */
  finish?(ticketId: string, signal: AbortSignal): Promise<{ surface: string; name?: string | undefined }>;
}

export interface SignInRequest {
  readonly integrationId: string;
  readonly options: IntegrationOptions;
  /** Discovery of the server at its checked address. */
  readonly discovery: Discovery;
  readonly typed?: OwnOAuthApp | undefined;
  /** Initial access token for registration (RFC 7591 section 3). */
  readonly registrationToken?: Secret | undefined;
  /** Scopes of the previous sign-in: a step-up asks for the union (MCP 2026-07-28). */
  readonly earlierScope?: string | undefined;
  /** Ask the service for an account choice or a new login. */
  readonly otherAccount?: boolean | undefined;
  /** `login_hint`. Sent only to the issuer that named the account (`earlierIssuerKey`). */
  readonly loginHint?: string | undefined;
  /** Issuer key of the previous sign-in's secrets. */
  readonly earlierIssuerKey?: IssuerKey | undefined;
  /** Milliseconds to wait for the callback; capped at the state's ten minutes. */
  readonly timeout?: number | undefined;
}

/** Scope to request, given the metadata at hand. */
export function requestedScope(
  { options, earlierScope }: Pick<SignInRequest, 'options' | 'earlierScope'>,
  discovery: Discovery,
): ChosenScope {
  const { challenge, resourceMetadata, metadata } = discovery;
  // From an identity provider only the user's identity is wanted, so nothing that it protects itself.
  const ofProvider = options.isIdentityProvider ? { resourceMetadata: { scopes_supported: ['openid'] } } : {};
  const chosen = chooseScope({ typedScope: options.scope, challenge, resourceMetadata, metadata, ...ofProvider });
  if (earlierScope === undefined) return chosen;
  // A step-up adds the server's current demand to what was requested before, including the user's own choice.
  return chooseScope({ typedScope: unionScope(earlierScope, unionScope(chosen.scope, challenge?.scope)) });
}

/** Result of a token exchange, carried by an auth ticket until the install. */
export interface CompletedSignIn {
  readonly discovery: Discovery;
  readonly credentials: ClientCredentials;
  readonly tokens: TokenSet;
  readonly request: Pick<AuthorizationRequest, 'redirectUri'> & {
    readonly [Name in 'resource' | 'scope']?: AuthorizationRequest[Name] | undefined;
  };
  /** Notes on what had to be tolerated. */
  readonly notes: readonly CompatibilityNote[];
  /** The user's options, plus what this sign-in showed to be needed; stored for the next one. */
  readonly options: IntegrationOptions;
}
