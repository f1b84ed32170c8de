import type { IntegrationOptions } from '../../../shared/integration.ts';
import { checkAddress } from '../../address/check-address.ts';
import { parseTypedAddress } from '../../address/parse-typed-address.ts';
import type { BearerChallenge } from '../../oauth/wire/bearer-challenge.ts';
import type { Discovery } from '../../oauth/discovery/discovery.ts';
import type { DiscoveryStep } from '../../oauth/discovery/discovery-context.ts';
import { discoverAuthenticationMethod } from '../../oauth/discovery/discover.ts';
import { requireMcp } from '../../oauth/discovery/require-mcp.ts';
import { confusableHosts } from './confusable-hosts.ts';
import type { EnginePorts } from '../engine-ports.ts';
import { integrationPolicy } from '../kept/integration-policy.ts';
import { PosternError } from '../../postern-error.ts';

export interface DiscoverRequest {
  /** As typed. */
  readonly url: string;
  readonly options: IntegrationOptions;
  /** From a 401 or 403 that came later than the probe: the verdict stays provisional until then. */
  readonly challenge?: BearerChallenge | undefined;
  readonly typedCredentials?: boolean;
}

/** The address rule and the whole of spec 4.1, for one server. Opens nothing, stores nothing. */
export async function discoverServer(
  ports: Pick<EnginePorts, 'http' | 'clock'>,
  { url, options, challenge, typedCredentials = false }: DiscoverRequest,
  onStep: (step: DiscoveryStep) => void,
  signal: AbortSignal,
): Promise<Discovery> {
  const typed = parseTypedAddress(url);
  const policy = integrationPolicy(typed.href, options);
  const found = await discoverAuthenticationMethod(ports, {
    url: checkAddress(typed, policy, 'address'),
    policy,
    challenge,
    typedCredentials,
    ...discoveryChoices(options),
    onStep,
    signal,
  });
  // A server that has refused a credential with a challenge speaks HTTP's authorization, and has been asked before.
  const discovery = challenge === undefined ? await requireMcp(ports, found, { policy, signal }) : found;
  return confusableHosts(discovery).length === 0
    ? discovery
    : { ...discovery, notes: [...discovery.notes, 'host-confusable'] };
}

/** What of an integration's options steers discovery; the same for the first and the second one. */
export function discoveryChoices(options: IntegrationOptions) {
  const { legacyEndpoints, clientMetadataUrl, authorizationServer, endpoints } = options;
  return { legacyEndpoints, clientMetadataUrl, authorizationServer, endpoints };
}

/** The server wants a sign-in and publishes nothing that says how: why its metadata could not be read. */
export function unpublished({ unread, url }: Pick<Discovery, 'unread' | 'url'>): PosternError {
  const error = unread ?? new PosternError('ASM_MISSING', { stage: 'discovery' });
  return error.with({ stage: 'discovery', detail: { host: new URL(url).host, ...error.detail } });
}
