import type { ConnectionView, CredentialsView, PendingView, StepView } from '../../../shared/connection-view.ts';
import { displayPlace } from '../../address/display-place.ts';
import { displayText } from '../../address/display-text.ts';
import { urlLength } from '../../limits.ts';
import type { CredentialsRequest } from '../../integration/sign-in/sign-in-interaction.ts';
import { publishedIssuer } from '../../../shared/published-issuer.ts';
import type { DiscoveryStep } from '../../oauth/discovery-context.ts';
import { PosternError } from '../../postern-error.ts';
import { toWindowError } from '../../window-error.ts';
import type { Connection, OpenSignIn } from '../connections/connection.ts';
import { describeHosts } from './describe-hosts.ts';
import { describeVerdict } from './describe-verdict.ts';
import { shownScopes } from './shown-scopes.ts';

const text = (address: string): string => displayText(address, urlLength.received);

/** A connection as the window may see it: no token, secret, verifier, state or authorization address. */
export function describeConnection(connection: Connection): ConnectionView {
  const { id, kind, integrationId, url, name, options, state, error, install } = connection;
  const address = URL.parse(url);
  const asked = connection.credentials?.asked;
  return {
    id,
    kind,
    ...(integrationId !== undefined && { integrationId }),
    url: text(url),
    ...(address?.hostname && { host: displayPlace(address) }),
    name,
    options,
    state: install && state.name !== 'ticketIssued' ? { name: 'ticketIssued', ticketId: install.asked } : state,
    steps: latestSteps(connection.steps).map(describeStep),
    ...(connection.discovery && { verdict: describeVerdict(connection.discovery, connection) }),
    ...(asked && { credentialsRequest: describeCredentials(asked, connection) }),
    ...(connection.hosts && { hostsRequest: describeHosts(connection.hosts.asked) }),
    ...(connection.signIn && { pending: describeSignIn(connection.signIn) }),
    ...(install && { ticketId: install.asked }),
    ...(error && { error }),
  };
}

/** What began and then ended is one step; a later look at the same place takes the place of the earlier. */
function latestSteps(steps: readonly DiscoveryStep[]): readonly DiscoveryStep[] {
  const byPlace = new Map<string, DiscoveryStep>();
  for (const step of steps) byPlace.set(`${step.step} ${step.url ?? ''}`, step);
  return [...byPlace.values()];
}

function describeStep({ step, outcome, url, status, code }: DiscoveryStep): StepView {
  const address = url === undefined ? null : URL.parse(url);
  return {
    step,
    outcome,
    ...(address && { url: displayText(`${address.origin}${address.pathname}`, urlLength.received) }),
    ...(address && { host: displayPlace(address) }),
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
  };
}

function describeCredentials(request: CredentialsRequest, { discovery }: Connection): CredentialsView {
  const { serverUrl, callbackUrl, issuer, scopes, otherScopes, error, earlier, canTryAgain } = request;
  const { authorization_endpoint: authorization, token_endpoint: token } = discovery?.metadata ?? {};
  return {
    serverUrl,
    callbackUrl,
    issuer: text(publishedIssuer(issuer)),
    issuerHost: displayPlace(URL.parse(issuer) ?? { hostname: '', port: '' }),
    ...(authorization !== undefined &&
      token !== undefined && {
        endpoints: { authorization: text(authorization), token: text(token) },
      }),
    scopes: shownScopes(scopes),
    otherScopes: shownScopes(otherScopes),
    ...(error && { error: toWindowError(error) }),
    ...(earlier && { earlier }),
    canTryAgain,
  };
}

function describeSignIn({ authorization, surface, host, opened, blocked }: OpenSignIn): PendingView {
  const { callbackUrl, expiresAt } = authorization;
  const error = blocked ? toWindowError(new PosternError('NAV_BLOCKED', { stage: 'authorization' })) : undefined;
  return { callbackUrl, expiresAt, surface, host, opened, ...(error && { error }) };
}
