import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { IntegrationOptions, IssuerKey } from '../../../shared/integration.ts';
import type { AuthorizationRequest } from '../../oauth/authorization/authorization-request.ts';
import { chooseScope, unionScope } from '../../oauth/authorization/scope.ts';
import type { ChosenScope } from '../../oauth/authorization/scope.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';
import type { Secret } from '../../secret.ts';
import type { OwnApp } from './sign-in-interaction.ts';

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
