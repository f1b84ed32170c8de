import { notesOf } from '../../../shared/compatibility-notes.ts';
import type {
  ConnectionView,
  CredentialsView,
  DeviceView,
  FlowStateView,
  HostsView,
  PendingView,
  StepView,
  VerdictView,
} from '../../../shared/connection-view.ts';
import { errorCatalog } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import type { RequestPurpose } from '../../../shared/trace.ts';
import { displayHost, displayHostAndPort, displayText } from '../../address/display-text.ts';
import { hostsRequest, hostsToAgree, signInHosts } from '../../engine/sign-in/agree-to-hosts.ts';
import { errorOf, isAddressFixed, whoseTurn } from '../../engine/sign-in/flow-state.ts';
import type { FlowState } from '../../engine/sign-in/flow-state.ts';
import type { Inspection } from '../../engine/sign-in/flow.ts';
import { requestedScope } from '../../engine/sign-in/sign-in-interaction.ts';
import type { CredentialsRequest, DevicePage, HostsRequest } from '../../engine/sign-in/sign-in-interaction.ts';
import { toPlainError } from '../../errors/postern-error.ts';
import { RequestError } from '../../errors/request-error.ts';
import { isSubdomainException, keyHost, publishedIssuer } from '../../issuer-key.ts';
import { urlLength } from '../../limits.ts';
import { listsPkce } from '../../oauth/authorization/authorization-request.ts';
import { deviceEndpoint } from '../../oauth/discovery/discovery.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import { SseTransportError } from '../../oauth/discovery/probe-response.ts';
import { splitAddress } from '../../secret.ts';
import { bringsKey, integrationOf, refusesEmbeddedWindows } from '../attempts/sign-in-attempts.ts';
import type { SignInAttempt, Waiting } from '../attempts/sign-in-attempts.ts';

const displayUrl = (address: string): string => displayText(address, urlLength.received);

/** The URL as the window shows it. For an imported entry without its keys, because the user did not type them here. */
export function displayAddress({ url, importEntry }: Pick<SignInAttempt['choices'], 'url' | 'importEntry'>): string {
  return displayUrl(importEntry !== undefined && URL.canParse(url) ? splitAddress(url).href : url);
}

/** A sign-in attempt as the window may see it: no token, secret, verifier, state or authorization URL. */
export function describeConnection(attempt: SignInAttempt): ConnectionView {
  const { id, purpose, flow, choices, run } = attempt;
  const { url, name, importEntry, header } = choices;
  const { assertionFile, ...options } = choices.options;
  const integrationId = integrationOf(attempt);
  const { steps, shownInspection: inspection } = flow.findings;
  const address = URL.parse(url);
  return {
    id,
    kind: purpose.kind,
    ...(integrationId !== undefined && { integrationId }),
    url: displayAddress(choices),
    ...(address?.hostname && { host: displayHostAndPort(address) }),
    name,
    options,
    ...(assertionFile !== undefined && { assertionFile: displayUrl(assertionFile) }),
    state: describeState(flow.state, choices.typed !== undefined),
    ...(flow.endedIn && { lastStage: describeEnd(flow.endedIn, errorOf(flow.state)) }),
    turn: whoseTurn(flow.state),
    hasStarted: isAddressFixed(flow.state),
    ...(importEntry !== undefined && { importEntry }),
    steps: latestSteps(steps).map(describeStep),
    ...(header && { keyName: displayText(header.name) }),
    ...(inspection && {
      verdict: describeVerdict(inspection, options, { bringsKey: bringsKey(choices) }),
    }),
    ...(run?.usedBrowser && { usedBrowser: true as const }),
    ...(choices.typed && { callbackUrl: choices.typed.callbackUrl }),
    ...(run?.waiting && describeWaiting(run.waiting, inspection?.discovery)),
  };
}

function describeEnd(endedIn: FlowState['name'], error: unknown): ConnectionView['lastStage'] {
  switch (endedIn) {
    case 'discovering':
      return error instanceof SseTransportError || (error instanceof RequestError && serverPurposes.has(error.purpose))
        ? 'server'
        : 'documents';
    case 'discovered':
    case 'registering':
    case 'awaitingCredentials':
    case 'authorizationPending':
    case 'exchanging':
      return 'signIn';
    case 'ticketIssued':
      return 'install';
    default:
      return 'use';
  }
}

const serverPurposes: ReadonlySet<RequestPurpose | undefined> = new Set(['probe', 'mcp']);

/** `hasOAuthApp`: a typed client ID, perhaps with a secret, waits for the next run. */
function describeState(state: FlowState, hasOAuthApp: boolean): FlowStateView {
  switch (state.name) {
    case 'urlEntered': {
      const cancelled = hasOAuthApp ? state.cancelled?.with({ detail: { work: 'oauthApp' } }) : state.cancelled;
      return { name: state.name, ...(cancelled && { cancelled: toPlainError(cancelled) }) };
    }
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
      return { device: describeDevice(waiting.devicePage) };
    case 'install':
      return {};
  }
}

/** Merges start and end of a step; a later step at the same URL replaces the earlier one. */
function latestSteps(steps: readonly DiscoveryStep[]): readonly DiscoveryStep[] {
  const byStepAndUrl = new Map<string, DiscoveryStep>();
  for (const step of steps) byStepAndUrl.set(`${step.step} ${step.url ?? ''}`, step);
  return [...byStepAndUrl.values()];
}

function describeStep({ step, outcome, url, status, code }: DiscoveryStep): StepView {
  const address = url === undefined ? null : URL.parse(url);
  return {
    step,
    outcome,
    ...(address && { url: displayText(`${address.origin}${address.pathname}`, urlLength.received) }),
    ...(address && { host: displayHostAndPort(address) }),
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
        endpoints: { authorization: displayUrl(authorization), token: displayUrl(token) },
      }),
    scopes: displayScopes(scopes),
    otherScopes: displayScopes(otherScopes),
    ...(earlier && { earlier }),
    ...(tryAgain && { tryAgain }),
    ...(canRegister && { canRegister }),
  };
}

function describeDevice({ page, pageWithCode, userCode }: DevicePage): DeviceView {
  return {
    host: displayHostAndPort(new URL(page)),
    page: displayUrl(page),
    userCode,
    hasLink: pageWithCode !== undefined,
  };
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

/** The verdict with its trust card. `bringsKey`: headers were imported with the URL, and are tried first. */
export function describeVerdict(
  { discovery, open }: Inspection,
  options: IntegrationOptions,
  { bringsKey: usesKey = false } = {},
): VerdictView {
  const { method, metadata, alternatives } = discovery;
  const issuer = publishedIssuer(discovery, metadata?.token_endpoint);
  const server = new URL(discovery.url);
  const hosts = hostsToAgree(discovery, { options });
  const endpoint = URL.parse(metadata?.authorization_endpoint ?? '');
  const scopes = requestedScope({ options }, discovery).scope?.split(' ') ?? [];
  const otherScopes = [
    ...(discovery.resourceMetadata?.scopes_supported ?? []),
    ...(metadata?.scopes_supported ?? []),
  ].filter((scope) => !scopes.includes(scope));
  const usesPkce = listsPkce(metadata);
  const isOpen = method === 'NoAuth' && open !== undefined;
  const kind = usesKey ? 'usesKey' : kindOf(discovery, isOpen);
  return {
    kind,
    method,
    ...(kind === 'couldNotTell' && describeNamedService(discovery)),
    serverHost: displayHostAndPort(server),
    ...(endpoint && { authorizationServerHost: displayHostAndPort(endpoint) }),
    ...(issuer !== undefined && { issuer: displayUrl(issuer) }),
    ...describeException(discovery),
    differentOwner: signInHosts(discovery)?.differentOwner === true,
    ...(hosts.length > 0 && { hosts: describeHosts(hostsRequest(discovery, hosts)) }),
    scopes: displayScopes(scopes),
    otherScopes: displayScopes(otherScopes),
    browserOnly: endpoint !== null && refusesEmbeddedWindows(endpoint.hostname),
    pkce: usesPkce || options.pkce === 'always',
    // Fallback metadata that nobody published says nothing about the service.
    pkceListed: usesPkce && discovery.metadataUrl !== undefined,
    encrypted: [server, endpoint].every((address) => address === null || address.protocol === 'https:'),
    notes: notesOf(discovery),
    alternatives: alternatives.map(displayUrl),
    ...(isOpen && { toolCount: open.tools.length }),
  };
}

/** The service named in resource metadata; its own origin if the list is absent (RFC 9728 section 2). */
function describeNamedService({ url, resourceMetadata, reason }: Discovery): Partial<VerdictView> {
  if (!resourceMetadata) return {};
  const service = URL.parse(resourceMetadata.authorization_servers?.[0] ?? url);
  if (!service) return {};
  const isDown = reason !== undefined && hasTrait(errorCatalog[reason], 'service-down');
  return { namedService: displayHostAndPort(service), ...(isDown && { namedServiceDown: true }) };
}

function describeException({
  issuerKey,
  metadata,
  authorizationServer,
}: Discovery): Pick<VerdictView, 'exception'> | undefined {
  const [named, issuer] = [URL.parse(authorizationServer ?? ''), URL.parse(metadata?.issuer ?? '')];
  if (issuerKey === undefined || !isSubdomainException(issuerKey) || !named || !issuer) return undefined;
  return { exception: { named: displayHostAndPort(named), issuer: displayHostAndPort(issuer) } };
}

function kindOf({ method }: Discovery, isOpen: boolean): VerdictView['kind'] {
  switch (method) {
    case 'NoAuth':
      return isOpen ? 'noSignIn' : 'couldNotTell';
    case 'OAuth':
      return 'needsOAuthApp';
    case 'OAuthWithDCR':
      return 'registersItself';
    case 'OAuthWithCIMD':
      return 'publishedClient';
  }
}

/** Hosts of several owners, in display form. */
function describeHosts({ service, page, token, hosts }: HostsRequest): HostsView {
  return {
    service: displayHost(service),
    page: displayHost(page),
    token: displayHost(token),
    hosts: hosts.map(displayHost),
  };
}

/** Some servers list hundreds of scopes; the window shows this many. */
const maxScopes = 200;

/** Scope names for display: truncated and deduplicated. */
function displayScopes(scopes: readonly string[]): string[] {
  return [...new Set(scopes.map((scope) => displayText(scope, 120)))]
    .filter((scope) => scope !== '')
    .slice(0, maxScopes);
}
