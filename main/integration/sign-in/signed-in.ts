import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { AuthorizationRequest } from '../../oauth/authorization/authorization-request.ts';
import type { ClientCredentials } from '../../oauth/client/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { TokenSet } from '../../oauth/token/token-set.ts';

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
