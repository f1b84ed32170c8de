import type { CompatibilityNote } from '../../../shared/compatibility-notes.ts';
import { PosternError } from '../../errors/postern-error.ts';
import { expectedIssuer } from '../../issuer-key.ts';
import { applyPkce, listsPkce } from '../../oauth/authorization/authorization-request.ts';
import type { AuthorizationRequest } from '../../oauth/authorization/authorization-request.ts';
import type { AuthorizationResponse } from '../../oauth/authorization/authorization-response.ts';
import { withChosenMethod } from '../../oauth/client/client-authentication.ts';
import { blameClient, hasSecretOrKey } from '../../oauth/client/client-credentials.ts';
import { rediscover } from '../../oauth/discovery/discover.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import { refuseUnmetDemand } from '../../oauth/discovery/unmet-demand.ts';
import { requestClientTokens } from '../../oauth/token/client-tokens.ts';
import { exchangeAuthorizationCode, otherAuthenticationNote } from '../../oauth/token/code-exchange.ts';
import type { CodeExchangeResult } from '../../oauth/token/code-exchange.ts';
import { refusedResourceNote } from '../../oauth/token/token-set.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy } from '../records/integration-policy.ts';
import { trackUnansweredSignIn } from '../records/stored-secrets.ts';
import { obtainAssertion } from '../refresh/identity-assertion.ts';
import { refreshStoredTokens } from '../refresh/refresh-stored-tokens.ts';
import { agreeToHosts } from './agree-to-hosts.ts';
import { askForCredentials, issuerKeyOf, serviceHost } from './ask-for-credentials.ts';
import type { CredentialsContext } from './ask-for-credentials.ts';
import type { LeasedSignIn } from './auth-tickets.ts';
import { makeBinding, openAuthorizer } from './authorizer.ts';
import type { Authorizer } from './authorizer.ts';
import { callbackAddress, callbackUrl } from './callback-address.ts';
import { discoveryOptions } from './discover-server.ts';
import type { Client } from './find-or-register.ts';
import type { Flow } from './flow.ts';
import {
  clientForIssuer,
  obtainCredentials,
  recoveryFrom,
  registerAgain,
  registerOrAsk,
} from './obtain-credentials.ts';
import type { Failure } from './obtain-credentials.ts';
import { requestedScope } from './sign-in-interaction.ts';
import type { CompletedSignIn, SignInInteraction, SignInRequest } from './sign-in-interaction.ts';

/**
 * Gets tokens for a discovered server (spec 3.2): client, second discovery, authorization request, callback, token
 * exchange. A failure leaves nothing behind but a registration, which the next attempt reuses. Errors: every code of
 * the stages registration to token, USER_CANCELLED, FLOW_SUPERSEDED.
 */
export async function signIn(
  ports: EnginePorts,
  request: SignInRequest,
  flow: Flow,
  interaction: SignInInteraction,
  leased: LeasedSignIn,
): Promise<CompletedSignIn> {
  const { options, integrationId } = request;
  const contextAt = (redirectUri: string): CredentialsContext => ({
    ports,
    flow,
    interaction,
    policy: integrationPolicy(request.discovery.url, options),
    integrationId,
    redirectUri,
    clientMetadataUrl: options.clientMetadataUrl,
    registrationToken: request.registrationToken,
    signal: leased.signal,
  });
  if (options.grant !== undefined) {
    const address = await callbackAddress(ports, options.callbackHost);
    return await signInUnattended(contextAt(callbackUrl(address)), request);
  }
  if (interaction.showDevicePage) {
    const address = await callbackAddress(ports, options.callbackHost);
    const { signInOnDevice } = await import('./sign-in-on-device.ts');
    const context = { ...contextAt(callbackUrl(address)), forDevices: true };
    return await signInOnDevice(context, request, (page) => interaction.showDevicePage?.(page));
  }
  const authorizer = await openAuthorizer(ports, request, flow, interaction, leased);
  try {
    // Fail before anything is registered, typed or opened if its secrets could not be stored.
    await (await ports.vault()).ready();
    const signedIn = await attempt(contextAt(authorizer.redirectUri), request, authorizer);
    authorizer.assertOpenedOnce();
    return signedIn;
  } finally {
    await authorizer.close();
  }
}

const pkceNote = 'pkce-not-listed';
const documentNote = 'client-document-refused';

/** Retries until there are tokens or `recoveryFrom` gives up. */
async function attempt(
  context: CredentialsContext,
  request: SignInRequest,
  authorizer: Authorizer,
): Promise<CompletedSignIn> {
  const { ports, flow, interaction, signal, policy } = context;
  let discovery = request.discovery;
  requireMetDemands(request, discovery);
  let options = await agreeToHosts(flow, interaction, request, discovery, signal);
  const initialScope = requestedScope(request, discovery).scope;
  let client: Client = await obtainCredentials(context, discovery, initialScope, request.typed);
  const used = { registerAgain: false, authorizeAgain: false };
  for (;;) {
    let failure: Failure;
    try {
      const rediscovering = rediscover(ports, discovery, { policy, ...discoveryOptions(options), signal });
      const shownDiscovery = discovery;
      [discovery] = await Promise.all([rediscovering, client.saved]);
      requireMetDemands(request, discovery);
      options = await agreeToHosts(flow, interaction, { options, shownDiscovery }, discovery, signal);
      const matched = await clientForIssuer(context, discovery, client, requestedScope(request, discovery).scope);
      if (matched.kind === 'other-issuer') failure = matched;
      else {
        client = matched.client;
        const { authorizationRequest, result } = await authorizeAndExchange(
          context,
          authorizer,
          { ...request, options },
          discovery,
          client,
        );
        if (result.kind === 'tokens') {
          const { tokens, credentials } = result;
          const notes = [...(client.notes ?? []), ...pkceNotes(authorizationRequest, discovery)];
          if (tokens.notes.includes(refusedResourceNote)) options = { ...options, sendResource: false };
          return { discovery, request: authorizationRequest, notes, options, tokens, credentials };
        }
        failure = 'error' in result ? { ...result, error: blameClient(result.error, client.credentials) } : result;
      }
    } catch (error) {
      failure = { kind: 'error', error };
    }
    const { scope } = requestedScope(request, discovery);
    const recovery = recoveryFrom(failure, { client, discovery, options }, used);
    switch (recovery.kind) {
      case 'give-up':
        // Let the registration be saved for the next attempt, even if this one ends first.
        await client.saved?.catch(() => {});
        throw failure.error;
      case 'register-again':
        used.registerAgain = true;
        client = await registerAgain(context, discovery, scope, client.credentials);
        break;
      case 'register-instead': {
        const { clientMetadataUrl: _refused, ...rest } = options;
        options = rest;
        discovery = { ...discovery, method: 'OAuthWithDCR' };
        interaction.onEvent({ event: 'note', note: documentNote });
        client = withNote(await obtainCredentials(context, discovery, scope, undefined), documentNote);
        break;
      }
      case 'with-pkce':
        options = { ...options, pkce: 'always' };
        interaction.onEvent({ event: 'note', note: pkceNote });
        break;
      case 'authorize-again':
        used.authorizeAgain = true;
        client = withNote(
          { ...client, credentials: recovery.credentials, original: client.credentials, reused: false },
          otherAuthenticationNote,
        );
        break;
      case 'ask': {
        const reply = await askForCredentials(context, discovery, scope, {
          error: recovery.error,
          earlier: client.original ?? client.credentials,
        });
        if (reply === 'register') client = await registerOrAsk(context, discovery, scope);
        else if (reply !== 'try-again') client = { credentials: reply, reused: false };
      }
    }
  }
}

/** One authorization in the browser, and the exchange of its code. */
async function authorizeAndExchange(
  { ports, flow, policy, integrationId, signal }: CredentialsContext,
  authorizer: Authorizer,
  request: SignInRequest,
  discovery: Discovery,
  client: Client,
): Promise<{
  authorizationRequest: AuthorizationRequest;
  result: CodeExchangeResult | Exclude<AuthorizationResponse, { kind: 'code' }>;
}> {
  await client.saved;
  // `original` is set while another client authentication method is being tried.
  const credentialsToUse = client.original
    ? client.credentials
    : withChosenMethod(client.credentials, request.options.clientAuthentication);
  const complete = async () => {
    const authorized = await authorizer.authorize(request, discovery, credentialsToUse, client.reused);
    const { request: authorizationRequest, response, credentials } = authorized;
    if (response.kind !== 'code') return { authorizationRequest, result: response };
    flow.advance({ type: 'callbackAccepted' });
    const result = await exchangeAuthorizationCode(ports, {
      request: authorizationRequest,
      code: response.code,
      credentials,
      metadata: discovery.metadata ?? {},
      reused: client.reused && credentials.source === 'registered',
      sendResource: request.options.sendResource,
      policy,
      signal,
    });
    return { authorizationRequest, result };
  };
  if (!client.reused) return await complete();
  const by = { integrationId, now: ports.clock.now() };
  return await trackUnansweredSignIn(await ports.vault(), client.credentials, by, complete);
}

/** Fails before anything is registered or opened. Errors: DEMAND_UNMET, PKCE_UNSUPPORTED. */
function requireMetDemands({ options }: SignInRequest, discovery: Discovery): void {
  refuseUnmetDemand(discovery);
  if (discovery.metadata) applyPkce(options.pkce, discovery.metadata);
}

function withNote(client: Client, note: CompatibilityNote): Client {
  return { ...client, notes: [...(client.notes ?? []), note] };
}

function pkceNotes({ codeVerifier }: AuthorizationRequest, { metadata }: Discovery): CompatibilityNote[] {
  return codeVerifier && !listsPkce(metadata) ? [pkceNote] : [];
}

/**
 * Gets tokens without a user (RFC 6749 section 4.4, RFC 7523 section 2.1): host consent, a client (typed), a second
 * discovery, which is the one that counts, an assertion if the grant needs one, and the token request. No page opens,
 * and no callback is awaited. Errors: those of `requestClientTokens` and `obtainAssertion`, CREDENTIALS_REQUIRED,
 * REG_ISSUER_MISMATCH, DEMAND_UNMET.
 */
async function signInUnattended(context: CredentialsContext, request: SignInRequest): Promise<CompletedSignIn> {
  const { ports, flow, interaction, policy, signal } = context;
  const { grant } = request.options;
  const shownDiscovery = request.discovery;
  // Fail before the client is typed if its secret could not be stored.
  await (await ports.vault()).ready();
  refuseUnmetDemand(shownDiscovery, grant);
  const agreed = await agreeToHosts(flow, interaction, request, shownDiscovery, signal);
  const client = await obtainCredentials(
    context,
    shownDiscovery,
    requestedScope(request, shownDiscovery).scope,
    request.typed,
  );
  const discovery = await rediscover(ports, shownDiscovery, { policy, ...discoveryOptions(agreed), signal });
  refuseUnmetDemand(discovery, grant);
  const options = await agreeToHosts(flow, interaction, { options: agreed, shownDiscovery }, discovery, signal);
  const { metadata, resource: named } = discovery;
  const issuerKey = issuerKeyOf(discovery);
  if (metadata === undefined) throw new PosternError('ASM_MISSING', { stage: 'discovery' });
  if (grant === 'client-credentials' && !hasSecretOrKey(client.credentials)) {
    // Only a confidential client may use this grant (RFC 6749 section 4.4).
    const detail = { host: serviceHost(discovery) };
    throw new PosternError('CREDENTIALS_REQUIRED', { stage: 'credentials', detail });
  }
  const scope = unattendedScope(request, discovery);
  const resource = options.sendResource ? named : undefined;
  flow.advance({ type: 'tokensRequested' });
  const { token_endpoint: tokenEndpoint } = metadata;
  const { clientId } = client.credentials;
  const issuer = expectedIssuer(issuerKey, metadata.issuer);
  const audience = options.grant === 'enterprise' ? issuer : undefined;
  const use = { issuerKey, tokenEndpoint, clientId, resource, audience: issuer };
  const assertion = await obtainAssertion(ports, { options }, use, (provider, seen) =>
    refreshStoredTokens(ports, provider, seen, 'requested', signal),
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
  const sent = { redirectUri: context.redirectUri, resource, scope };
  return { discovery, request: sent, notes: client.notes ?? [], options, tokens, credentials };
}

/** Without `offline_access` and `openid`, which need a user (OpenID Connect Core 1.0 sections 3.1.2.1 and 11). */
function unattendedScope(request: SignInRequest, discovery: SignInRequest['discovery']): string | undefined {
  const { scope } = requestedScope(request, discovery);
  if (request.options.scope !== undefined) return scope;
  return (
    scope
      ?.split(' ')
      .filter((name) => name !== 'offline_access' && name !== 'openid')
      .join(' ') || undefined
  );
}
