import { setTimeout as pause } from 'node:timers/promises';
import { HttpOnDemand } from '../../host/gateway/http-on-demand.ts';
import { collectGarbageWhenIdle, openGatewayWhenFree } from '../../host/gateway/open-gateway.ts';
import { ownCommandName } from '../../host/installation.ts';
import { gatewaySession } from '../../limits.ts';
import { noUser } from '../../operations/operation.ts';
import { watchProfile } from '../../storage/profile/profile-folder.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import { hasOption, idleExitValue, portValue } from '../options/parse-arguments.ts';
import { changeFields } from '../output/describe-change.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { CommandResult } from '../output/output.ts';
import { planPortChange } from '../apps/confirm-changes.ts';
import { printable, printableLine } from '../text.ts';

/** Milliseconds between checks whether it is still needed. */
const pollInterval = 200;

/**
 * `postern serve`: serves AI apps until it is stopped, a window takes over, or it was idle for `--idle-exit`. Errors:
 * GATEWAY_HELD, GATEWAY_PORT, CFG_*.
 */
export async function serve(context: CommandContext): Promise<CommandResult> {
  const { args, output, signal } = context;
  const idleExit = idleExitValue(args);
  const engine = await context.openEngine();
  const { ports, apps, collections, folder } = engine;
  const commands = await context.serveCommands?.(engine);
  const yieldRequest = new AbortController();
  let stopWatching: (() => void) | undefined;
  let onDemand: HttpOnDemand | undefined;
  const stopCollecting = collectGarbageWhenIdle();
  const serving = await openGatewayWhenFree(
    {
      ports,
      apps,
      collections,
      folder,
      kind: 'serve',
      observer: { user: noUser },
      command: ownCommandName(context.installation),
      allowUnknown: hasOption(args, 'allow-unknown'),
      onSession: (event) => output.event('session', { ...event }),
      onYieldRequested: () => yieldRequest.abort(),
      // With --idle-exit, an app started it: its environment is the app's, and it ends with the app.
      runCommand: idleExit === undefined ? commands?.run : undefined,
    },
    signal,
  );
  try {
    const { socket } = serving;
    const chosenAddress = hasOption(args, 'http') ? await serving.listenForHttp(portValue(args)) : undefined;
    let isServing = false;
    const httpOnDemand = new HttpOnDemand({
      ...{ gateway: serving, store: ports.store, apps, clock: ports.clock },
      onState(state) {
        if (state.kind === 'open' && isServing) reportAddress(context, state.address);
        if (state.kind !== 'closed') return;
        ports.log.write('gateway-closed', { code: toCommandError(state.error, context.adviceContext()).code });
        reportClosed(context, state.error);
      },
    });
    onDemand = httpOnDemand;
    stopWatching = watchProfile(folder, () => void httpOnDemand.check());
    await httpOnDemand.check();
    const { state } = httpOnDemand;
    const http = chosenAddress ?? (state.kind === 'open' ? state.address : undefined);
    output.event('serving', { socket, ...(http !== undefined && { http }) });
    output.notify(
      `Serving AI apps at ${printableLine(socket)}${http === undefined ? '' : ` and ${http}`}. Press Ctrl-C to stop.`,
    );
    isServing = true;
    if (chosenAddress !== undefined) await reportOldEntries(context, engine, Number(new URL(chosenAddress).port));
    // HTTP entries cannot start Postern, so it must keep running while an app has one. With an explicit --http, only
    // --idle-exit decides.
    const needsHttp = (): boolean => chosenAddress === undefined && httpOnDemand.state.kind !== 'not-needed';
    const isNeeded = (): boolean => serving.gateway.consumeActivity() || needsHttp();
    await waitUntilIdle(isNeeded, idleExit, AbortSignal.any([signal, yieldRequest.signal]));
    return { fields: {} };
  } finally {
    stopCollecting();
    stopWatching?.();
    await onDemand?.close();
    // A window that takes over waits while this process finishes. After a signal, nobody waits.
    const { handOver, total, service } = gatewaySession.drain;
    const cancelHurry = yieldRequest.signal.aborted
      ? () => {}
      : ports.clock.after(gatewaySession.hurryAfter, () => ports.local.hurry());
    await (yieldRequest.signal.aborted
      ? serving.close(handOver, total, { leavesCommands: true })
      : serving.close(service));
    cancelHurry();
    await serving.commandsEnded(signal);
    await commands?.close();
  }
}

/** The HTTP port was opened or changed after serving started. */
function reportAddress({ output }: CommandContext, http: string): void {
  output.event('http', { http });
  output.notify(`Serving AI apps over HTTP at ${http}.`);
}

/** Apps that use HTTP are not served for now; Postern tries again. */
function reportClosed({ output, adviceContext }: CommandContext, error: unknown): void {
  const { code, message, nextStep } = toCommandError(error, adviceContext());
  output.event('notice', { code, message, nextStep });
  output.notify(printable(`${message} ${nextStep} Until then, Postern serves no AI apps at that port.`));
}

/** Reports entries with an old port and how to renew them; `serve` itself changes none. Never rejects. */
async function reportOldEntries(
  context: CommandContext,
  opened: Pick<CommandEngine, 'ports' | 'openApps'>,
  port: number,
): Promise<void> {
  const { output } = context;
  const planChanges = async () =>
    await planPortChange(context, { engine: await opened.openApps(), store: opened.ports.store }, port);
  const outdated = await planChanges().catch(() => []);
  for (const { planned } of outdated) output.event('entry-stays', changeFields(planned));
  if (outdated.length === 0) return;
  const names = new Set(outdated.map(({ planned }) => planned.app.name));
  output.notify(
    output.advise(
      `The port has changed. Update the entries in ${[...names].join(', ')}: postern settings gatewayPort ${port}`,
    ),
  );
}

/** Resolves on `signal`, or when no app has used it for `seconds`. */
async function waitUntilIdle(isNeeded: () => boolean, seconds: number | undefined, signal: AbortSignal): Promise<void> {
  let idleSince = performance.now();
  while (!signal.aborted) {
    await pause(pollInterval, undefined, { signal }).catch(() => {});
    if (isNeeded()) idleSince = performance.now();
    if (seconds !== undefined && performance.now() - idleSince >= seconds * 1_000) return;
  }
}
