import type { Integration } from '../../shared/integration.ts';
import { findIntegration } from '../integration/find-integration.ts';
import type { EnginePorts } from '../integration/engine-ports.ts';
import type { Access } from '../integration/use-server.ts';
import type { CommandContext } from './command-context.ts';
import { openEngine } from './open-engine.ts';
import { createInteraction, signInWay } from './sign-in-options.ts';

export interface UsedIntegration {
  readonly ports: EnginePorts;
  readonly integration: Integration;
  readonly access: Access;
}

/** Opens the engine and finds the integration that the first word names. Errors: NOT_FOUND, CFG_*, USAGE. */
export async function useIntegration(context: CommandContext): Promise<UsedIntegration> {
  const { args, signal } = context;
  const way = signInWay(context);
  const { ports } = await openEngine(context);
  const integration = await findIntegration(ports.store, args.positionals[0] ?? '');
  const interaction = way === undefined ? undefined : createInteraction(context, way);
  return { ports, integration, access: { signal, ...(interaction && { interaction }) } };
}
