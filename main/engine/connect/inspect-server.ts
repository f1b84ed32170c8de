import type { Integration } from '../../../shared/integration.ts';
import { parseTypedAddress } from '../../address/typed-address.ts';
import type { PosternError } from '../../errors/postern-error.ts';
import { refusalIn } from '../../mcp/http/credential-gate.ts';
import type { Discovery, DiscoveryStep } from '../../oauth/discovery/discovery.ts';
import { refuseUnmetDemand } from '../../oauth/discovery/unmet-demand.ts';
import type { TokenChallenge } from '../../oauth/wire/response-headers.ts';
import { Secret, splitQuery } from '../../secret.ts';
import type { EnginePorts, ServerAddress } from '../engine-ports.ts';
import { keysOfAddress } from '../kept/address-keys.ts';
import { discoverServer, isOtherAnswer, unpublished } from '../sign-in/discover-server.ts';
import type { DiscoverRequest } from '../sign-in/discover-server.ts';
import type { Inspection } from '../sign-in/flow.ts';
import { openServer } from '../use/open-server.ts';
import { readTools } from '../use/use-server.ts';

type Question = Pick<DiscoverRequest, 'url' | 'options' | 'typedCredentials' | 'isTyped' | 'bringsKey'>;

/**
 * What a server is at the address that was typed, and if it wants a sign-in, at that address without the keys in its
 * query: with them the resource of the sign-in (RFC 8707 section 2: it should have no query) would take them to the
 * sign-in service and into the browser. Keys in its path are where the server is. `keys`: both, which the list is to
 * leave out. Errors: those of `inspectAt`.
 */
export async function inspectServer(
  ports: EnginePorts,
  question: Question,
  onStep: (step: DiscoveryStep) => void,
  signal: AbortSignal,
): Promise<Inspection> {
  const inspection = await inspectAt(ports, question, onStep, signal);
  if (inspection.discovery.method === 'NoAuth' || question.options.isIdentityProvider) return inspection;
  const { href: url, parts } = splitQuery(parseTypedAddress(question.url).href);
  const atService = parts.length === 0 ? inspection : await inspectAt(ports, { ...question, url }, onStep, signal);
  const inQuery = parts.map(({ name, value }) => ({ name, value: new Secret(value) }));
  const inPath = keysOfAddress({ url: atService.discovery.url, options: question.options }).keys;
  const keys = [...inQuery, ...inPath];
  return keys.length === 0 ? atService : { ...atService, keys };
}

/**
 * Discovery, and for a server without sign-in metadata the proof that it needs none: servers leave `initialize` open
 * and refuse `tools/list`, so a later challenge starts discovery once more. Opens nothing, stores nothing.
 * Errors: those of `discoverServer`, of a server that cannot be reached or speaks no MCP, and
 * DEMAND_UNMET.
 */
async function inspectAt(
  ports: EnginePorts,
  { url, options, typedCredentials, isTyped, bringsKey = false }: Question,
  onStep: (step: DiscoveryStep) => void,
  signal: AbortSignal,
): Promise<Inspection> {
  const question = { options, typedCredentials: typedCredentials ?? false, bringsKey };
  const discovery = await discoverServer(ports, { ...question, url, isTyped: isTyped ?? false }, onStep, signal);
  refuseUnmetDemand(discovery, options.grant);
  if (discovery.method !== 'NoAuth') return { discovery };
  const tried = await tryWithoutSignIn(ports, { url: discovery.url, options }, discovery, signal).catch(
    (error: unknown) => {
      if (bringsKey && isOtherAnswer(error)) return { refusal: error };
      throw error;
    },
  );
  if ('tools' in tried) return { discovery, open: tried };
  if ('refusal' in tried) return { discovery, refusal: tried.refusal };
  const { challenge } = tried;
  const challenged = await discoverServer(ports, { ...question, url: discovery.url, challenge }, onStep, signal);
  refuseUnmetDemand(challenged, options.grant);
  return challenged.method === 'NoAuth'
    ? { discovery: challenged, refusal: unpublished(challenged) }
    : { discovery: challenged };
}

type TriedWithoutSignIn =
  NonNullable<Inspection['open']> | { readonly challenge: TokenChallenge } | { readonly refusal: PosternError };

/**
 * Lists a server's tools without a token (spec 3.1, NoAuth): the one proof that it needs no sign-in. A refusal with a
 * challenge that names its metadata leads back to discovery; any other says why no metadata could be had.
 * Errors: MCP_FAILED and those of HTTP.
 */
async function tryWithoutSignIn(
  ports: EnginePorts,
  address: ServerAddress,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<TriedWithoutSignIn> {
  let icons: unknown;
  // It may never be added.
  const checking = { ...ports, onGreeting: (_server: ServerAddress, named: unknown) => void (icons = named) };
  const server = openServer(checking, address, { current: async () => undefined, renew: async () => undefined });
  try {
    return { ...(await readTools(server, discovery.era, signal)), icons };
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal?.challenge?.resourceMetadata !== undefined) return { challenge: refusal.challenge };
    if (refusal) return { refusal: unpublished(discovery) };
    throw error;
  }
}

/** The list entry of a server that needs no sign-in. `now` in milliseconds since 1970. */
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
