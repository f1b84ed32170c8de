import { setTimeout as pause } from 'node:timers/promises';
import { HttpByNeed } from '../../host/gateway/http-by-need.ts';
import { collectWhenQuiet, openGatewayInTurn } from '../../host/gateway/open-gateway.ts';
import { ownCommandName } from '../../host/installation.ts';
import { gatewaySession } from '../../limits.ts';
import { nobody } from '../../operations/operation.ts';
import { watchProfile } from '../../storage/profile/profile-folder.ts';
import type { CommandContext, CommandEngine } from '../command-context.ts';
import { openCommandEngine } from '../opening/open-command-engine.ts';
import { hasOption, idleExitValue, portValue } from '../options/parse-arguments.ts';
import { changeFields } from '../output/describe-change.ts';
import { toCommandError } from '../output/describe-error.ts';
import type { Answer } from '../output/output.ts';
import { planPort } from '../programs/confirm-changes.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';
import { printable, printableLine } from '../text.ts';

/** Milliseconds between two looks whether anybody needs it. */
const look = 200;

/**
 * `postern serve`: answers programs until it is ended, until a window takes over, or until nobody has needed it for
 * `--idle-exit`. Errors: GATEWAY_HELD, GATEWAY_PORT, CFG_*.
 */
export async function serve(context: CommandContext): Promise<Answer> {
  const { args, output, signal } = context;
  const idleExit = idleExitValue(args);
  const engine = await openCommandEngine(context);
  const { ports, programs, collections, folder } = engine;
  const commands = await context.serveCommands?.(engine);
  const asked = new AbortController();
  let stopWatching: (() => void) | undefined;
  let byNeed: HttpByNeed | undefined;
  const stopCollecting = collectWhenQuiet();
  const serving = await openGatewayInTurn(
    {
      ports,
      programs,
      collections,
      folder,
      kind: 'serve',
      watch: { user: nobody },
      command: ownCommandName(context.installation),
      allowUnknown: hasOption(args, 'allow-unknown'),
      onSession: (event) => output.event('session', { ...event }),
      onAskedToYield: () => asked.abort(),
      // One that a pipe has started has the environment of an app, and ends when that has.
      runCommand: idleExit === undefined ? commands?.run : undefined,
    },
    signal,
  );
  try {
    const { socket } = serving;
    const chosen = hasOption(args, 'http') ? await serving.listenForHttp(portValue(args)) : undefined;
    let isServing = false;
    const wayByNeed = new HttpByNeed({
      ...{ serving, store: ports.store, programs, clock: ports.clock },
      onState(state) {
        if (state.kind === 'open' && isServing) tellAddress(context, state.address);
        if (state.kind !== 'closed') return;
        ports.log.write('gateway-closed', { code: toCommandError(state.error, context.situation()).code });
        tellClosed(context, state.error);
      },
    });
    byNeed = wayByNeed;
    stopWatching = watchProfile(folder, () => void wayByNeed.look());
    await wayByNeed.look();
    const { state } = wayByNeed;
    const http = chosen ?? (state.kind === 'open' ? state.address : undefined);
    output.event('serving', { socket, ...(http !== undefined && { http }) });
    output.tell(
      `Serving programs at ${printableLine(socket)}${http === undefined ? '' : ` and ${http}`}. Ctrl-C ends it.`,
    );
    isServing = true;
    if (chosen !== undefined) await tellOldEntries(context, { ports, programs, folder }, Number(new URL(chosen).port));
    // Whoever asked for the port has said how long it is to stay.
    // An entry with an address starts nobody: as long as a program has one, this has to stay.
    const hasAddresses = (): boolean => chosen === undefined && wayByNeed.state.kind !== 'not-needed';
    const isNeeded = (): boolean => serving.gateway.takeUse() || hasAddresses();
    await untilNobodyNeedsIt(isNeeded, idleExit, AbortSignal.any([signal, asked.signal]));
    return { fields: {} };
  } finally {
    stopCollecting();
    stopWatching?.();
    await byNeed?.close();
    // A window waits for as long as this one is leaving; whoever ends it by a signal does not.
    const { handOver, inAll, service } = gatewaySession.lastAnswers;
    const stopHurrying = asked.signal.aborted
      ? () => {}
      : ports.clock.after(gatewaySession.hurry, () => ports.local.hurry());
    await (asked.signal.aborted ? serving.close(handOver, inAll, { leavesCommands: true }) : serving.close(service));
    stopHurrying();
    await serving.commandsEnded(signal);
    await commands?.close();
  }
}

/** The way in over HTTP has been opened, or moved, since this began to serve. */
function tellAddress({ output }: CommandContext, http: string): void {
  output.event('http', { http });
  output.tell(`Serving programs with an address at ${http}.`);
}

/** Programs with an address are not served meanwhile; it is tried again. */
function tellClosed({ output, situation }: CommandContext, error: unknown): void {
  const { code, message, nextStep } = toCommandError(error, situation());
  output.event('notice', { code, message, nextStep });
  output.tell(printable(`${message} ${nextStep} Until then Postern serves no program at that port.`));
}

/** Serving changes no entry that holds the address of another port; it says what renews them. Never rejects. */
async function tellOldEntries(
  context: CommandContext,
  opened: Pick<CommandEngine, 'ports' | 'programs' | 'folder'>,
  port: number,
): Promise<void> {
  const { output } = context;
  const found = async () =>
    await planPort(context, { engine: await openEnginePrograms(context, opened), store: opened.ports.store }, port);
  const old = await found().catch(() => []);
  for (const { planned } of old) output.event('entry-stays', changeFields(planned));
  if (old.length === 0) return;
  const names = new Set(old.map(({ planned }) => planned.program.name));
  output.tell(
    output.advise(
      `The port has changed. Renew the entries of ${[...names].join(', ')}: postern settings gatewayPort ${port}`,
    ),
  );
}

/** Resolves when the person ends it, or when no program has used it for `seconds`. */
async function untilNobodyNeedsIt(
  isNeeded: () => boolean,
  seconds: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  let unneededSince = performance.now();
  while (!signal.aborted) {
    await pause(look, undefined, { signal }).catch(() => {});
    if (isNeeded()) unneededSince = performance.now();
    if (seconds !== undefined && performance.now() - unneededSince >= seconds * 1_000) return;
  }
}
