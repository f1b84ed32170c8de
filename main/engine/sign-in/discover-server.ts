import { dropUndefined } from '../../../shared/drop-undefined.ts';
import type { IntegrationOptions } from '../../../shared/integration.ts';
import { checkAddress } from '../../address/check-address.ts';
import type { AddressPolicy, CheckedAddress } from '../../address/check-address.ts';
import { parseTypedAddress } from '../../address/typed-address.ts';
import { isExpectedError, PosternError } from '../../errors/postern-error.ts';
import { RequestError } from '../../errors/request-error.ts';
import { discoverAuthenticationMethod, discoverIssuer } from '../../oauth/discovery/discover.ts';
import { ServerOutage } from '../../oauth/discovery/discovery.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import { streamableHttpAddress } from '../../oauth/discovery/probe-response.ts';
import { requireMcp } from '../../oauth/discovery/probe.ts';
import type { TokenChallenge } from '../../oauth/http/response-headers.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy } from '../records/integration-policy.ts';
import { confusableHosts } from './agree-to-hosts.ts';

export interface DiscoverRequest {
  /** As typed. */
  readonly url: string;
  readonly options: IntegrationOptions;
  /** From a 401 or 403 after the probe. Without it, the result is provisional. */
  readonly challenge?: TokenChallenge | undefined;
  readonly typedCredentials?: boolean;
  /** The user gave a key with the address, so a response without the key proves nothing. */
  readonly hasKey?: boolean;
  /** Entered by the user for a new server: no address is stored for it yet. */
  readonly isTyped?: boolean;
}

/**
 * Applies the address rule and runs discovery (spec 4.1) for one server. For a typed address, the server's streamable
 * HTTP address is used instead if it has one. Opens nothing, stores nothing.
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
  const discover = (address: CheckedAddress): Promise<Discovery> =>
    discoverAt(ports, { ...request, address, policy, onStep, signal });
  const address = checkAddress(typed, policy, 'address');
  const found = await discover(address).catch(async (error: unknown) => {
    // An address from the catalog needs no spelling check.
    const { findKnownServer } = await import('../../../shared/known-servers.ts');
    throw isTyped && !findKnownServer(address) ? blameTypedAddress(error) : error;
  });
  const discovery =
    (isTyped && challenge === undefined && (await findStreamableHttp(found, discover, signal))) || found;
  return confusableHosts(discovery).length === 0
    ? discovery
    : { ...discovery, notes: [...discovery.notes, 'host-confusable'] };
}

/**
 * Blames the typed address: where it never worked, a response that is not MCP may mean a typo. Faults in a metadata
 * document are part of the discovery result, not errors.
 */
function blameTypedAddress(error: unknown): unknown {
  if (!(error instanceof PosternError)) return error;
  if (error instanceof RequestError) return error.atTypedAddress();
  return error.blame === 'answer' && !(error instanceof ServerOutage) ? error.with({ blame: 'input' }) : error;
}

interface AddressRequest extends Omit<DiscoverRequest, 'url'> {
  readonly address: CheckedAddress;
  readonly policy: AddressPolicy;
  readonly onStep: (step: DiscoveryStep) => void;
  readonly signal: AbortSignal;
}

async function discoverAt(
  ports: Pick<EnginePorts, 'http' | 'clock'>,
  { address, policy, options, challenge, typedCredentials = false, hasKey = false, onStep, signal }: AddressRequest,
): Promise<Discovery> {
  const context = { url: address, policy, typedCredentials, ...discoveryOptions(options), onStep, signal };
  if (context.isIssuer) return await discoverIssuer(ports, context);
  const found = await discoverAuthenticationMethod(ports, { ...context, challenge });
  // A server that refused a credential with a challenge implements HTTP authorization, and was already checked.
  if (challenge !== undefined) return found;
  const required = await requireMcp(ports, found, { policy, signal }).catch((error: unknown) => {
    if (hasKey && isNonMcpResponse(error)) return found;
    throw error;
  });
  // The GET of the HTTP+SSE transport may be what returns the challenge.
  if (required.challenge === undefined || required.challenge === found.challenge) return required;
  const { refusedStatus } = required;
  const again = await discoverAuthenticationMethod(ports, { ...context, challenge: required.challenge });
  return dropUndefined({ ...again, probeStatus: found.probeStatus, refusedStatus });
}

/** The server responded, but not as an MCP server. */
export function isNonMcpResponse(error: unknown): error is PosternError {
  return isExpectedError(error) && !(error instanceof RequestError || error instanceof ServerOutage);
}

/**
 * Checks the streamable HTTP address of a server that uses the HTTP+SSE transport at the typed one (MCP 2024-11-05), or
 * does not reveal its transport before a sign-in. Used if it answers as an MCP server, or publishes metadata for itself
 * while the typed address does not. `undefined`: no proof that it works.
 */
async function findStreamableHttp(
  typed: Discovery,
  discover: (address: CheckedAddress) => Promise<Discovery>,
  signal: AbortSignal,
): Promise<Discovery | undefined> {
  const { url, protocol, refusedStatus } = typed;
  const streamableUrl = streamableHttpAddress(url);
  if (streamableUrl === undefined || (protocol !== 'sse' && (protocol !== undefined || refusedStatus === undefined)))
    return undefined;
  try {
    const found = await discover(streamableUrl);
    const isMcp = found.responseKind === 'mcp' && found.protocol !== 'sse';
    const wantsSignIn = found.refusedStatus !== undefined && found.method !== 'NoAuth';
    const isPublished = hasOwnMetadata(found) && !hasOwnMetadata(typed);
    return isMcp || (wantsSignIn && isPublished) ? { ...found, notes: [...found.notes, 'newer-address'] } : undefined;
  } catch (error) {
    if (!isExpectedError(error) || signal.aborted) throw error;
    return undefined;
  }
}

/** Its metadata names this server's path, not the whole origin. */
function hasOwnMetadata({ resource, url }: Discovery): boolean {
  return URL.parse(resource ?? '')?.pathname === new URL(url).pathname;
}

/** Options that affect discovery, for the first and any repeated one. */
export function discoveryOptions(options: IntegrationOptions) {
  const { legacyEndpoints, clientMetadataUrl, authorizationServer, endpoints, isIdentityProvider: isIssuer } = options;
  return { legacyEndpoints, clientMetadataUrl, authorizationServer, endpoints, isIssuer };
}

/** Error for a server that wants a sign-in without publishing how: why its metadata could not be read. */
export function missingMetadata({ metadataError, url }: Pick<Discovery, 'metadataError' | 'url'>): PosternError {
  const error = metadataError ?? new PosternError('ASM_MISSING', { stage: 'discovery' });
  return error.with({ stage: 'discovery', detail: { host: new URL(url).host, ...error.detail } });
}
