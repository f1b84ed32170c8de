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

/** What a person types where a server does not register clients by itself (spec 2.11). */
export interface TypedCredentials {
  readonly clientId: string;
  /** Neither for a public client. */
  readonly clientSecret?: Secret;
  readonly clientKey?: ClientKey;
  /** Wall clock, milliseconds: when the secret ends, where the person knows it. */
  readonly secretExpiresAt?: number;
  /** How the client authenticates at the token endpoint, where the person knows it. */
  readonly authentication?: ClientAuthenticationMethod;
  /** The service that they were typed for; they go to no other one. Absent: for whichever the address leads to. */
  readonly issuerKey?: IssuerKey;
  /** An attempt with them has ended, with this `error`: a person looks at them before they are used once more. */
  readonly toCheck?: { readonly error?: PosternError };
}

/** What the credential dialog shows. The callback URL is already bound when this is asked. */
export interface CredentialsRequest {
  readonly serverUrl: string;
  readonly callbackUrl: string;
  readonly issuerKey: IssuerKey;
  /** Scopes that will be requested. */
  readonly scopes: readonly string[];
  /** Further scopes that the authorization server lists. */
  readonly otherScopes: readonly string[];
  /** Why it is asked (again): a registration or an exchange that failed. */
  readonly error?: PosternError;
  /** Absent: a client has to be typed, or the typed one looked at. */
  readonly tryAgain?: TryAgain;
  /** Postern may register by itself after all: its own registration has not failed, or not for good. */
  readonly canRegister?: true;
  /** What the failed attempt went with; its secret stays here and holds unless another one is given. */
  readonly earlier?: Pick<TypedCredentials, 'clientId' | 'authentication' | 'secretExpiresAt'> & {
    readonly secretKept: boolean;
  };
}

/** What a sign-in begins with of an app of the person's own. `ask`: they want to type one. */
export type OwnApp = TypedCredentials | 'ask';

/** `try-again`: with the client of before. `register`: with none that is typed. */
export type CredentialsAnswer = TypedCredentials | 'try-again' | 'register';

/** A sign-in whose hosts are not known to have one owner. All are host names in punycode. */
export interface HostsRequest {
  /** The MCP server, which gets the access. */
  readonly server: string;
  /** What the service is called by (its issuer). */
  readonly service: string;
  /** Where the person signs in. */
  readonly page: string;
  /** What gets the code that the page sends back. */
  readonly token: string;
  /** Those that have to be agreed to. */
  readonly hosts: readonly string[];
}

/** An authorization request that waits for its callback. */
export interface PendingAuthorization {
  readonly url: CheckedAddress;
  readonly callbackUrl: string;
  /** It is registered with an OAuth app of the user's. */
  readonly isOwnApp?: true | undefined;
  /** Milliseconds since 1970 at which the state ends. */
  readonly expiresAt: number;
  /** Milliseconds since 1970 at which the service forgets what `url` refers to; `undefined`: not before the state ends. */
  readonly openBefore: number | undefined;
  /**
   * Has the service take the request once more, since it forgets what it was given for it once that was opened: from
   * then on `url` and links lead there (RFC 9126 section 4). Absent: the address holds as long as the state. Errors:
   * those of `pushAuthorizationRequest`, AS_ERROR.
   */
  renew?(): Promise<void>;
  /**
   * A link to this computer that leads to `url` once, for a program's arguments: every user of the computer can read
   * those, and anybody who has `url` can finish the sign-in as themselves. Errors: those of `browserAddress`.
   */
  browserUrl(): BrowserAddress;
  /** Takes the address that a browser landed on, for browsers that cannot reach this machine. */
  submit(address: string): CallbackVerdict;
}

/** Where a person signs in on any device, with a code (RFC 8628 section 3.3). */
export interface DevicePage {
  readonly page: CheckedAddress;
  /** The same page, which has the code already: to be compared there. */
  readonly pageWithCode?: CheckedAddress;
  readonly userCode: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What a person is told of on the way; `browser-open-failed`: the link is there all the same. */
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
  /** The browser has brought an answer, whatever it says. */
  | { readonly event: 'callback' }
  | { readonly event: 'note'; readonly note: SignInNote };

/** The person's side of a sign-in; the command line and the window each have one. */
export interface SignInInteraction {
  onEvent(event: SignInEvent): void;
  /**
   * `undefined`: nobody can type them here; the sign-in ends with CREDENTIALS_REQUIRED (or the error that led here).
   */
  askCredentials(request: CredentialsRequest, signal: AbortSignal): Promise<CredentialsAnswer | undefined>;
  /** Whether this integration may use these hosts. `undefined`, or absent: nobody can answer here. */
  askHosts?(request: HostsRequest, signal: AbortSignal): Promise<boolean | undefined>;
  /** Brings the person to the sign-in page. Errors: BROWSER_OPEN_FAILED (the link stays usable: not fatal). */
  open(pending: PendingAuthorization, signal: AbortSignal): Promise<void>;
  /** Present: the person signs in on another device, and nothing is opened here. Shows them where, and with what code. */
  showDevicePage?(page: DevicePage): void;
  /**
   * Waits until the person's side shows the ticket to finish the install (spec 2.10): who shows it, and what the
   * integration is to be called. Absent: the install is finished at once.
   */
  finish?(ticketId: string, signal: AbortSignal): Promise<{ surface: string; name?: string | undefined }>;
}

export interface SignInRequest {
  readonly integrationId: string;
  readonly options: IntegrationOptions;
  /** Of the server at its checked address. */
  readonly discovery: Discovery;
  readonly typed?: OwnApp | undefined;
  /** With which a person may register programs at the service. */
  readonly registrationToken?: Secret | undefined;
  /** Scopes of the sign-in before: a step-up asks for the union (MCP 2026-07-28). */
  readonly earlierScope?: string | undefined;
  /** Ask for another account, by a choice or a new login. */
  readonly otherAccount?: boolean | undefined;
  /**
   * The account that is wanted, where its name is known; `earlierIssuerKey` is of who gave it, and no other one is
   * told.
   */
  readonly loginHint?: string | undefined;
  /** What the secrets of the sign-in before are keyed by. */
  readonly earlierIssuerKey?: IssuerKey | undefined;
  /** Milliseconds to wait for the callback; the state's ten minutes bound it. */
  readonly timeout?: number | undefined;
}

/** What this sign-in asks for, with the snapshot of metadata at hand. */
export function requestedScope(
  { options, earlierScope }: Pick<SignInRequest, 'options' | 'earlierScope'>,
  discovery: Discovery,
): ChosenScope {
  const { challenge, resourceMetadata, metadata } = discovery;
  // An identity provider is asked for who the person is, and for nothing that it guards itself.
  const ofProvider = options.isIdentityProvider ? { resourceMetadata: { scopes_supported: ['openid'] } } : {};
  const chosen = chooseScope({ own: options.scope, challenge, resourceMetadata, metadata, ...ofProvider });
  if (earlierScope === undefined) return chosen;
  // A step-up adds what the server demands now to what was asked for before, the person's own choice included.
  return chooseScope({ own: unionScope(earlierScope, unionScope(chosen.scope, challenge?.scope)) });
}

/** A finished exchange: what an auth ticket carries. */
export interface SignedIn {
  readonly discovery: Discovery;
  readonly credentials: ClientCredentials;
  readonly tokens: TokenSet;
  readonly request: Pick<AuthorizationRequest, 'redirectUri'> & {
    readonly [Name in 'resource' | 'scope']?: AuthorizationRequest[Name] | undefined;
  };
  /** What client and authorization request had to be tolerated, by name. */
  readonly notes: readonly CompatibilityNote[];
  /** The person's choices, with what this sign-in has shown to be needed: they hold for the next one. */
  readonly options: IntegrationOptions;
}
