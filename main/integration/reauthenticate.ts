import type { Integration } from '../../shared/integration.ts';
import type { Refusal } from '../mcp/mcp-fetch.ts';
import { PosternError } from '../postern-error.ts';
import { toPlainError } from '../plain-error.ts';
import { discoverServer } from './discover-server.ts';
import type { EnginePorts } from './engine-ports.ts';
import { Flow } from './flow.ts';
import { install } from './install.ts';
import { signIn } from './sign-in.ts';
import type { SignInInteraction } from './sign-in-interaction.ts';
import { unpublished } from './unpublished.ts';

/**
 * Signs an integration in again: after its grant has ended, for more scopes (the union of those it asked for and
 * those the server demands), or where its server now names another authorization server (registers there).
 * Errors: as a first sign-in; the integration stays as it is when it fails.
 */
export async function reauthenticate(
  ports: EnginePorts,
  integration: Integration,
  refusal: Refusal | undefined,
  interaction: SignInInteraction,
  signal: AbortSignal,
  timeout?: number,
): Promise<Integration> {
  const { id, name, url, options } = integration;
  const flow = new Flow(interaction, ports.log, { name: 'reauthenticationRequired', integrationId: id });
  try {
    flow.advance({ type: 'discover' });
    const question = { url, options, challenge: refusal?.challenge };
    const onStep: Parameters<typeof discoverServer>[2] = (step) => interaction.onEvent({ event: 'step', step });
    const discovery = await discoverServer(ports, question, onStep, signal);
    if (discovery.method === 'NoAuth') throw unpublished(discovery);
    flow.advance({ type: 'methodDecided', method: discovery.method });
    interaction.onEvent({ event: 'method', discovery });
    await (await ports.vault()).ready();
    const earlierScope = refusal?.kind === 'insufficient-scope' ? integration.scopeRequested : undefined;
    const request = { integrationId: id, url, options, discovery, earlierScope, timeout };
    const signedIn = await signIn(ports, request, flow, interaction, signal);
    return await install(ports, { id, name, url, options, existing: integration }, signedIn);
  } catch (error) {
    const cancelled = signal.aborted || (error instanceof PosternError && error.code === 'USER_CANCELLED');
    flow.advance(cancelled ? { type: 'cancelled' } : { type: 'failed', error: toPlainError(error) });
    throw cancelled ? new PosternError('USER_CANCELLED', { stage: 'authorization', cause: error }) : error;
  }
}
