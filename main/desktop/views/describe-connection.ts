import type {
  ConnectionView,
  CredentialsView,
  DeviceView,
  PendingView,
  StepView,
} from '../../../shared/connection-view.ts';
import { displayPlace } from '../../address/display-place.ts';
import { displayText } from '../../address/display-text.ts';
import { urlLength } from '../../limits.ts';
import { isUnderWay, turnOf } from '../../integration/sign-in/flow-state.ts';
import type { FlowState } from '../../integration/sign-in/flow-state.ts';
import { deviceEndpoint } from '../../oauth/discovery/device-sign-in.ts';
import type { CredentialsRequest, DevicePage } from '../../integration/sign-in/sign-in-interaction.ts';
import type { FlowStateView } from '../../../shared/flow-state.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { DiscoveryStep } from '../../oauth/discovery/discovery-context.ts';
import { keyHost } from '../../issuer-key.ts';
import { toPlainError } from '../../plain-error.ts';
import type { Connection } from '../connections/connections.ts';
import { bringsKey, integrationOf } from '../connections/connections.ts';
import type { Waiting } from '../connections/waiting.ts';
import { describeHosts } from './describe-hosts.ts';
import { describeVerdict } from './describe-verdict.ts';
import { shownScopes } from './shown-scopes.ts';

const text = (address: string): string => displayText(address, urlLength.received);

/** A connection as the window may see it: no token, secret, verifier, state or authorization address. */
export function describeConnection(connection: Connection): ConnectionView {
  const { id, purpose, flow, wanted, attempt } = connection;
  const { url, name, importEntry, header } = wanted;
  const { assertionFile, ...options } = wanted.options;
  const integrationId = integrationOf(connection);
  const { steps, shown } = flow.found;
  const address = URL.parse(url);
  return {
    id,
    kind: purpose.kind,
    ...(integrationId !== undefined && { integrationId }),
    url: text(url),
    ...(address?.hostname && { host: displayPlace(address) }),
    name,
    options,
    ...(assertionFile !== undefined && { assertionFile: text(assertionFile) }),
    state: describeState(flow.state),
    turn: turnOf(flow.state),
    isUnderWay: isUnderWay(flow.state),
    ...(importEntry !== undefined && { importEntry }),
    steps: latestSteps(steps).map(describeStep),
    ...(header && { keyName: displayText(header.name) }),
    ...(shown && {
      verdict: describeVerdict(shown, options, { bringsKey: bringsKey(wanted) }),
    }),
    ...(attempt?.usedBrowser && { usedBrowser: true as const }),
    ...(wanted.typed && { callbackUrl: wanted.typed.callbackUrl }),
    ...(attempt?.waiting && describeWaiting(attempt.waiting, shown?.discovery)),
  };
}

function describeState(state: FlowState): FlowStateView {
  switch (state.name) {
    case 'urlEntered':
      return { name: state.name, ...(state.cancelled && { cancelled: toPlainError(state.cancelled) }) };
    case 'awaitingCredentials':
      return { name: state.name, ...(state.error && { error: toPlainError(state.error) }) };
    case 'integrated':
      return { name: state.name, integrationId: state.integrationId };
    case 'failed':
      return { name: state.name, error: toPlainError(state.error) };
    default:
      return state;
  }
}

function describeWaiting(waiting: Waiting, discovery: Discovery | undefined): Partial<ConnectionView> {
  switch (waiting.for) {
    case 'credentials':
      return { credentialsRequest: describeCredentials(waiting.request, discovery) };
    case 'hosts':
      return { hostsRequest: describeHosts(waiting.request) };
    case 'callback':
      return { pending: describePending(waiting, discovery) };
    case 'device':
      return { device: describeDevice(waiting.shown) };
    case 'install':
      return {};
  }
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

function describeCredentials(request: CredentialsRequest, discovery: Discovery | undefined): CredentialsView {
  const { serverUrl, callbackUrl, issuerKey, scopes, otherScopes, earlier, tryAgain, canRegister } = request;
  const { authorization_endpoint: authorization, token_endpoint: token } = discovery?.metadata ?? {};
  return {
    serverUrl,
    callbackUrl,
    issuerHost: keyHost(issuerKey),
    ...(authorization !== undefined &&
      token !== undefined && {
        endpoints: { authorization: text(authorization), token: text(token) },
      }),
    scopes: shownScopes(scopes),
    otherScopes: shownScopes(otherScopes),
    ...(earlier && { earlier }),
    ...(tryAgain && { tryAgain }),
    ...(canRegister && { canRegister }),
  };
}

function describeDevice({ page, pageWithCode, userCode }: DevicePage): DeviceView {
  return { host: displayPlace(new URL(page)), page: text(page), userCode, hasLink: pageWithCode !== undefined };
}

function describePending(
  { authorization, page }: Extract<Waiting, { readonly for: 'callback' }>,
  discovery: Discovery | undefined,
): PendingView {
  const { callbackUrl, openBefore } = authorization;
  const pending = {
    callbackUrl,
    surface: page.where,
    host: page.host,
    ...(openBefore !== undefined && { openBefore }),
    ...(deviceEndpoint(discovery?.metadata) !== undefined && { offersDevice: true as const }),
  };
  if (page.where === 'browser') return { ...pending, opened: page.opened };
  return { ...pending, opened: true, ...(page.blocked && { error: toPlainError(page.blocked) }) };
}
