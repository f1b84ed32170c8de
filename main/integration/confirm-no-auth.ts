import type { Integration } from '../../shared/integration.ts';
import type { BearerChallenge } from '../oauth/bearer-challenge.ts';
import type { Discovery } from '../oauth/discover.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { InstallRequest } from './install.ts';
import { unpublished } from './unpublished.ts';
import type { Tool } from './use-server.ts';
import { openServer, readTools } from './use-server.ts';

/**
 * A server without sign-in metadata is installed if its tools can be listed without a token (spec 3.1, NoAuth).
 * A refusal with a challenge that names its metadata sends discovery back with it; any other refusal is the error
 * that says why no metadata could be had.
 */
export async function confirmNoAuth(
  ports: EnginePorts,
  { id, name, url, options }: InstallRequest,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<{ integration: Integration; tools: readonly Tool[] } | { challenge: BearerChallenge }> {
  const integration: Integration = {
    id,
    name,
    url,
    method: 'NoAuth',
    state: 'integrated',
    ...(discovery.reason && { reason: discovery.reason }),
    createdAt: ports.clock.now(),
    notes: [...discovery.notes],
    options,
  };
  const server = openServer(ports, integration, { current: async () => undefined, renew: async () => undefined });
  try {
    const { tools, era } = await readTools(server, undefined, signal);
    const installed = { ...integration, era };
    await ports.store.write(installed);
    return { integration: installed, tools };
  } catch (error) {
    const refusal = server.refusal();
    if (refusal?.challenge?.resourceMetadata !== undefined) return { challenge: refusal.challenge };
    throw refusal ? unpublished(discovery) : error;
  }
}
