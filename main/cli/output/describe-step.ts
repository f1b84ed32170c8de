import { errorCatalog } from '../../../shared/error-codes.ts';
import { hasTrait } from '../../../shared/error-traits.ts';
import { discoveryStepWords } from '../../../shared/status-words.ts';
import { signInHosts } from '../../engine/sign-in/agree-to-hosts.ts';
import type { FlowState } from '../../engine/sign-in/flow-state.ts';
import { isSubdomainException, publishedIssuer } from '../../issuer-key.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import { withoutKeys } from '../../secret.ts';
import type { StepMark } from '../terminal/terminal-output.ts';
import { printableLine } from '../text.ts';

/** One discovery step as text. `mark` is absent while it is running. */
export function describeDiscoveryStep(step: DiscoveryStep): { mark?: StepMark; text: string } {
  const where = step.url === undefined ? '' : ` · ${hostOf(step.url)}`;
  const text = `${discoveryStepWords[step.outcome][step.step]}${where}`;
  switch (step.outcome) {
    case 'waiting':
    case 'started':
      return { text };
    case 'found':
      return { mark: 'done', text: `${text}${step.status ? ` (${step.status})` : ''}` };
    case 'not-found':
      return { mark: 'note', text: `${text}${step.status ? ` (${step.status})` : ''}` };
    case 'failed':
      return { mark: 'failed', text: `${text}${step.code ? ` (${step.code})` : ''}` };
  }
}

/** The result of a discovery in one sentence. */
export function describeMethod(
  discovery: Pick<Discovery, 'method' | 'reason' | 'issuerKey' | 'probeStatus' | 'refusedStatus'>,
): string {
  const service = serviceOf(discovery);
  switch (discovery.method) {
    case 'NoAuth':
      return describeNoAuth(discovery);
    case 'OAuth':
      return `Signs in at ${service}, with an OAuth app that you create there`;
    case 'OAuthWithDCR':
      return `Signs in at ${service}; Postern registers itself there`;
    case 'OAuthWithCIMD':
      return `Signs in at ${service}, which reads Postern’s client metadata document`;
  }
}

function describeNoAuth({
  reason,
  probeStatus,
  refusedStatus,
}: Pick<Discovery, 'reason' | 'probeStatus' | 'refusedStatus'>): string {
  // The server may publish metadata that could not be read.
  const isUnread = reason !== undefined && !hasTrait(errorCatalog[reason], 'nothing-published');
  const why = reason === undefined ? '' : ` (${reason})`;
  if (refusedStatus !== undefined) {
    return isUnread
      ? `Requires a sign-in (HTTP ${refusedStatus}), but its metadata could not be read${why}`
      : `Requires a sign-in (HTTP ${refusedStatus}), but does not publish how${why}`;
  }
  const accessNote = probeStatus === undefined ? '' : `; the server works without one (HTTP ${probeStatus})`;
  return isUnread ? `Sign-in metadata could not be read${why}${accessNote}` : `No sign-in found${why}${accessNote}`;
}

/** The result of a discovery, for `--json`. */
export function discoveryFields(discovery: Discovery): Readonly<Record<string, unknown>> {
  const { method, reason, issuerKey, metadata, authorizationServer, resource } = discovery;
  return {
    method,
    reason,
    issuer: publishedIssuer(discovery, metadata?.token_endpoint),
    ...(authorizationServer !== issuerKey && { authorizationServer }),
    resource: resource && withoutKeys(resource),
    ...signInHosts(discovery),
  };
}

/** The same before a sign-in; registration is reported when it happens. */
export function describeUpcomingSignIn(discovery: Discovery, isChange = false): string {
  if (isChange) return describeChange(discovery);
  return discovery.method === 'OAuthWithDCR' ? `Signs in at ${serviceOf(discovery)}` : describeMethod(discovery);
}

/** Notes for the user to check: a service with two names, hosts of different owners, another token host. */
export function describeHostNotes(discovery: Discovery): readonly string[] {
  const notes = [describeException(discovery), describeOwners(discovery), describeToken(discovery)];
  return notes.filter((note) => note !== undefined);
}

/** Both names of an authorization server accepted under the subdomain exception. */
function describeException(
  discovery: Pick<Discovery, 'issuerKey' | 'metadata' | 'authorizationServer'>,
): string | undefined {
  const { authorizationServer: declared, issuerKey, metadata } = discovery;
  if (declared === undefined || issuerKey === undefined || !isSubdomainException(issuerKey) || !metadata)
    return undefined;
  return `The server names ${hostOf(declared)}, which identifies itself as ${hostOf(metadata.issuer)}. Check that you expected both`;
}

/** Sign-in host and server host, if they may have different owners. */
function describeOwners(discovery: Discovery): string | undefined {
  const hosts = signInHosts(discovery);
  if (hosts?.differentOwner !== true) return undefined;
  const [page, server] = [hosts.signInHost, hosts.serverHost].map((host) => printableLine(host, 260));
  return `You sign in at ${page}, and ${server} gets access. They may have different owners`;
}

/** The token endpoint's host, if it differs from the sign-in page's. */
function describeToken(discovery: Discovery): string | undefined {
  const hosts = signInHosts(discovery);
  if (hosts === undefined || hosts.tokenHost === hosts.signInHost) return undefined;
  const [page, token] = [hosts.signInHost, hosts.tokenHost].map((host) => printableLine(host, 260));
  return `The sign-in page is at ${page}, and the token endpoint at ${token}`;
}

/** If the result changed after the user saw it. */
function describeChange(discovery: Discovery): string {
  const hosts = signInHosts(discovery);
  const page = hosts ? `, with its page at ${printableLine(hosts.signInHost, 260)}` : '';
  return `This has changed: it now signs in at ${serviceOf(discovery)}${page}`;
}

function serviceOf({ issuerKey }: Pick<Discovery, 'issuerKey'>): string {
  return issuerKey === undefined ? 'its sign-in service' : hostOf(issuerKey);
}

/** Text for a state of the sign-in flow; `undefined` if it needs none. */
export function describeState(state: FlowState, now: () => number): string | (() => string) | undefined {
  switch (state.name) {
    case 'registering':
      return 'Registering with the sign-in service';
    case 'authorizationPending':
      return () => `Waiting for you to sign in (${timeLeft(state.expiresAt - now())} left; Ctrl-C to cancel)`;
    case 'exchanging':
      return 'Getting an access token';
    case 'ticketIssued':
      return 'Saving the sign-in';
    default:
      return undefined;
  }
}

function timeLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** WHATWG URLs have hosts in punycode, so lookalike characters are visible. */
function hostOf(address: string): string {
  return URL.parse(address)?.host.slice(0, 260) ?? 'the server';
}
