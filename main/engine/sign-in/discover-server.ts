import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { parseTypedAddress } from '../../address/typed-address.ts';
import { isOutcome, PosternError } from '../../errors/postern-error.ts';
import { RequestError } from '../../errors/request-error.ts';
import { discoverAuthenticationMethod, discoverIssuer } from '../../oauth/discovery/discover.ts';
import { ServerOutage } from '../../oauth/discovery/discovery.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import { newerAddress } from '../../oauth/discovery/probe-answer.ts';
import { requireMcp } from '../../oauth/discovery/probe.ts';
import type { TokenChallenge } from '../../oauth/wire/response-headers.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { confusableHosts } from './agree-to-hosts.ts';

export interface DiscoverRequest {
  /** As typed. */
  readonly url: string;
  readonly options: IntegrationOptions;
  /** From a 401 or 403 that came later than the probe: the verdict stays provisional until then. */
  readonly challenge?: TokenChallenge | undefined;
  readonly typedCredentials?: boolean;
  /** A key came with the address: what the server answers without it is no verdict. */
  readonly bringsKey?: boolean;
  /** By a person, for a server that is new here: no address is kept for it yet. */
  readonly isTyped?: boolean;
}

/**
 * The address rule and the whole of spec 4.1, for one server. Of one that was typed the newer address is taken where it
 * has one. Opens nothing, stores nothing.
 */
export async function discoverServer(
  ports: Pick<EnginePorts, 'http' | 'clock'>,
  request: DiscoverRequest,
  onStep: (step: DiscoveryStep) => void,
  signal: AbortSignal,
): Promise<Discovery> {
  const { url, options, challenge, isTyped = false } = request;
  const typed = parseTypedAddress(url);
  const policy = integrationPolicy(typed.href, options);
  const ask = (address: CheckedAddress): Promise<Discovery> =>
    discoverAt(ports, { ...request, address, policy, onStep, signal });
  const address = checkAddress(typed, policy, 'address');
  const found = await ask(address).catch(async (error: unknown) => {
    // One of the catalogue is spelled right, whoever typed it.
    const { findKnownServer } = await import('../../../shared/known-servers.ts');
    throw isTyped && !findKnownServer(address) ? ofTypedAddress(error) : error;
  });
  const discovery = (isTyped && challenge === undefined && (await findNewer(found, ask, signal))) || found;
  return confusableHosts(discovery).length === 0
    ? discovery
    : { ...discovery, notes: [...discovery.notes, 'host-confusable'] };
}

/**
 * At an address that has never worked, what does not answer as an MCP server may be a mistake in the address. Whatever
 * is wrong with a document is no error of discovery but its verdict.
 */
function ofTypedAddress(error: unknown): unknown {
  if (!(error instanceof PosternError)) return error;
  if (error instanceof RequestError) return error.atTypedAddress();
  return error.blame === 'answer' && !(error instanceof ServerOutage) ? error.with({ blame: 'input' }) : error;
}

interface Asking extends Omit<DiscoverRequest, 'url'> {
  readonly address: CheckedAddress;
  readonly policy: AddressPolicy;
  readonly onStep: (step: DiscoveryStep) => void;
  readonly signal: AbortSignal;
}

async function discoverAt(
  ports: Pick<EnginePorts, 'http' | 'clock'>,
  { address, policy, options, challenge, typedCredentials = false, bringsKey = false, onStep, signal }: Asking,
): Promise<Discovery> {
  const question = { url: address, policy, typedCredentials, ...discoveryChoices(options), onStep, signal };
  if (question.isIssuer) return await discoverIssuer(ports, question);
  const found = await discoverAuthenticationMethod(ports, { ...question, challenge });
  // A server that has refused a credential with a challenge speaks HTTP's authorization, and has been asked before.
  if (challenge !== undefined) return found;
  const required = await requireMcp(ports, found, { policy, signal }).catch((error: unknown) => {
    if (bringsKey && isOtherAnswer(error)) return found;
    throw error;
  });
  // The stream of the old transport may be what asks for a sign-in, and says how.
  if (required.challenge === undefined || required.challenge === found.challenge) return required;
  const { refusedStatus } = required;
  const again = await discoverAuthenticationMethod(ports, { ...question, challenge: required.challenge });
  return dropUndefined({ ...again, probeStatus: found.probeStatus, refusedStatus });
}

/** The server has answered, and with something else than MCP. */
export function isOtherAnswer(error: unknown): error is PosternError {
  return isOutcome(error) && !(error instanceof RequestError || error instanceof ServerOutage);
}

/**
 * What a server has at its newer address, where it has the old transport at the one that was typed (MCP 2024-11-05), or
 * does not show what it has before a sign-in: an MCP server that answers there, or metadata of that address where the
 * typed one has none of its own. `undefined`: nothing that is sure.
 */
async function findNewer(
  typed: Discovery,
  ask: (address: CheckedAddress) => Promise<Discovery>,
  signal: AbortSignal,
): Promise<Discovery | undefined> {
  const { url, era, refusedStatus } = typed;
  const newer = newerAddress(url);
  if (newer === undefined || (era !== 'sse' && (era !== undefined || refusedStatus === undefined))) return undefined;
  try {
    const found = await ask(newer);
    const answers = found.answer === 'mcp' && found.era !== 'sse';
    const asks = found.refusedStatus !== undefined && found.method !== 'NoAuth';
    const isPublished = publishesItself(found) && !publishesItself(typed);
    return answers || (asks && isPublished) ? { ...found, notes: [...found.notes, 'newer-address'] } : undefined;
  } catch (error) {
    if (!isOutcome(error) || signal.aborted) throw error;
    return undefined;
  }
}

/** Its metadata names the path of this very server, and not the whole origin. */
function publishesItself({ resource, url }: Discovery): boolean {
  return URL.parse(resource ?? '')?.pathname === new URL(url).pathname;
}

/** What of an integration's options steers discovery; the same for the first and the second one. */
export function discoveryChoices(options: IntegrationOptions) {
  const { legacyEndpoints, clientMetadataUrl, authorizationServer, endpoints, isIdentityProvider: isIssuer } = options;
  return { legacyEndpoints, clientMetadataUrl, authorizationServer, endpoints, isIssuer };
}

/** The server wants a sign-in and publishes nothing that says how: why its metadata could not be read. */
export function unpublished({ unread, url }: Pick<Discovery, 'unread' | 'url'>): PosternError {
  const error = unread ?? new PosternError('ASM_MISSING', { stage: 'discovery' });
  return error.with({ stage: 'discovery', detail: { host: new URL(url).host, ...error.detail } });
}
