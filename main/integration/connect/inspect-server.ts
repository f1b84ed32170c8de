import type { DiscoveryStep } from '../../oauth/discovery/discovery-context.ts';
import { refuseUnmetDemand } from '../../oauth/discovery/unmet-demand.ts';
import type { DiscoverRequest } from '../sign-in/discover-server.ts';
import { discoverServer, isOtherAnswer, unpublished } from '../sign-in/discover-server.ts';
import type { EnginePorts } from '../engine-ports.ts';
import type { Inspection } from '../sign-in/flow.ts';
import { tryWithoutSignIn } from './try-without-sign-in.ts';

/**
 * Discovery, and for a server without sign-in metadata the proof that it needs none: servers leave `initialize` open
 * and refuse `tools/list`, so a later challenge starts discovery once more. Opens nothing, stores nothing.
 * Errors: those of `discoverServer`, of a server that cannot be reached or speaks no MCP, and
 * DEMAND_UNMET.
 */
export async function inspectServer(
  ports: EnginePorts,
  {
    url,
    options,
    typedCredentials,
    isTyped,
    bringsKey = false,
  }: Pick<DiscoverRequest, 'url' | 'options' | 'typedCredentials' | 'isTyped' | 'bringsKey'>,
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
