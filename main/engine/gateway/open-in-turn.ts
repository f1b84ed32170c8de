import { setTimeout as pause } from 'node:timers/promises';
import { gatewaySession } from '../../limits.ts';
import { HeldGateway, readHolder } from './hand-over.ts';
import { type GatewayOptions, type OpenGateway, openGateway } from './open-gateway.ts';

/**
 * Serves once whoever is leaving has left. The pipe of a program that starts at such a moment finds nobody, and starts
 * Postern once: nobody else would come. Errors: those of `openGateway`.
 */
export async function openGatewayInTurn(
  options: GatewayOptions,
  signal: AbortSignal,
  wait: (milliseconds: number) => Promise<unknown> = pause,
): Promise<OpenGateway> {
  const { look, wait: longest } = gatewaySession.handOver;
  for (let waited = 0; ; waited += look) {
    try {
      return await openGateway(options);
    } catch (error) {
      if (!(error instanceof HeldGateway) || waited > longest || signal.aborted) throw error;
      const holder = await readHolder(options.folder);
      // One that says nothing of itself begins or ends at this moment.
      if (holder && !holder.isLeaving) throw error;
    }
    await wait(look);
  }
}
