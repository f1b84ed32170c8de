import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gatewaySession } from '../../limits.ts';
import { HeldGateway, readHolder } from '../../host/gateway/gateway-holder.ts';
import { openGateway } from '../../host/gateway/open-gateway.ts';
import type { GatewayOptions, OpenGateway } from '../../host/gateway/open-gateway.ts';

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

/** Milliseconds between two looks, of work after which one collection is worth it, and of work in a quiet moment. */
const checkInterval = 500;
const much = 250;
const little = 25;

/**
 * Node looks for garbage when it needs room: a service would keep all that its busiest moment took, since nobody calls
 * it then. So that is looked for once it has worked and is quiet, which takes some 30 ms. Answers what ends it.
 */
export function collectWhenQuiet(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  let last = process.cpuUsage();
  let worked = 0;
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    const now = (user + system) / 1_000;
    worked += now;
    if (worked < much || now > little) return;
    collect({ type: 'major', flavor: 'last-resort' });
    worked = 0;
    last = process.cpuUsage();
  }, checkInterval).unref();
  return () => clearInterval(timer);
}
