import type { AuthorizationRequest } from '../../oauth/authorization-request.ts';
import { createAuthorizationRequest } from '../../oauth/authorization-request.ts';
import type { ClientCredentials } from '../../oauth/client-credentials.ts';
import type { Discovery } from '../../oauth/discovery.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { requestedScope } from './requested-scope.ts';
import type { SignInRequest } from './sign-in-request.ts';

/** The authorization request of a sign-in, for one client and one snapshot of metadata. Errors: those of `createAuthorizationRequest`. */
export function requestAuthorization(
  ports: EnginePorts,
  request: SignInRequest,
  discovery: Discovery,
  credentials: ClientCredentials,
): AuthorizationRequest {
  return createAuthorizationRequest(ports.random, ports.clock, {
    discovery,
    credentials,
    redirectUri: credentials.redirectUri,
    scope: requestedScope(request, discovery),
    pkce: request.options.pkce,
    sendResource: request.options.sendResource,
    otherAccount: request.otherAccount,
    loginHint: discovery.issuer === request.earlierIssuer ? request.loginHint : undefined,
  });
}
