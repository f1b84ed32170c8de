import { setTimeout as pause } from 'node:timers/promises';
import { needsHttp } from '../../engine/needs-http.ts';
import { openGateway } from '../../engine/open-gateway.ts';
import type { OpenGateway } from '../../engine/open-gateway.ts';
import type { ProgramRecords } from '../../gateway-ports.ts';
import type { EnginePorts } from '../../integration/engine-ports.ts';
import { gatewaySession } from '../../limits.ts';
import { PosternError } from '../../postern-error.ts';
import type { PlannedChange } from '../../programs/plan/planned-change.ts';
import { watchProfile } from '../../storage/profile/watch-profile.ts';
import type { CommandContext } from '../command-context.ts';
import { type CommandEngine, openCommandEngine } from '../opening/open-command-engine.ts';
import { hasOption, idleExitValue, portValue } from '../options/option-values.ts';
import { changeFields } from '../output/describe-change.ts';
import type { Answer } from '../output/output.ts';
import { openEnginePrograms } from '../programs/open-command-programs.ts';
import { planRenewals } from '../programs/renew-port.ts';
import { printableLine } from '../printable.ts';

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
  let stopWatching: (() => void) | undefined;
  const serving = await openGateway({
    ports,
    programs,
    folder,
    kind: 'serve',
    allowUnknown: hasOption(args, 'allow-unknown'),
    onSession: (event) => output.event('session', { ...event }),
    onAskedToYield: () => asked.abort(),
  });
  try {
    const { socket } = serving;
    const http = hasOption(args, 'http') ? await serving.listenForHttp(portValue(args)) : undefined;
    const byNeed = openWhenNeeded(serving, ports, programs);
    stopWatching = watchProfile(folder, () => void byNeed.look());
    await byNeed.look();
    output.event('serving', { socket, ...(http !== undefined && { http }) });
    output.say(
      `Serving programs at ${printableLine(socket)}${http === undefined ? '' : ` and ${http}`}. Ctrl-C ends it.`,
    );
    if (http !== undefined) await tellOldEntries(context, { ports, programs, folder }, Number(new URL(http).port));
    // Whoever asked for the port has said how long it is to stay.
    const isNeeded = (): boolean => serving.gateway.takeUse() || (http === undefined && byNeed.isNeeded);
    await untilNobodyNeedsIt(isNeeded, idleExit, AbortSignal.any([signal, asked.signal]));
    return { fields: {} };
  } finally {
    stopWatching?.();
    await serving.close(gatewaySession.lastAnswers[asked.signal.aborted ? 'handOver' : 'service']);
  }
}

/** Serving changes no entry that holds the address of another port; it says what renews them. Never rejects. */
async function tellOldEntries(
  context: CommandContext,
  opened: Pick<CommandEngine, 'ports' | 'programs' | 'folder'>,
  port: number,
): Promise<void> {
  const { output } = context;
  const found = async (): Promise<readonly PlannedChange[]> =>
    await planRenewals(context, { engine: await openEnginePrograms(context, opened), store: opened.ports.store }, port);
  const old = await found().catch(() => []);
  for (const change of old) output.event('entry-stays', changeFields(change));
  if (old.length === 0) return;
  const names = new Set(old.map(({ program }) => program.name));
  output.say(
    output.advise(
      `The port has changed. Renew the entries of ${[...names].join(', ')}: postern settings gatewayPort ${port}`,
    ),
  );
}

interface HttpByNeed {
  /** An entry with an address starts nobody: as long as a program has one, this does not end by itself. */
  readonly isNeeded: boolean;
  /** Never rejects. */
  look(): Promise<void>;
}

/** Opens the way in over HTTP once a program has a secret for it; what stands against it goes to the log. */
function openWhenNeeded(serving: OpenGateway, { store, log }: EnginePorts, programs: ProgramRecords): HttpByNeed {
  let opening: Promise<unknown> | undefined;
  let isNeeded = false;
  return {
    get isNeeded() {
      return isNeeded;
    },
    async look() {
      isNeeded = await needsHttp(store, programs);
      if (!isNeeded) return;
      // One after the other: the port may have been changed, or be free by now.
      const before = opening;
      opening = (async () => {
        await before;
        await serving.listenForHttp().catch((error: unknown) => {
          log.write('gateway-closed', { code: error instanceof PosternError ? error.code : 'INTERNAL' });
        });
      })();
      await opening;
    },
  };
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
