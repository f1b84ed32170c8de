import type { Integration } from '../../../shared/integration.ts';
import { parseTypedAddress } from '../../address/typed-address.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { refusalFrom } from '../../mcp/http/credential-gate.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import { refuseUnmetDemand } from '../../oauth/discovery/unmet-demand.ts';
import type { TokenChallenge } from '../../oauth/http/response-headers.ts';
import { Secret, splitQuery } from '../../secret.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { keysOfAddress } from '../records/address-keys.ts';
import { discoverServer, isNonMcpResponse, missingMetadata } from '../sign-in/discover-server.ts';
import type { DiscoverRequest } from '../sign-in/discover-server.ts';
import type { Inspection } from '../sign-in/flow.ts';
import { openServer } from '../use/open-server.ts';
import { readTools } from '../use/use-server.ts';

type InspectRequest = Pick<DiscoverRequest, 'url' | 'options' | 'typedCredentials' | 'isTyped' | 'hasKey'>;

/**
 * Inspects a server at the typed address. If it wants a sign-in, it is inspected at that address without the keys in
 * its query, since the sign-in's resource would carry them to the sign-in service and the browser (RFC 8707 section 2:
 * it should have no query). Keys in the path stay, since they are part of the server's location. `keys`: those of both
 * kinds, which must not be stored in the server list. Errors: those of `inspectAt`.
 */
export async function inspectServer(
  ports: EnginePorts,
  request: InspectRequest,
  onStep: (step: DiscoveryStep) => void,
  signal: AbortSignal,
): Promise<Inspection> {
  const inspection = await inspectAt(ports, request, onStep, signal);
  if (inspection.discovery.method === 'NoAuth' || request.options.isIdentityProvider) return inspection;
  const { href: url, parts } = splitQuery(parseTypedAddress(request.url).href);
  const withoutQueryKeys =
    parts.length === 0 ? inspection : await inspectAt(ports, { ...request, url }, onStep, signal);
  const inQuery = parts.map(({ name, value }) => ({ name, value: new Secret(value) }));
  const inPath = keysOfAddress({ url: withoutQueryKeys.discovery.url, options: request.options }).keys;
  const keys = [...inQuery, ...inPath];
  return keys.length === 0 ? withoutQueryKeys : { ...withoutQueryKeys, keys };
}

/**
 * Runs discovery. A server without sign-in metadata has to prove that it needs none: some leave `initialize` open and
 * refuse `tools/list`, and a challenge there starts discovery again. Opens nothing, stores nothing. Errors: those of
 * `discoverServer`, those of a server that cannot be reached or does not speak MCP, and DEMAND_UNMET.
 */
async function inspectAt(
  ports: EnginePorts,
  { url, options, typedCredentials, isTyped, hasKey = false }: InspectRequest,
  onStep: (step: DiscoveryStep) => void,
  signal: AbortSignal,
): Promise<Inspection> {
  const request = { options, typedCredentials: typedCredentials ?? false, hasKey };
  const discovery = await discoverServer(ports, { ...request, url, isTyped: isTyped ?? false }, onStep, signal);
  refuseUnmetDemand(discovery, options.grant);
  if (discovery.method !== 'NoAuth') return { discovery };
  const attempt = await tryWithoutSignIn(ports, { url: discovery.url, options }, discovery, signal).catch(
    (error: unknown) => {
      if (hasKey && isNonMcpResponse(error)) return { refusal: error };
      throw error;
    },
  );
  if ('tools' in attempt) return { discovery, open: attempt };
  if ('refusal' in attempt) return { discovery, refusal: attempt.refusal };
  const { challenge } = attempt;
  const rediscovered = await discoverServer(ports, { ...request, url: discovery.url, challenge }, onStep, signal);
  refuseUnmetDemand(rediscovered, options.grant);
  return rediscovered.method === 'NoAuth'
    ? { discovery: rediscovered, refusal: missingMetadata(rediscovered) }
    : { discovery: rediscovered };
}

type AnonymousAttempt =
  NonNullable<Inspection['open']> | { readonly challenge: TokenChallenge } | { readonly refusal: PosternError };

/**
 * Lists a server's tools without a token (spec 3.1, NoAuth): the only proof that it needs no sign-in. A refusal whose
 * challenge names its metadata leads back to discovery; any other explains why there is no metadata. Errors: MCP_FAILED
 * and those of HTTP.
 */
async function tryWithoutSignIn(
  ports: EnginePorts,
  address: ServerAddress,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<AnonymousAttempt> {
  let icons: unknown;
  // Collect the icons instead of storing them: the server may never be added.
  const collectingPorts = {
    ...ports,
    onServerIcons: (_server: ServerAddress, listed: unknown) => void (icons = listed),
  };
  const server = openServer(collectingPorts, address, { current: async () => undefined, renew: async () => undefined });
  try {
    return { ...(await readTools(server, discovery.protocol, signal)), icons };
  } catch (error) {
    const refusal = refusalFrom(error);
    if (refusal?.challenge?.resourceMetadata !== undefined) return { challenge: refusal.challenge };
    if (refusal) return { refusal: missingMetadata(discovery) };
    throw error;
  }
}

/** List entry of a server without a sign-in. `now` in milliseconds since 1970. */
export function describeOpenServer(
  entry: Pick<Integration, 'id' | 'name' | 'url' | 'options'>,
  { reason, notes }: Pick<Discovery, 'reason' | 'notes'>,
  now: number,
): Integration {
  return {
    ...entry,
    method: 'NoAuth',
    state: 'integrated',
    ...(reason && { reason }),
    createdAt: now,
    notes: [...notes],
  };
}
