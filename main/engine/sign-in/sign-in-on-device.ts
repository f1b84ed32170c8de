import { PosternError } from '../../errors/postern-error.ts';
import { withChosenMethod } from '../../oauth/client/client-authentication.ts';
import { blameClient } from '../../oauth/client/client-credentials.ts';
import { rediscover } from '../../oauth/discovery/discover.ts';
import { requireDeviceEndpoint } from '../../oauth/discovery/discovery.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import { refuseUnmetDemand } from '../../oauth/discovery/unmet-demand.ts';
import { pollForTokens, requestDeviceCode } from '../../oauth/token/device-grant.ts';
import type { DeviceCodeResult } from '../../oauth/token/device-grant.ts';
import { agreeToHosts } from './agree-to-hosts.ts';
import { issuerKeyOf } from './ask-for-credentials.ts';
import type { CredentialsContext } from './ask-for-credentials.ts';
import { makeBinding } from './authorizer.ts';
import { discoveryOptions } from './discover-server.ts';
import type { Client } from './find-or-register.ts';
import { clientErrors, clientForIssuer, obtainCredentials, registerAgain } from './obtain-credentials.ts';
import { requestedScope } from './sign-in-interaction.ts';
import type { CompletedSignIn, SignInInteraction, SignInRequest } from './sign-in-interaction.ts';

/**
 * Gets tokens by the device grant (RFC 8628), where the user enters a code on any device: host consent, a client, a
 * second discovery, which is the one that counts, the code, and polling. No callback listener. Errors: those of
 * `requestDeviceCode` and `pollForTokens`, DEVICE_UNSUPPORTED, HOST_NOT_AGREED, DEMAND_UNMET, and those of finding a
 * client.
 */
export async function signInOnDevice(
  context: CredentialsContext,
  request: SignInRequest,
  show: NonNullable<SignInInteraction['showDevicePage']>,
): Promise<CompletedSignIn> {
  const { ports, flow, interaction, policy, signal } = context;
  const shownDiscovery = request.discovery;
  // Fail before anything is registered or typed if its secrets could not be stored.
  await (await ports.vault()).ready();
  requireDeviceGrant(shownDiscovery);
  const agreed = await agreeToHosts(flow, interaction, request, shownDiscovery, signal);
  const found = await obtainCredentials(
    context,
    shownDiscovery,
    requestedScope(request, shownDiscovery).scope,
    request.typed,
  );
  const rediscovering = rediscover(ports, shownDiscovery, { policy, ...discoveryOptions(agreed), signal });
  const [discovery] = await Promise.all([rediscovering, found.saved]);
  const endpoint = requireDeviceGrant(discovery);
  const { metadata, resource: named } = discovery;
  if (metadata === undefined) throw new PosternError('ASM_MISSING', { stage: 'discovery' });
  const issuerKey = issuerKeyOf(discovery);
  const agreedAgain = await agreeToHosts(flow, interaction, { options: agreed, shownDiscovery }, discovery, signal);
  const { scope } = requestedScope(request, discovery);
  const matched = await clientForIssuer(context, discovery, found, scope);
  if (matched.kind === 'other-issuer') throw matched.error;
  const resource = agreedAgain.sendResource ? named : undefined;
  const common = { metadata, issuerKey, resource, policy, signal };

  let { client } = matched;
  const requestCode = (): Promise<DeviceCodeResult> =>
    requestDeviceCode(ports, {
      ...common,
      credentials: withChosenMethod(client.credentials, agreedAgain.clientAuthentication),
      reused: isReused(client),
      endpoint,
      scope,
    });
  let result = await requestCode();
  if (result.kind === 'refused' && clientErrors.has(result.name)) {
    client = (await replacementClient(context, discovery, scope, client)) ?? client;
    if (client !== matched.client) result = await requestCode();
  }
  if (result.kind === 'refused') throw blameClient(result.error, client.credentials);
  const { code, credentials } = result;

  // Treat `verification_uri` as the sign-in page. A page of another owner could be an honest one to which a hostile
  // service has led the user with a code of its own sign-in there (RFC 8628 section 5.4).
  const page = { ...discovery, metadata: { ...metadata, authorization_endpoint: code.page } };
  const options = await agreeToHosts(flow, interaction, { options: agreedAgain }, page, signal);
  await client.saved;
  const { deviceCode, interval, userCode, pageWithCode } = code;
  const lifetime = Math.min(code.lifetime, request.timeout ?? code.lifetime);
  const expiresAt = Math.trunc(ports.clock.now()) + lifetime;
  flow.advance({ type: 'authorizationRequested', expiresAt });
  show({ page: code.page, ...(pageWithCode !== undefined && { pageWithCode }), userCode, expiresAt });
  const binding = makeBinding(discovery, credentials);
  const wait = { credentials, deviceCode, interval, lifetime: code.lifetime, timeout: request.timeout, binding };
  const granted = await pollForTokens(ports, { ...common, ...wait }).catch((error: unknown) => {
    throw blameClient(error, credentials);
  });
  flow.advance({ type: 'callbackAccepted' });
  const sent = { redirectUri: context.redirectUri, resource, scope };
  return { discovery, request: sent, notes: client.notes ?? [], options, ...granted };
}

/** Fails before anything is registered or typed. */
function requireDeviceGrant(discovery: Discovery): ReturnType<typeof requireDeviceEndpoint> {
  const endpoint = requireDeviceEndpoint(discovery);
  refuseUnmetDemand(discovery, 'device-code');
  return endpoint;
}

/** Registers again if the service forgot the registration, or its metadata document does not list this grant. */
async function replacementClient(
  context: CredentialsContext,
  discovery: Discovery,
  scope: string | undefined,
  client: Client,
): Promise<Client | undefined> {
  const { credentials } = client;
  const isDocument = credentials.source === 'metadata-document';
  if (isReused(client)) return await registerAgain(context, discovery, scope, credentials);
  if (!isDocument || discovery.metadata?.registration_endpoint === undefined) return undefined;
  return await obtainCredentials(context, { ...discovery, method: 'OAuthWithDCR' }, scope, undefined);
}

function isReused({ credentials, reused }: Client): boolean {
  return reused && credentials.source === 'registered';
}
