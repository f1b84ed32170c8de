import type { ConnectionView, CredentialsView, PendingView, StepView } from '../../shared/connection-view.ts';
import { displayHost } from '../address/display-host.ts';
import { displayText } from '../address/display-text.ts';
import { urlLength } from '../limits.ts';
import type { CredentialsRequest } from '../integration/sign-in-interaction.ts';
import type { DiscoveryStep } from '../oauth/discover.ts';
import { toWindowError } from '../window-error.ts';
import type { Connection, OpenSignIn } from './connection.ts';
import { describeVerdict } from './describe-verdict.ts';
import { shownScopes } from './shown-scopes.ts';

/** A connection as the window may see it: no token, secret, verifier, state or authorization address. */
export function describeConnection(connection: Connection): ConnectionView {
  const { id, kind, integrationId, url, name, options, state, error, install } = connection;
  const host = URL.parse(url)?.hostname;
  const asked = connection.credentials?.asked;
  return {
    id,
    kind,
    ...(integrationId !== undefined && { integrationId }),
    url: displayText(url, urlLength.received),
    ...(host && { host: displayHost(host) }),
    name,
    options,
    state: install && state.name !== 'ticketIssued' ? { name: 'ticketIssued', ticketId: install.asked } : state,
    steps: latestSteps(connection.steps).map(describeStep),
    ...(connection.discovery && { verdict: describeVerdict(connection.discovery, connection) }),
    ...(asked && { credentialsRequest: describeCredentials(asked, connection) }),
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
    ...(address && { host: displayHost(address.hostname) }),
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
  };
}

function describeCredentials(request: CredentialsRequest, { discovery }: Connection): CredentialsView {
  const { serverUrl, callbackUrl, issuer, scopes, otherScopes, error, earlier } = request;
  return {
    serverUrl,
    callbackUrl,
    issuer: displayText(issuer, urlLength.received),
    issuerHost: displayHost(URL.parse(issuer)?.hostname ?? ''),
    scopes: shownScopes(scopes),
    otherScopes: shownScopes(otherScopes),
    ...(error && { error: toWindowError(error) }),
    ...(earlier && { earlier }),
    canTryAgain: discovery?.method === 'OAuthWithDCR' || discovery?.method === 'OAuthWithCIMD',
  };
}

function describeSignIn({ authorization, surface, host, opened }: OpenSignIn): PendingView {
  return { callbackUrl: authorization.callbackUrl, expiresAt: authorization.expiresAt, surface, host, opened };
}
