import { errorCatalogue } from '../../../shared/error-codes.ts';
import { isAbout } from '../../../shared/error-facts.ts';
import { discoveryStepWords } from '../../../shared/status-words.ts';
import { signInHosts } from '../../engine/sign-in/agree-to-hosts.ts';
import type { FlowState } from '../../engine/sign-in/flow-state.ts';
import { isUnderException, publishedIssuer } from '../../issuer-key.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import { withoutKeys } from '../../secret.ts';
import type { StepMark } from '../terminal/terminal-output.ts';
import { printableLine } from '../text.ts';

/** One step of a discovery for a person. `mark` is absent while it is under way. */
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

/** The verdict of a discovery in one sentence. */
export function describeMethod(
  discovery: Pick<Discovery, 'method' | 'reason' | 'issuerKey' | 'probeStatus' | 'refusedStatus'>,
): string {
  const service = serviceOf(discovery);
  switch (discovery.method) {
    case 'NoAuth':
      return describeNoAuth(discovery);
    case 'OAuth':
      return `Signs in at ${service}, with an app that you create there`;
    case 'OAuthWithDCR':
      return `Signs in at ${service}; Postern registers itself there`;
    case 'OAuthWithCIMD':
      return `Signs in at ${service}, which reads who Postern is from its published document`;
  }
}

function describeNoAuth({
  reason,
  probeStatus,
  refusedStatus,
}: Pick<Discovery, 'reason' | 'probeStatus' | 'refusedStatus'>): string {
  // It may publish something that could not be read.
  const isUnread = reason !== undefined && !isAbout(errorCatalogue[reason], 'nothing-published');
  const why = reason === undefined ? '' : ` (${reason})`;
  if (refusedStatus !== undefined) {
    return isUnread
      ? `It asks for a sign-in (it answered ${refusedStatus}), and how could not be read${why}`
      : `It asks for a sign-in (it answered ${refusedStatus}) and says nowhere how${why}`;
  }
  const answered = probeStatus === undefined ? '' : `: it answers without one (${probeStatus})`;
  return isUnread
    ? `Whether and how to sign in could not be read${why}${answered}`
    : `No sign-in found${why}${answered}`;
}

/** For programs. */
export function describeVerdict(discovery: Discovery): Readonly<Record<string, unknown>> {
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

/** The same before a sign-in: whether Postern registers itself there is told when it does. */
export function describeSignInPlace(discovery: Discovery, isChange = false): string {
  if (isChange) return describeChange(discovery);
  return discovery.method === 'OAuthWithDCR' ? `Signs in at ${serviceOf(discovery)}` : describeMethod(discovery);
}

/** Who has a part in a sign-in, where that needs a look: the service by both its names, owners that differ. */
export function describeParties(discovery: Discovery): readonly string[] {
  const notes = [describeException(discovery), describeOwners(discovery), describeToken(discovery)];
  return notes.filter((note) => note !== undefined);
}

/** Both names of a sign-in service that was taken under the sub-domain exception. */
function describeException(
  discovery: Pick<Discovery, 'issuerKey' | 'metadata' | 'authorizationServer'>,
): string | undefined {
  const { authorizationServer: asked, issuerKey, metadata } = discovery;
  if (asked === undefined || issuerKey === undefined || !isUnderException(issuerKey) || !metadata) return undefined;
  return `The server names ${hostOf(asked)}, which says that it is ${hostOf(metadata.issuer)}. Check that you expected both`;
}

/** Who signs a person in and who gets the access, where these have different owners. */
function describeOwners(discovery: Discovery): string | undefined {
  const hosts = signInHosts(discovery);
  if (hosts?.differentOwner !== true) return undefined;
  const [page, server] = [hosts.signInHost, hosts.serverHost].map((host) => printableLine(host, 260));
  return `You sign in at ${page}, and ${server} gets the access. They are not known to have one owner`;
}

/** Who gets the answer of the page, where that is another host. */
function describeToken(discovery: Discovery): string | undefined {
  const hosts = signInHosts(discovery);
  if (hosts === undefined || hosts.tokenHost === hosts.signInHost) return undefined;
  const [page, token] = [hosts.signInHost, hosts.tokenHost].map((host) => printableLine(host, 260));
  return `The sign-in page is at ${page}; ${token} gets its answer`;
}

/** For a person who was told otherwise before. */
function describeChange(discovery: Discovery): string {
  const hosts = signInHosts(discovery);
  const page = hosts ? `, with its page at ${printableLine(hosts.signInHost, 260)}` : '';
  return `That has changed: it signs in at ${serviceOf(discovery)} now${page}`;
}

function serviceOf({ issuerKey }: Pick<Discovery, 'issuerKey'>): string {
  return issuerKey === undefined ? 'its sign-in service' : hostOf(issuerKey);
}

/** What happens in a state of the flow; `undefined` where a person need not know. */
export function describeState(state: FlowState, now: () => number): string | (() => string) | undefined {
  switch (state.name) {
    case 'registering':
      return 'Registering at the sign-in service';
    case 'authorizationPending':
      return () => `Waiting until you have signed in (${timeLeft(state.expiresAt - now())} left; Ctrl-C ends)`;
    case 'exchanging':
      return 'Fetching the access';
    case 'ticketIssued':
      return 'Keeping the access safe';
    default:
      return undefined;
  }
}

function timeLeft(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** WHATWG prints hosts in punycode, so nothing in it can deceive the eye. */
function hostOf(address: string): string {
  return URL.parse(address)?.host.slice(0, 260) ?? 'the server';
}
