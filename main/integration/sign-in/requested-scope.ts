import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { ChosenScope } from '../../oauth/authorization/scope.ts';
import { chooseScope, unionScope } from '../../oauth/authorization/scope.ts';
import type { SignInRequest } from './sign-in-request.ts';

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
