import { setTimeout as pause } from 'node:timers/promises';
import { openGateway } from '../../engine/open-gateway.ts';
import type { OpenGateway } from '../../engine/open-gateway.ts';
import { gatewaySession } from '../../limits.ts';
import type { CommandContext } from '../command-context.ts';
import { openCommandEngine } from '../open-command-engine.ts';
import { hasOption, idleExitValue, portValue } from '../options/option-values.ts';
import type { Answer } from '../output/output.ts';
import { printableLine } from '../output/printable.ts';

/** Milliseconds between two looks whether anybody needs it. */
const look = 200;

/**
 * `postern serve`: answers programs until it is ended, until a window takes over, or until nobody has needed it for
 * `--idle-exit`. Errors: GATEWAY_HELD, GATEWAY_PORT, CFG_*.
 */
export async function serve(context: CommandContext): Promise<Answer> {
  const { args, output, signal } = context;
  const idleExit = idleExitValue(args);
  const { ports, programs, folder } = await openCommandEngine(context);
  const asked = new AbortController();
  const serving = await openGateway({
    ports,
    programs,
    folder,
    allowUnknown: hasOption(args, 'allow-unknown'),
    onSession: (event) => output.event('session', { ...event }),
    onAskedToYield: () => asked.abort(),
  });
  try {
    const { socket } = serving;
    const http = hasOption(args, 'http') ? await serving.listenForHttp(portValue(args)) : undefined;
    output.event('serving', { socket, ...(http !== undefined && { http }) });
    output.say(
      `Serving programs at ${printableLine(socket)}${http === undefined ? '' : ` and ${http}`}. Ctrl-C ends it.`,
    );
    await untilNobodyNeedsIt(serving, idleExit, AbortSignal.any([signal, asked.signal]));
    return { fields: {} };
  } finally {
    await serving.close(gatewaySession.lastAnswers);
  }
}

/** Resolves when the person ends it, or when no program has used it for `seconds`. */
async function untilNobodyNeedsIt(
  { gateway }: OpenGateway,
  seconds: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  let unneededSince = performance.now();
  while (!signal.aborted) {
    await pause(look, undefined, { signal }).catch(() => {});
    if (gateway.takeUse()) unneededSince = performance.now();
    if (seconds !== undefined && performance.now() - unneededSince >= seconds * 1_000) return;
  }
}
