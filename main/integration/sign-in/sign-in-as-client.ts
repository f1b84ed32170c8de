import { withChosenMethod } from '../../oauth/client/client-authentication.ts';
import { rediscover } from '../../oauth/discovery/discover.ts';
import { refuseUnmetDemand } from '../../oauth/discovery/unmet-demand.ts';
import { requestClientTokens } from '../../oauth/token/client-tokens.ts';
import { blameClient, hasProof } from '../../oauth/client/client-credentials.ts';
import { expectedIssuer } from '../../issuer-key.ts';
import { PosternError } from '../../postern-error.ts';
import { agreeToHosts } from './agree-to-hosts.ts';
import type { CredentialsContext } from './credentials-context.ts';
import { issuerKeyOf, serviceHost } from './credentials-context.ts';
import { discoveryChoices } from './discover-server.ts';
import { obtainAssertion } from '../refresh/obtain-assertion.ts';
import { refreshStoredTokens } from '../refresh/refresh-stored-tokens.ts';
import { makeBinding } from './make-binding.ts';
import { obtainCredentials } from './obtain-credentials.ts';
import { requestedScope } from './requested-scope.ts';
import type { SignedIn } from './signed-in.ts';
import type { SignInRequest } from './sign-in-request.ts';

/**
 * The way to tokens on which nobody signs in (RFC 6749 section 4.4, RFC 7523 section 2.1): hosts to agree to, a client
 * that somebody has typed, a second discovery, which is the one that counts, an assertion where that is the way, and the
 * request. No page opens and no callback is waited for. Errors: those of `requestClientTokens` and `obtainAssertion`,
 * CREDENTIALS_REQUIRED, REG_ISSUER_MISMATCH, DEMAND_UNMET.
 */
export async function signInAsClient(context: CredentialsContext, request: SignInRequest): Promise<SignedIn> {
  const { ports, flow, interaction, policy, signal } = context;
  const { grant } = request.options;
  const shown = request.discovery;
  // Nothing is typed whose secret could not be kept.
  await (await ports.vault()).ready();
  refuseUnmetDemand(shown, grant);
  const agreed = await agreeToHosts(flow, interaction, request, shown, signal);
  const client = await obtainCredentials(context, shown, requestedScope(request, shown).scope, request.typed);
  const discovery = await rediscover(ports, shown, { policy, ...discoveryChoices(agreed), signal });
  refuseUnmetDemand(discovery, grant);
  const options = await agreeToHosts(flow, interaction, { options: agreed, shown }, discovery, signal);
  const { metadata, resource: named } = discovery;
  const issuerKey = issuerKeyOf(discovery);
  if (metadata === undefined) throw new PosternError('ASM_MISSING', { stage: 'discovery' });
  if (grant === 'client-credentials' && !hasProof(client.credentials)) {
    // Only a client that can prove who it is gets access of its own (RFC 6749 section 4.4).
    const detail = { host: serviceHost(discovery) };
    throw new PosternError('CREDENTIALS_REQUIRED', { stage: 'credentials', detail });
  }
  const scope = scopeOfClient(request, discovery);
  const resource = options.sendResource ? named : undefined;
  flow.advance({ type: 'clientAsks' });
  const { token_endpoint: tokenEndpoint } = metadata;
  const { clientId } = client.credentials;
  const issuer = expectedIssuer(issuerKey, metadata.issuer);
  const audience = options.grant === 'enterprise' ? issuer : undefined;
  const use = { issuerKey, tokenEndpoint, clientId, resource, audience: issuer };
  const assertion = await obtainAssertion(ports, { options }, use, (provider, seen) =>
    refreshStoredTokens(ports, provider, seen, 'asked', signal),
  );
  const { tokens, credentials } = await requestClientTokens(ports, {
    credentials: withChosenMethod(client.credentials, options.clientAuthentication),
    metadata,
    issuerKey,
    scope,
    resource,
    assertion,
    audience,
    binding: makeBinding(discovery, client.credentials),
    policy,
    signal,
  }).catch((error: unknown) => {
    throw blameClient(error, client.credentials);
  });
  const asked = { redirectUri: context.redirectUri, resource, scope };
  return { discovery, request: asked, notes: client.notes ?? [], options, tokens, credentials };
}

/** `offline_access` and `openid` are of a person's sign-in (OpenID Connect Core 1.0 sections 3.1.2.1 and 11). */
function scopeOfClient(request: SignInRequest, discovery: SignInRequest['discovery']): string | undefined {
  const { scope } = requestedScope(request, discovery);
  if (request.options.scope !== undefined) return scope;
  return (
    scope
      ?.split(' ')
      .filter((name) => name !== 'offline_access' && name !== 'openid')
      .join(' ') || undefined
  );
}
