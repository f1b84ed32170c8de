import type { Gateway } from '../../gateway/gateway.ts';
import type { LocalAsk, LocalServers } from '../../local-ports.ts';
import type { LocalTold } from './hand-over.ts';

/** Answers what a command of the person asks about a server on this computer. */
export function localControl(local: LocalServers, gateway: Gateway): (ask: LocalAsk) => Promise<LocalTold> {
  return async ({ id, act, since }) => {
    if (act === 'stop') await local.stop(id);
    if (act === 'start') {
      local.allow(id);
      // What was set beside it holds from the next process on.
      await gateway.changed();
      gateway.lookAgain(id);
    }
    const { text: output, total } = local.output(id, since);
    const { state, processes } = local.status(id);
    return { state, processes: [...processes], output, total };
  };
}
